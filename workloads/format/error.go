package format

import (
	"fmt"
	"strings"
)

// An Error is one error in an input with its place: Line and Col of a text (from 1; Col counts
// characters), or Offset of a binary file.
type Error struct {
	File      string
	Line, Col int
	Offset    int64    // of the wrong byte, from 0; used if Line is 0
	Msg       string   // what is wrong
	Want      []string // allowed values, if they can be listed
	Unknown   string   // operator that Options.Unknown may allow; "": none
}

// Error prints file:line:col: what (want one of: ...), or file: byte n: what.
func (e *Error) Error() string {
	var b strings.Builder
	switch {
	case e.Line > 0:
		fmt.Fprintf(&b, "%s:%d:%d: ", e.File, e.Line, e.Col)
	case e.Offset >= 0:
		fmt.Fprintf(&b, "%s: byte %d: ", e.File, e.Offset)
	default:
		fmt.Fprintf(&b, "%s: ", e.File)
	}
	b.WriteString(e.Msg)
	if len(e.Want) > 0 {
		fmt.Fprintf(&b, " (want one of: %s)", strings.Join(e.Want, ", "))
	}
	return b.String()
}
