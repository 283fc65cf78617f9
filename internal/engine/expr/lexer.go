package expr

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenWord
	tokenName  // #name
	tokenValue // :value
	tokenNumber
	tokenSymbol
)

type token struct {
	kind tokenKind
	text string
	pos  int
}

// is tells whether the token is this symbol, or this keyword in any case.
func (t token) is(text string) bool {
	switch t.kind {
	case tokenSymbol:
		return t.text == text
	case tokenWord:
		return strings.EqualFold(t.text, text)
	case tokenEnd, tokenName, tokenValue, tokenNumber:
	}
	return false
}

// MaxSize is the longest expression, in bytes.
const MaxSize = 4096

func tokenize(kind Kind, text string) ([]token, error) {
	if len(text) > MaxSize {
		return nil, kind.invalid("Expression size has exceeded the maximum allowed size; expression size: " + strconv.Itoa(len(text)))
	}
	tokens := make([]token, 0, len(text)/4+2)
	for pos := 0; ; {
		pos = skipSpace(text, pos)
		if pos == len(text) {
			return append(tokens, token{kind: tokenEnd, text: "<EOF>", pos: pos}), nil
		}
		t := next(text, pos)
		if t.kind == tokenEnd {
			return nil, lexicalError(kind, text, tokens, t)
		}
		tokens = append(tokens, t)
		pos += len(t.text)
	}
}

func skipSpace(text string, pos int) int {
	for pos < len(text) && strings.IndexByte(" \t\r\n\f", text[pos]) >= 0 {
		pos++
	}
	return pos
}

// next reads the token at pos; one of kind tokenEnd is a character that starts none.
func next(text string, pos int) token {
	rest := text[pos:]
	c := rest[0]
	switch {
	case isLetter(c):
		return token{tokenWord, rest[:wordLength(rest)], pos}
	case isDigit(c):
		return token{tokenNumber, rest[:digitsLength(rest)], pos}
	case (c == '#' || c == ':') && wordLength(rest[1:]) > 0:
		n := 1 + wordLength(rest[1:])
		if c == '#' {
			return token{tokenName, rest[:n], pos}
		}
		return token{tokenValue, rest[:n], pos}
	case len(rest) > 1 && isTwoSymbols(rest[:2]):
		return token{tokenSymbol, rest[:2], pos}
	case strings.IndexByte("()[],.=<>+-", c) >= 0:
		return token{tokenSymbol, rest[:1], pos}
	}
	_, size := utf8.DecodeRuneInString(rest)
	return token{tokenEnd, rest[:size], pos}
}

func isTwoSymbols(s string) bool { return s == "<>" || s == "<=" || s == ">=" }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func wordLength(s string) int {
	n := 0
	for n < len(s) && (isLetter(s[n]) || isDigit(s[n])) {
		n++
	}
	return n
}

func digitsLength(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

func lexicalError(kind Kind, text string, before []token, at token) error {
	end := at.pos + len(at.text)
	if pos := skipSpace(text, end); pos < len(text) {
		end = pos + len(next(text, pos).text)
	}
	return syntaxError(kind, text, before, at, end)
}

// syntaxError quotes the token, and the text from the token before it to that after it, which ends at end.
func syntaxError(kind Kind, text string, before []token, at token, end int) error {
	start := at.pos
	if len(before) > 0 {
		start = before[len(before)-1].pos
	}
	return kind.invalid(`Syntax error; token: "` + at.text + `", near: "` + text[start:end] + `"`)
}
