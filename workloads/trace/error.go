package trace

import (
	"fmt"
	"strings"
)

// A Pos is a place in a trace: a line of text, or a byte, both in the decompressed
// content.
type Pos struct {
	Line, Col int   // from 1; Line 0 in binary files
	Offset    int64 // from 0, of binary files
}

// An Error is an error in a trace with its place. The records before it are valid.
type Error struct {
	File string
	Pos
	Msg  string   // what is wrong
	Want []string // what would be right, if it can be listed
	Near string   // the closest one of Want, or ""
	Err  error    // the cause, if there is one
}

// Error prints file:line:col: what (want one of: ...; did you mean ...?), or file: byte n: what.
func (e *Error) Error() string {
	var b strings.Builder
	switch {
	case e.Line > 0 && e.Col > 0:
		fmt.Fprintf(&b, "%s:%d:%d: ", e.File, e.Line, e.Col)
	case e.Line > 0:
		fmt.Fprintf(&b, "%s:%d: ", e.File, e.Line)
	case e.Offset >= 0:
		fmt.Fprintf(&b, "%s: byte %d: ", e.File, e.Offset)
	default:
		fmt.Fprintf(&b, "%s: ", e.File)
	}
	b.WriteString(e.Msg)
	if len(e.Want) > 0 {
		fmt.Fprintf(&b, " (want one of: %s", strings.Join(e.Want, ", "))
		if e.Near != "" {
			fmt.Fprintf(&b, "; did you mean %q?", e.Near)
		}
		b.WriteByte(')')
	}
	return b.String()
}

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

// BadInput marks the error as one of the input, not of the program.
func (e *Error) BadInput() {}
