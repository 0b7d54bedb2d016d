package comm

import "fmt"

// An Error is an error in a file with its place: a line counted from 1, or a byte counted from 0.
type Error struct {
	File   string
	Line   int   // 0 where Offset counts
	Offset int64 // -1 where neither is known
	Msg    string
}

func (e *Error) Error() string {
	switch {
	case e.Line > 0:
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
	case e.Offset >= 0:
		return fmt.Sprintf("%s: byte %d: %s", e.File, e.Offset, e.Msg)
	}
	return fmt.Sprintf("%s: %s", e.File, e.Msg)
}

// BadInput marks the error as one of the input, not of the program.
func (e *Error) BadInput() {}

// Errorf makes an *Error about a file as a whole.
func Errorf(file, format string, args ...any) *Error {
	return &Error{File: file, Offset: -1, Msg: fmt.Sprintf(format, args...)}
}
