package attr

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Scanner walks over JSON text, once and without looking back.
type Scanner struct {
	text []byte
	pos  int
}

// NewScanner starts at the beginning of the text.
func NewScanner(text []byte) *Scanner { return &Scanner{text: text} }

func (s *Scanner) space() {
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// peek is the next byte that is not white space, 0 at the end.
func (s *Scanner) peek() byte {
	s.space()
	if s.pos == len(s.text) {
		return 0
	}
	return s.text[s.pos]
}

func (s *Scanner) accept(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.pos++
	return true
}

func (s *Scanner) expect(c byte) error {
	if !s.accept(c) {
		return s.malformed("expected " + strconv.QuoteRune(rune(c)))
	}
	return nil
}

func (s *Scanner) malformed(what string) error {
	return MalformedError("Unexpected value in an attribute value at byte " + strconv.Itoa(s.pos) + ": " + what)
}

// Text reads a string. Bytes that are not UTF-8 become U+FFFD.
func (s *Scanner) Text() (string, error) {
	if err := s.expect('"'); err != nil {
		return "", err
	}
	start, plain := s.pos, true
	for ; s.pos < len(s.text); s.pos++ {
		switch c := s.text[s.pos]; {
		case c == '"':
			raw := s.text[start:s.pos]
			s.pos++
			if plain {
				return validText(raw), nil
			}
			return s.unquote(s.text[start-1 : s.pos])
		case c == '\\':
			plain = false
			s.pos++
		case c < ' ':
			return "", s.malformed("control character in a string")
		}
	}
	return "", s.malformed("unfinished string")
}

func (s *Scanner) unquote(quoted []byte) (string, error) {
	var text string
	if err := json.Unmarshal(quoted, &text); err != nil {
		return "", s.malformed("bad escape in a string")
	}
	return text, nil
}

func validText(raw []byte) string {
	if utf8.Valid(raw) {
		return string(raw)
	}
	return strings.ToValidUTF8(string(raw), "\uFFFD")
}

// Bool reads true or false.
func (s *Scanner) Bool() (bool, error) {
	s.space()
	rest := s.text[s.pos:]
	for _, literal := range [...]string{"true", "false"} {
		if len(rest) >= len(literal) && string(rest[:len(literal)]) == literal {
			s.pos += len(literal)
			return literal == "true", nil
		}
	}
	return false, s.malformed("expected true or false")
}

// Object calls member for each member, after its name and colon were read.
func (s *Scanner) Object(member func(name string) error) error {
	if err := s.expect('{'); err != nil {
		return err
	}
	if s.accept('}') {
		return nil
	}
	for {
		s.space()
		name, err := s.Text()
		if err != nil {
			return err
		}
		if err := s.expect(':'); err != nil {
			return err
		}
		if err := member(name); err != nil {
			return err
		}
		if s.accept('}') {
			return nil
		}
		if err := s.expect(','); err != nil {
			return err
		}
	}
}

// Array calls element for each element.
func (s *Scanner) Array(element func() error) error {
	if err := s.expect('['); err != nil {
		return err
	}
	if s.accept(']') {
		return nil
	}
	for {
		if err := element(); err != nil {
			return err
		}
		if s.accept(']') {
			return nil
		}
		if err := s.expect(','); err != nil {
			return err
		}
	}
}

// Null reads null, if it comes next.
func (s *Scanner) Null() bool {
	s.space()
	if !bytes.HasPrefix(s.text[s.pos:], []byte("null")) {
		return false
	}
	s.pos += len("null")
	return true
}

// Int reads a whole number.
func (s *Scanner) Int() (int, error) {
	s.space()
	start := s.pos
	for s.pos < len(s.text) && (s.text[s.pos] == '-' || s.text[s.pos] >= '0' && s.text[s.pos] <= '9') {
		s.pos++
	}
	n, err := strconv.Atoi(string(s.text[start:s.pos]))
	if err != nil || s.pos < len(s.text) && strings.IndexByte(".eE", s.text[s.pos]) >= 0 {
		return 0, s.malformed("expected a whole number")
	}
	return n, nil
}

// Item reads an item. It returns a MalformedError or an InvalidError.
func (s *Scanner) Item() (Item, error) { return s.item(0) }

// Raw reads any one value, and returns its text: a part of the text that is scanned.
func (s *Scanner) Raw() ([]byte, error) {
	s.space()
	start := s.pos
	if err := s.skip(0); err != nil {
		return nil, err
	}
	return s.text[start:s.pos], nil
}

// maxSkipDepth bounds how deep a value that nobody asks for may be nested.
const maxSkipDepth = 100

func (s *Scanner) skip(depth int) error {
	if depth > maxSkipDepth {
		return s.malformed("nested too deep")
	}
	switch s.peek() {
	case '{':
		return s.Object(func(string) error { return s.skip(depth + 1) })
	case '[':
		return s.Array(func() error { return s.skip(depth + 1) })
	case '"':
		_, err := s.Text()
		return err
	}
	start := s.pos
	for s.pos < len(s.text) && strings.IndexByte(" \t\r\n,]}", s.text[s.pos]) < 0 {
		s.pos++
	}
	if !json.Valid(s.text[start:s.pos]) {
		return s.malformed("no value")
	}
	return nil
}

// Finish checks that nothing follows.
func (s *Scanner) Finish() error {
	if s.peek() != 0 || s.pos < len(s.text) {
		return s.malformed("unexpected data after the value")
	}
	return nil
}
