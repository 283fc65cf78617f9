package attr_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"example.com/keyfirst/internal/engine/attr"
)

func TestDecodeNormalises(t *testing.T) {
	for in, want := range map[string]string{
		`{}`:                                     `{}`,
		`{ "a" : { "S" : "x" } }`:                `{"a":{"S":"x"}}`,
		`{"b":{"N":"1.0"},"a":{"N":"1e2"}}`:      `{"a":{"N":"100"},"b":{"N":"1"}}`,
		`{"a":{"SS":["b","a"]}}`:                 `{"a":{"SS":["a","b"]}}`,
		`{"a":{"NS":["10","9","-1"]}}`:           `{"a":{"NS":["-1","9","10"]}}`,
		`{"a":{"BS":["/w==","AA=="]}}`:           `{"a":{"BS":["AA==","/w=="]}}`,
		`{"a":{"B":"AP8="}}`:                     `{"a":{"B":"AP8="}}`,
		`{"a":{"BOOL":false},"b":{"NULL":true}}`: `{"a":{"BOOL":false},"b":{"NULL":true}}`,
		`{"a":{"L":[]},"b":{"M":{}}}`:            `{"a":{"L":[]},"b":{"M":{}}}`,
		`{"a":{"L":[{"M":{"x":{"S":""}}}]}}`:     `{"a":{"L":[{"M":{"x":{"S":""}}}]}}`,
		`{"a":{"S":"\u00e9\"\\\n\ud83d\ude00"}}`: `{"a":{"S":"é\"\\\u000a😀"}}`,
	} {
		item, err := attr.Decode([]byte(in))
		require.NoError(t, err, in)
		require.Equal(t, want, string(item.AppendJSON(nil)))
		var viaJSON attr.Item
		require.NoError(t, json.Unmarshal([]byte(in), &viaJSON))
		require.True(t, item.Equal(viaJSON))
	}
}

func nested(levels int) string {
	return `{"a":` + strings.Repeat(`{"L":[`, levels-1) + `{"S":"x"}` + strings.Repeat(`]}`, levels-1) + `}`
}

func TestDecodeRefusesValues(t *testing.T) {
	for in, words := range map[string]string{
		`{"a":{}}`:                   "Supplied AttributeValue is empty",
		`{"a":{"X":"x"}}`:            "Supplied AttributeValue is empty",
		`{"a":{"S":"x","N":"1"}}`:    "more than one datatypes",
		`{"a":{"N":"abc"}}`:          "cannot be converted to a numeric value: abc",
		`{"a":{"N":"1e126"}}`:        "Number overflow",
		`{"":{"S":"x"}}`:             "Empty attribute name",
		`{"a":{"M":{"":{"S":"x"}}}}`: "Empty attribute name",
		`{"a":{"NULL":false}}`:       "Null attribute value types must have the value of true",
		`{"a":{"SS":[]}}`:            "An string set  may not be empty",
		`{"a":{"SS":["x","x"]}}`:     "Input collection [x, x] contains duplicates",
		`{"a":{"NS":["1","1.0"]}}`:   "contains duplicates",
		nested(attr.MaxDepth + 1):    "Nesting Levels have exceeded supported limits",
	} {
		_, err := attr.Decode([]byte(in))
		var invalid attr.InvalidError
		require.ErrorAs(t, err, &invalid, in)
		require.Contains(t, err.Error(), words)
	}
	_, err := attr.Decode([]byte(nested(attr.MaxDepth)))
	require.NoError(t, err)
}

func TestDecodeRefusesMalformedJSON(t *testing.T) {
	for _, in := range []string{
		``, `{`, `[]`, `{"a"}`, `{"a":1}`, `{"a":{"S":5}}`, `{"a":{"S":"x"}`, `{"a":{"S":"x"}}x`, `{"a":{"S":"x}}`, `{"a":{"B":"!"}}`, `{"a":{"BOOL":"x"}}`,
		`{"a":{"L":{}}}`, `{"a":{"L":[{"S":"x"} {"S":"y"}]}}`, "{\"a\":{\"S\":\"\x01\"}}", `{"a":{"S":"\q"}}`, `{a:{}}`, `null`,
	} {
		_, err := attr.Decode([]byte(in))
		var malformed attr.MalformedError
		require.ErrorAs(t, err, &malformed, in)
	}
}

