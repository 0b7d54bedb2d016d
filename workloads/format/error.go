package format

import (
	"fmt"
	"strings"
)

// An Error is one thing wrong with an input and where it stands. Text inputs
// have Line and Col (both from 1; Col counts characters), binary ones Offset.
type Error struct {
	File      string
	Line, Col int
	Offset    int64    // of the byte at fault, from 0; used when Line is 0
	Msg       string   // what is wrong
	Want      []string // what would be right, if it can be listed
	Unknown   string   // the key of Options.Unknown at fault; "": none
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
