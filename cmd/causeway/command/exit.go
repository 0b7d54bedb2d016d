package command

import (
	"errors"
	"fmt"
)

// The exit codes of every command.
const (
	ExitInternal    = 1   // an error of this program
	ExitInput       = 2   // bad input
	ExitCheck       = 3   // a check or a validation failed
	ExitIncomplete  = 4   // a sweep has points that failed or are missing
	ExitStuck       = 5   // the simulation cannot go on
	ExitInterrupted = 130 // Ctrl-C
)

// An Exit is an error with an exit code. Err is nil if the command has already printed what is
// wrong.
type Exit struct {
	Code int
	Err  error
}

func (e *Exit) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit code %d", e.Code)
	}
	return e.Err.Error()
}

func (e *Exit) Unwrap() error { return e.Err }

// ExitWith returns an *Exit. err is nil if the command has already printed what is wrong.
func ExitWith(code int, err error) error { return &Exit{code, err} }

// BadInput returns err with the exit code ExitInput; nil for a nil err.
func BadInput(err error) error {
	if err == nil {
		return nil
	}
	return ExitWith(ExitInput, err)
}

// Interrupted returns the error of a command that Ctrl-C stopped. The text what says which results
// were kept.
func Interrupted(what string) error {
	return ExitWith(ExitInterrupted, errors.New("interrupted; "+what))
}
