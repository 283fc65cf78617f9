package dal

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

func TestParseEmailFolds(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("b", 63) + "." + strings.Repeat("c", 63) + "." + strings.Repeat("d", 61)
	for _, c := range []struct{ name, spelling, folded string }{
		{"plain", "ada@example.com", "ada@example.com"},
		{"case", "Ada.Lovelace@Example.COM", "ada.lovelace@example.com"},
		{"tag kept", "Ada+Shop@example.com", "ada+shop@example.com"},
		{"sharp s", "Groß@example.com", "gross@example.com"},
		{"capital sharp s", "GROẞ@example.com", "gross@example.com"},
		{"ligature", "ﬀ@example.com", "ff@example.com"},
		{"final sigma", "ΟΔΟΣ@example.com", "οδοσ@example.com"},
		{"final sigma, small", "οδος@example.com", "οδοσ@example.com"},
		{"dotted capital I", "İ@example.com", "i\u0307@example.com"},
		{"dotless small i", "ı@example.com", "ı@example.com"},
		{"kelvin", "\u212a@example.com", "k@example.com"},
		{"composed", "Jos\u00e9@example.com", "jos\u00e9@example.com"},
		{"combining", "Jose\u0301@example.com", "jos\u00e9@example.com"},
		{"marks in another order", "a\u0301\u0323@example.com", "\u1ea1\u0301@example.com"},
		{"iota below", "\u0345\u0301@example.com", "\u0301ι@example.com"},
		{"Cherokee", "\u13a0\uab70\u13f8@example.com", "\u13a0\u13a0\u13f0@example.com"},
		{"full width before the @", "\uff21@example.com", "\uff41@example.com"},
		{"full width after the @", "a@\uff25\uff38ample.com", "a@example.com"},
		{"ideographic full stop", "a@example。com", "a@example.com"},
		{"unicode domain", "a@Bücher.example", "a@xn--bcher-kva.example"},
		{"decomposed domain", "a@Bu\u0308cher.example", "a@xn--bcher-kva.example"},
		{"punycode domain", "a@XN--BCHER-KVA.example", "a@xn--bcher-kva.example"},
		{"sharp s domain", "a@straße.example", "a@xn--strae-oqa.example"},
		{"one label", "root@localhost", "root@localhost"},
		{"delimiter of keys", "a#b@example.com", "a#b@example.com"},
		{"longest", strings.Repeat("A", 64) + "@" + longest, strings.Repeat("a", 64) + "@" + longest},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			email, err := ParseEmail(c.spelling)
			require.NoError(t, err)
			require.Equal(t, Email{Spelling: c.spelling, Folded: c.folded}, email)
			again, err := ParseEmail(email.Folded)
			require.NoError(t, err)
			require.Equal(t, email.Folded, again.Folded)
		})
	}
}

func TestParseEmailRefuses(t *testing.T) {
	t.Parallel()
	for _, given := range []string{
		"", "@", "a", "a@", "@example.com", "a@b@example.com", "\"a@b\"@example.com", "a@@example.com",
		" a@example.com", "a@example.com ", "a b@example.com", "a@exa mple.com", "a\u00a0b@example.com",
		"a\u3000b@example.com", "a\tb@example.com", "a\x00@example.com", "a\r\n@example.com", "a\x7f@example.com",
		"a\u0085@example.com", "a\u200b@example.com", "a\u202e@example.com", "a\u00ad@example.com", "\ufeffa@example.com",
		"a\u2028@example.com", "a\u0378@example.com", "a\ue000@example.com",
		"\xff@example.com", "a@example\xc3.com", "a\xed\xa0\x80@example.com",
		"a@.example.com", "a@example..com", "a@example.com.", "a@example.com。", "a@-example.com", "a@example-.com",
		"a@exa_mple.com", "a@[192.0.2.1]", "a@example.com>", "a@example.com:25", "a@xn--.com", "a@xn--a.com",
		"a@xn--example-.com", "a@\u0301.com", "a@א1a.com",
		strings.Repeat("a", 65) + "@example.com",
		strings.Repeat("é", 33) + "@example.com",
		"a@" + strings.Repeat("b", 64) + ".com",
		"a@" + strings.Repeat("ü", 60) + ".com",
		strings.Repeat("a", 64) + "@" + strings.Repeat("b.", 94) + "bb", // 255 bytes
		"a@" + strings.Repeat("b.", 127) + "com",
		strings.Repeat("a", 1<<20) + "@example.com",
	} {
		_, err := ParseEmail(given)
		requireInvalid(t, err, "ParseEmail", given)
	}
}

// The form that is compared obeys the same bounds, or it could not be read back.
func TestParseEmailBoundsTheFoldedForm(t *testing.T) {
	t.Parallel()
	growing := strings.Repeat("\u0149", 32) // each becomes three bytes
	require.Len(t, growing, maxLocalLength)
	_, err := ParseEmail(growing + "@example.com")
	requireInvalid(t, err, "ParseEmail", growing)
}

func TestUntilStableGivesUp(t *testing.T) {
	t.Parallel()
	rounds := 0
	_, err := untilStable("", func(s string) (string, error) {
		rounds++
		return s + "x", nil
	})
	require.Error(t, err)
	require.Equal(t, maxFoldRounds, rounds)
}

func TestFoldSettlesForEveryCodePoint(t *testing.T) {
	t.Parallel()
	for r := rune(0); r <= 0x10FFFF; r++ {
		if isUnseen(r) || r == '@' {
			continue
		}
		folded, err := untilStable(string(r), foldLocal)
		require.NoError(t, err, "%U", r)
		require.NotEmpty(t, folded, "%U", r)
		require.False(t, strings.ContainsFunc(folded, isUnseen) || strings.Contains(folded, "@"), "%U", r)
	}
}

func TestParseEmailEquality(t *testing.T) {
	t.Parallel()
	letters := []rune("aZ09.+éÉßẞİıſςΣ\u0301\u0323\u0345\u0390\u1fb7Ａ한\u13a0\uab70")
	domains := []string{"example.com", "Bücher.example", "a.b-c.example", "例え.example"}
	rapid.Check(t, func(t *rapid.T) {
		local := rapid.StringOfN(rapid.RuneFrom(letters), 1, 12, 32).Draw(t, "local")
		domain := rapid.SampledFrom(domains).Draw(t, "domain")
		email, err := ParseEmail(local + "@" + domain)
		require.NoError(t, err)

		for _, same := range []string{
			email.Folded,
			norm.NFD.String(local) + "@" + strings.ToUpper(domain),
			norm.NFC.String(local) + "@" + norm.NFD.String(domain),
		} {
			other, err := ParseEmail(same)
			require.NoError(t, err)
			require.Equal(t, email.Folded, other.Folded, "%q", same)
		}
	})
}

func FuzzParseEmail(f *testing.F) {
	for _, seed := range []string{
		"Ada@Example.com", "groẞ@straße.example", "a@xn--bcher-kva.example", "İ\u0345\u0301@例え。example", "a@b@c", "\xff@a",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		email, err := ParseEmail(s)
		if err != nil {
			requireInvalid(t, err, "ParseEmail", s)
			return
		}
		require.Equal(t, s, email.Spelling)
		require.LessOrEqual(t, len(email.Folded), maxEmailLength)
		require.True(t, norm.NFC.IsNormalString(email.Folded))
		again, err := ParseEmail(email.Folded)
		require.NoError(t, err)
		require.Equal(t, email.Folded, again.Folded)
	})
}
