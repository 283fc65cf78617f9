package attr

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// scanner walks over JSON text. It knows only the shapes that values are made of.
type scanner struct {
	text []byte
	pos  int
}

func (s *scanner) space() {
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
func (s *scanner) peek() byte {
	s.space()
	if s.pos == len(s.text) {
		return 0
	}
	return s.text[s.pos]
}

func (s *scanner) accept(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.pos++
	return true
}

func (s *scanner) expect(c byte) error {
	if !s.accept(c) {
		return s.malformed("expected " + strconv.QuoteRune(rune(c)))
	}
	return nil
}

func (s *scanner) malformed(what string) error {
	return MalformedError("Unexpected value in an attribute value at byte " + strconv.Itoa(s.pos) + ": " + what)
}

// str reads a string. Bytes that are not UTF-8 become U+FFFD.
func (s *scanner) str() (string, error) {
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

func (s *scanner) unquote(quoted []byte) (string, error) {
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

func (s *scanner) boolean() (bool, error) {
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

// object calls member for each member, after its name and colon were read.
func (s *scanner) object(member func(name string) error) error {
	if err := s.expect('{'); err != nil {
		return err
	}
	if s.accept('}') {
		return nil
	}
	for {
		s.space()
		name, err := s.str()
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

// array calls element for each element.
func (s *scanner) array(element func() error) error {
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

// finish checks that nothing follows.
func (s *scanner) finish() error {
	if s.peek() != 0 || s.pos < len(s.text) {
		return s.malformed("unexpected data after the value")
	}
	return nil
}
