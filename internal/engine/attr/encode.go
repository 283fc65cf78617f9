package attr

import (
	"encoding/base64"
	"maps"
	"slices"
	"strconv"
)

// AppendJSON appends the JSON object of the item, names in order: equal items have equal JSON.
func (it Item) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	for i, name := range slices.Sorted(maps.Keys(it)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendString(dst, name), ':')
		dst = it[name].AppendJSON(dst)
	}
	return append(dst, '}')
}

// AppendJSON appends the JSON object of the value, as in {"S":"text"}.
func (v Value) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{', '"')
	dst = append(dst, v.Kind.String()...)
	dst = append(dst, '"', ':')
	return append(v.appendContent(dst), '}')
}

func (v Value) appendContent(dst []byte) []byte {
	switch v.Kind {
	case None:
		return append(dst, "null"...)
	case S, N, B:
		return appendScalar(dst, v.Kind, v.Text)
	case BOOL:
		return strconv.AppendBool(dst, v.Bool)
	case NULL:
		return append(dst, "true"...)
	case SS, NS, BS:
		return appendList(dst, v.Set, func(dst []byte, member string) []byte {
			return appendScalar(dst, v.Kind.Element(), member)
		})
	case L:
		return appendList(dst, v.List, func(dst []byte, element Value) []byte { return element.AppendJSON(dst) })
	case M:
		return v.Map.AppendJSON(dst)
	}
	return dst
}

func appendList[T any](dst []byte, list []T, element func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	for i, e := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = element(dst, e)
	}
	return append(dst, ']')
}

func appendScalar(dst []byte, kind Kind, text string) []byte {
	if kind == B {
		dst = append(dst, '"')
		dst = base64.StdEncoding.AppendEncode(dst, []byte(text))
		return append(dst, '"')
	}
	return AppendString(dst, text)
}

// AppendString appends a JSON string. The text must be UTF-8.
func AppendString(dst []byte, text string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i := range len(text) {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, text[start:i]...)
		if c == '"' || c == '\\' {
			dst = append(dst, '\\', c)
		} else {
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xF])
		}
		start = i + 1
	}
	dst = append(dst, text[start:]...)
	return append(dst, '"')
}

// MarshalJSON is AppendJSON for encoding/json.
func (it Item) MarshalJSON() ([]byte, error) {
	if it == nil {
		return []byte("null"), nil
	}
	return it.AppendJSON(nil), nil
}

// MarshalJSON is AppendJSON for encoding/json.
func (v Value) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }
