package configs

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// A Pos is a place in a file. Line and Col count from 1; 0 means unknown. A
// value given by the n-th --set has File "--set" and Line n.
type Pos struct {
	File      string
	Line, Col int
}

// String prints file:line:col without the parts that are unknown.
func (p Pos) String() string {
	s := p.File
	if p.Line > 0 {
		s += ":" + strconv.Itoa(p.Line)
		if p.Col > 0 {
			s += ":" + strconv.Itoa(p.Col)
		}
	}
	return s
}

// An Error is one error at one place.
type Error struct {
	Pos
	Path    string   // nodes.Core.policy.name; empty for the whole file
	Msg     string   // what is wrong
	Want    []string // allowed values, if they are known
	Nearest string   // the allowed value closest to the one given
	Cause   error    // for errors.Is; it is not printed
}

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Error prints file:line:col: path: what (want one of: a, b; did you mean "b"?).
func (e *Error) Error() string {
	var b strings.Builder
	if p := e.Pos.String(); p != "" {
		b.WriteString(p + ": ")
	}
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	b.WriteString(e.Msg)
	var hints []string
	switch len(e.Want) {
	case 0:
	case 1:
		hints = append(hints, "want "+e.Want[0])
	default:
		hints = append(hints, "want one of: "+strings.Join(e.Want, ", "))
	}
	if e.Nearest != "" {
		hints = append(hints, "did you mean "+strconv.Quote(e.Nearest)+"?")
	}
	if len(hints) > 0 {
		b.WriteString(" (" + strings.Join(hints, "; ") + ")")
	}
	return b.String()
}

// Errors is a list of errors, sorted by position.
type Errors []error

// Error prints one error per line.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, x := range e {
		lines[i] = x.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors, for errors.Is and errors.As.
func (e Errors) Unwrap() []error { return e }

// Add appends err, flattening lists of errors. A nil err adds nothing.
func (e *Errors) Add(err error) {
	switch x := err.(type) {
	case nil:
	case *Error:
		if x != nil {
			*e = append(*e, x)
		}
	case interface{ Unwrap() []error }: // Errors, and what errors.Join returns
		for _, one := range x.Unwrap() {
			e.Add(one)
		}
	default:
		*e = append(*e, err)
	}
}

// Each returns the errors joined in err, at any depth; none for nil.
func Each(err error) []error {
	var all Errors
	all.Add(err)
	return all
}

// Err sorts the errors by position and removes duplicates; it returns nil if there are none.
func (e Errors) Err() error {
	if len(e) == 0 {
		return nil
	}
	out := slices.Clone(e)
	slices.SortStableFunc(out, func(a, b error) int {
		p, q := PosOf(a), PosOf(b)
		return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col),
			strings.Compare(a.Error(), b.Error())) // the schema's findings come in no order
	})
	said := map[string]bool{}
	return slices.DeleteFunc(out, func(err error) bool {
		s := err.Error()
		dup := said[s]
		said[s] = true
		return dup
	})
}

// PosOf returns the position of an error, or the zero Pos.
func PosOf(err error) Pos {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Pos
	}
	return Pos{}
}
