package dal

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// The bounds of RFC 5321, in bytes. They hold for the spelling and for the folded form: either can be the longer one.
const (
	maxEmailLength = 254
	maxLocalLength = 64
	maxLabelLength = 63
)

// maxFoldRounds bounds the search for a form that folds to itself.
const maxFoldRounds = 8

// Email is an e-mail address as its owner writes it and as it is compared.
type Email struct {
	// Spelling is what the client sent, for display.
	Spelling string
	// Folded is equal for two addresses that differ only in case, in Unicode normalization or in the spelling of an
	// international domain. It folds to itself.
	Folded string
}

// ParseEmail checks an e-mail address and folds it: the local part by full Unicode case folding and NFC, the domain
// by IDNA to its ASCII form, each applied until it changes nothing. There must be exactly one @, so quoted local
// parts that contain another are refused, and nothing that cannot be seen: blanks, control and format characters.
func ParseEmail(s string) (Email, error) {
	local, domain, err := splitEmail(s)
	if err != nil {
		return Email{}, err
	}
	foldedLocal, err := untilStable(local, foldLocal)
	if err != nil {
		return Email{}, invalid("ParseEmail", "the part of the e-mail address before the @ cannot be compared")
	}
	foldedDomain, err := untilStable(domain, idna.Lookup.ToASCII)
	if err != nil || !hasLabels(foldedDomain) {
		return Email{}, invalid("ParseEmail", "the e-mail address has no valid domain after the @")
	}
	folded := foldedLocal + "@" + foldedDomain
	if _, _, err := splitEmail(folded); err != nil {
		return Email{}, err
	}
	return Email{Spelling: s, Folded: folded}, nil
}

func splitEmail(s string) (local, domain string, err error) {
	if len(s) > maxEmailLength {
		return "", "", invalid("ParseEmail", "an e-mail address has at most %d bytes", maxEmailLength)
	}
	if !utf8.ValidString(s) || strings.ContainsFunc(s, isUnseen) {
		return "", "", invalid("ParseEmail", "an e-mail address contains no blanks, control or invisible characters")
	}
	local, domain, _ = strings.Cut(s, "@")
	if strings.Count(s, "@") != 1 || domain == "" {
		return "", "", invalid("ParseEmail", "an e-mail address has exactly one @, and a domain after it")
	}
	if local == "" || len(local) > maxLocalLength {
		return "", "", invalid("ParseEmail", "an e-mail address has 1 to %d bytes before the @", maxLocalLength)
	}
	return local, domain, nil
}

// isUnseen also refuses code points without a meaning yet: a later Unicode version may give them another folding.
func isUnseen(r rune) bool { return r == ' ' || !unicode.IsPrint(r) }

// foldLocal decomposes first, or a mark that folds to a letter would end up on either side of its neighbor depending
// on how the text was composed. It makes its own Caser because one may not be shared between goroutines.
func foldLocal(s string) (string, error) {
	folded := cases.Fold().String(norm.NFD.String(s))
	return norm.NFC.String(strings.Map(foldCherokee, folded)), nil
}

// foldCherokee makes up for cases.Fold, which swaps the two cases of this one script. Unicode folds it to upper case.
func foldCherokee(r rune) rune {
	if unicode.Is(unicode.Cherokee, r) {
		return unicode.ToUpper(r)
	}
	return r
}

// untilStable applies the fold until it changes nothing: normalizing can make text that folds further.
func untilStable(s string, fold func(string) (string, error)) (string, error) {
	for range maxFoldRounds {
		folded, err := fold(s)
		if err != nil || folded == s {
			return folded, err
		}
		s = folded
	}
	return "", errors.New("folding does not settle")
}

func hasLabels(domain string) bool {
	for label := range strings.SplitSeq(domain, ".") {
		if label == "" || len(label) > maxLabelLength {
			return false
		}
	}
	return true
}
