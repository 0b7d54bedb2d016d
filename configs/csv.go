package configs

import (
	"encoding/csv"
	"errors"
)

// CSVError returns an error of package encoding/csv as an Error with its place in the file. The
// place of any other error is the file.
func CSVError(file string, err error) *Error {
	e := &Error{Pos: Pos{File: file}, Msg: err.Error()}
	if p, ok := errors.AsType[*csv.ParseError](err); ok {
		e.Pos.Line, e.Pos.Col, e.Msg = p.Line, p.Column, p.Err.Error()
	}
	return e
}