func TestSize(t *testing.T) {
	for in, want := range map[string]int{
		`{}`:                                      0,
		`{"ab":{"S":"xyz"}}`:                      5,
		`{"é":{"S":"😀"}}`:                         6,
		`{"a":{"B":"AAEC"}}`:                      4,
		`{"a":{"BOOL":true}}`:                     2,
		`{"a":{"NULL":true}}`:                     2,
		`{"a":{"N":"123"}}`:                       4,
		`{"a":{"SS":["x","yz"]}}`:                 4,
		`{"a":{"NS":["1","-1"]}}`:                 6,
		`{"a":{"L":[]}}`:                          4,
		`{"a":{"L":[{"S":"xy"},{"N":"1"}]}}`:      10,
		`{"a":{"M":{"k":{"S":"v"}}}}`:             7,
		`{"a":{"M":{"k":{"L":[{"BOOL":true}]}}}}`: 11,
	} {
		item, err := attr.Decode([]byte(in))
		require.NoError(t, err)
		require.Equal(t, want, item.Size(), in)
	}
}

func TestCompare(t *testing.T) {
	number := func(text string) attr.Value { return attr.Value{Kind: attr.N, Text: text} }
	order, ok := number("9").Compare(number("10"))
	require.True(t, ok)
	require.Equal(t, -1, order)
	order, ok = attr.String("9").Compare(attr.String("10"))
	require.True(t, ok)
	require.Equal(t, 1, order)
	_, ok = attr.String("9").Compare(number("9"))
	require.False(t, ok)
	_, ok = attr.Value{Kind: attr.BOOL}.Compare(attr.Value{Kind: attr.BOOL})
	require.False(t, ok)
}

func anyName() *rapid.Generator[string] { return rapid.StringN(1, -1, -1) }

func anyValue(depth int) *rapid.Generator[attr.Value] {
	scalars := []*rapid.Generator[attr.Value]{
		rapid.Map(rapid.String(), attr.String),
		rapid.Map(rapid.Bool(), func(b bool) attr.Value { return attr.Value{Kind: attr.BOOL, Bool: b} }),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) attr.Value { return attr.Value{Kind: attr.B, Text: string(b)} }),
		rapid.Just(attr.Value{Kind: attr.NULL}),
		rapid.Map(rapid.SliceOfNDistinct(rapid.String(), 1, 4, rapid.ID), func(m []string) attr.Value { return attr.SetOf(attr.SS, m) }),
	}
	if depth > 0 {
		scalars = append(scalars,
			rapid.Map(rapid.SliceOfN(anyValue(depth-1), 0, 3), func(l []attr.Value) attr.Value { return attr.Value{Kind: attr.L, List: l} }),
			rapid.Map(rapid.MapOfN(anyName(), anyValue(depth-1), 0, 3), func(m map[string]attr.Value) attr.Value {
				return attr.Value{Kind: attr.M, Map: m}
			}))
	}
	return rapid.OneOf(scalars...)
}

func TestJSONGoesBothWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		item := attr.Item(rapid.MapOfN(anyName(), anyValue(2), 0, 4).Draw(t, "item"))
		text := item.AppendJSON(nil)
		require.True(t, json.Valid(text))
		back, err := attr.Decode(text)
		require.NoError(t, err)
		require.True(t, item.Equal(back))
		require.Equal(t, text, back.AppendJSON(nil))
	})
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"a":{"L":[{"M":{"x":{"NS":["1"]}}}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		item, err := attr.Decode(text)
		if err != nil {
			require.True(t, errors.As(err, new(attr.InvalidError)) || errors.As(err, new(attr.MalformedError)))
			return
		}
		again, err := attr.Decode(item.AppendJSON(nil))
		require.NoError(t, err)
		require.True(t, item.Equal(again))
	})
}
