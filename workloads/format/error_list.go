package format

import (
	"errors"
	"fmt"
)

// MaxErrors limits the errors of one file, because a file of the wrong kind has an error in every
// line.
const MaxErrors = 20

// An ErrorList collects the errors of one file. The zero value is empty.
type ErrorList struct {
	errs    []error
	dropped int // errors beyond MaxErrors
	Count   int // errors added, repetitions included
}

// Add appends an error. Beyond MaxErrors it only counts it.
func (l *ErrorList) Add(e *Error) {
	l.Count++
	if len(l.errs) == MaxErrors {
		l.dropped++
		return
	}
	l.errs = append(l.errs, e)
}

// Again counts an error that was added before.
func (l *ErrorList) Again() { l.Count++ }

// Err joins the collected errors. It is nil when there are none.
func (l *ErrorList) Err() error {
	if l.dropped > 0 {
		return errors.Join(append(l.errs, fmt.Errorf("and %d more errors", l.dropped))...)
	}
	return errors.Join(l.errs...)
}
