package stablehlo

import (
	"bytes"
	"fmt"

	"github.com/causeway-sim/causeway/workloads/format"
)

// A scanner walks over the text of a module.
type scanner struct {
	file string
	b    []byte
	at   int
	deep int // nesting of attributes and regions
}

// maxDepth bounds nesting, so that hostile input cannot exhaust the stack.
const maxDepth = 200

// fail is an error at a byte of the text, as line and column.
func (s *scanner) fail(at int, msg string, args ...any) *format.Error {
	at = min(at, len(s.b))
	line := bytes.Count(s.b[:at], []byte("\n")) + 1
	start := bytes.LastIndexByte(s.b[:at], '\n') + 1
	return &format.Error{File: s.file, Line: line, Col: len([]rune(string(s.b[start:at]))) + 1, Msg: fmt.Sprintf(msg, args...)}
}

func (s *scanner) enter() error {
	if s.deep++; s.deep > maxDepth {
		return s.fail(s.at, "nested more than %d deep", maxDepth)
	}
	return nil
}

// blank skips white space and comments, and reports whether there was a line's end.
func (s *scanner) blank() (line bool) {
	for s.at < len(s.b) {
		switch c := s.b[s.at]; {
		case c == '\n':
			line = true
			s.at++
		case c == ' ' || c == '\t' || c == '\r':
			s.at++
		case c == '/' && s.at+1 < len(s.b) && s.b[s.at+1] == '/':
			n := bytes.IndexByte(s.b[s.at:], '\n')
			if n < 0 {
				n = len(s.b) - s.at
			}
			s.at += n
		default:
			return line
		}
	}
	return line
}

// peek is the next byte after white space, 0 at the end.
func (s *scanner) peek() byte {
	s.blank()
	if s.at == len(s.b) {
		return 0
	}
	return s.b[s.at]
}

// has reports whether the text continues with t, without white space before it.
func (s *scanner) has(t string) bool {
	return len(s.b)-s.at >= len(t) && string(s.b[s.at:s.at+len(t)]) == t
}

// take skips t after white space, if it is there.
func (s *scanner) take(t string) bool {
	s.blank()
	if !s.has(t) {
		return false
	}
	s.at += len(t)
	return true
}

// want skips t after white space; anything else is an error.
func (s *scanner) want(t string) error {
	if s.take(t) {
		return nil
	}
	return s.fail(s.at, "%s (want %q)", s.found(), t)
}

// found describes what stands here.
func (s *scanner) found() string {
	if s.at >= len(s.b) {
		return "the file ends"
	}
	n := s.at
	for n < len(s.b) && n < s.at+24 && s.b[n] != '\n' && (n == s.at || s.b[n] != ' ') {
		n++
	}
	return fmt.Sprintf("found %q", s.b[s.at:n])
}

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// ident is a name of letters, digits, $ . _ and -, "" if there is none.
func (s *scanner) ident() string {
	s.blank()
	n := s.at
	for n < len(s.b) && (letter(s.b[n]) || digit(s.b[n]) || s.b[n] == '.' || s.b[n] == '$' || s.b[n] == '-' && n+1 < len(s.b) && s.b[n+1] != '>') {
		n++
	}
	id := string(s.b[s.at:n])
	s.at = n
	return id
}

// quoted is a string; the text stands at its first quote.
func (s *scanner) quoted() (string, error) {
	start := s.at
	end, escaped := s.endOfString(), false
	if end < 0 {
		return "", s.fail(start, "a string without an end")
	}
	text := s.b[start+1 : end]
	s.at = end + 1
	escaped = bytes.IndexByte(text, '\\') >= 0
	if !escaped {
		return string(text), nil
	}
	var out []byte
	for n := 0; n < len(text); n++ {
		if text[n] == '\\' && n+1 < len(text) {
			n++
		}
		out = append(out, text[n])
	}
	return string(out), nil
}

// endOfString is the place of the closing quote, -1 if there is none.
func (s *scanner) endOfString() int {
	n := s.at + 1
	for n < len(s.b) {
		k := bytes.IndexAny(s.b[n:min(n+64, len(s.b))], "\"\\")
		if k < 0 { // long strings are hexadecimal and have no escapes; look for both ends at once
			q := bytes.IndexByte(s.b[n:], '"')
			if q < 0 {
				return -1
			}
			e := bytes.IndexByte(s.b[n:n+q], '\\')
			if e < 0 {
				return n + q
			}
			k = e
		}
		n += k
		if s.b[n] == '"' {
			return n
		}
		n += 2
	}
	return -1
}

// symbol is a name after @, with quotes or without; the text stands at the @.
func (s *scanner) symbol() (string, error) {
	s.at++
	if s.at < len(s.b) && s.b[s.at] == '"' {
		return s.quoted()
	}
	n := s.at
	for n < len(s.b) && (letter(s.b[n]) || digit(s.b[n]) || s.b[n] == '.' || s.b[n] == '$' || s.b[n] == '-' || s.b[n] == ':' && n+2 < len(s.b) && s.b[n+1] == ':') {
		if s.b[n] == ':' {
			n += 2
		}
		n++
	}
	name := string(s.b[s.at:n])
	s.at = n
	if name == "" {
		return "", s.fail(s.at-1, "a symbol without a name")
	}
	return name, nil
}

// value is the name of a value after %, with its number after #; the text stands at the %.
func (s *scanner) value() (string, error) {
	n := s.at + 1
	for n < len(s.b) && (letter(s.b[n]) || digit(s.b[n]) || s.b[n] == '.' || s.b[n] == '$' || s.b[n] == '-' && n+1 < len(s.b) && s.b[n+1] != '>') {
		n++
	}
	if n == s.at+1 {
		return "", s.fail(s.at, "a value without a name")
	}
	if n < len(s.b) && s.b[n] == '#' {
		for n++; n < len(s.b) && digit(s.b[n]); n++ {
		}
	}
	name := string(s.b[s.at:n])
	s.at = n
	return name, nil
}

// closers are the brackets that end a nested text.
var closers = map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>'}

// balanced skips a bracketed text, which begins here, and returns it with its brackets.
func (s *scanner) balanced() (string, error) {
	start := s.at
	var open []byte
	for s.at < len(s.b) {
		switch c := s.b[s.at]; c {
		case '(', '[', '{', '<':
			open = append(open, closers[c])
		case ')', ']', '}', '>':
			if c == '>' && s.at > 0 && s.b[s.at-1] == '-' {
				break // an arrow
			}
			if len(open) == 0 || open[len(open)-1] != c {
				return "", s.fail(s.at, "%q closes nothing", string(c))
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				s.at++
				return string(s.b[start:s.at]), nil
			}
		case '"':
			end := s.endOfString()
			if end < 0 {
				return "", s.fail(s.at, "a string without an end")
			}
			s.at = end
		}
		s.at++
	}
	return "", s.fail(start, "%q is not closed", string(s.b[start]))
}
