package formula

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/units"
)

// An Error is an error in a formula. At is its byte offset, from 0.
type Error struct {
	At  int
	Msg string
}

func (e *Error) Error() string { return e.Msg }

type kind int

const (
	end kind = iota
	number
	text
	path
	symbol // an operator, and, or, not, parentheses
)

type token struct {
	kind kind
	word string
	val  Value
	at   int
}

var (
	numberAt = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?([A-Za-z]+(/s)?)?`)
	pathAt   = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\[[0-9.,:]*\])?([.@:][A-Za-z0-9_]+(\[[0-9.,:]*\])?)*`)
	symbols  = []string{"==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "(", ")"}
	words    = []string{"and", "or", "not"}
)

// lex cuts a formula into tokens; the last is the end.
func lex(s string) (out []token, err error) {
	for at := 0; ; {
		rest := strings.TrimLeft(s[at:], " \t\n")
		at = len(s) - len(rest)
		if rest == "" {
			return append(out, token{kind: end, word: "the end", at: at}), nil
		}
		t, err := one(rest)
		if err != nil {
			return nil, &Error{at, err.Error()}
		}
		t.at = at
		out = append(out, t)
		at += len(t.word)
	}
}

// one is the token that s begins with.
func one(s string) (token, error) {
	if s[0] == '"' || s[0] == '\'' {
		i := strings.IndexByte(s[1:], s[0])
		if i < 0 {
			return token{}, fmt.Errorf("a quote without its end")
		}
		return token{kind: text, word: s[:i+2], val: Value{Text: s[1 : i+1], kind: isText}}, nil
	}
	if m := numberAt.FindString(s); m != "" {
		v, ok := Quantity(m)
		if !ok {
			return token{}, fmt.Errorf("%q is no number with a unit such as 16, 16KiB, 25.6GB/s or 150ns", m)
		}
		return token{kind: number, word: m, val: v}, nil
	}
	if m := pathAt.FindString(s); m != "" {
		for _, w := range words {
			if m == w {
				return token{kind: symbol, word: m}, nil
			}
		}
		return token{kind: path, word: m}, nil
	}
	for _, op := range symbols {
		if strings.HasPrefix(s, op) {
			return token{kind: symbol, word: op}, nil
		}
	}
	return token{}, fmt.Errorf("%q means nothing here (want one of: %s, a number, a path, a \"text\")", s[:1], strings.Join(append(words, symbols...), " "))
}

// Quantity parses a number with or without a unit.
func Quantity(s string) (Value, bool) {
	if x, err := strconv.ParseFloat(s, 64); err == nil {
		return Number(x, ""), true
	}
	x, unit, ok := units.SI(s)
	return Number(x, unit), ok
}

// Of returns the value of the text of a setting: a quantity if it parses as one, else the text.
func Of(s string) Value {
	if v, ok := Quantity(s); ok {
		return v
	}
	return Value{Text: s, kind: isText}
}
