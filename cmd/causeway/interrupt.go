package main

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
)

// grace is the time that a command may take after Ctrl-C to end its simulation between two events
// and write the results so far. A longer step is abandoned; no file is damaged, because files are
// written atomically.
const grace = 900 * time.Millisecond

// writingFigures is above 0 while the figures of a run are written. Writing is not abandoned,
// because it saves the results of the run.
var writingFigures atomic.Int32

// awaitEnd returns the exit code of a command that runs in another goroutine.
func awaitEnd(ctx context.Context, code <-chan int, stderr io.Writer) int {
	select {
	case c := <-code:
		return c
	case <-ctx.Done():
	}
	select {
	case c := <-code:
		return c
	case <-time.After(grace):
	}
	if writingFigures.Load() > 0 {
		fmt.Fprintln(stderr, "interrupted; what was found is being written (Ctrl-C again leaves it)")
		return <-code
	}
	fmt.Fprintln(stderr, "interrupted; the step under way was abandoned")
	return command.ExitInterrupted
}

// inGrace returns the result of f. If ctx has ended for longer than a part of grace, f is
// abandoned and ok is false.
func inGrace[T any](ctx context.Context, part time.Duration, f func() (T, error)) (v T, ok bool, err error) {
	type outcome struct {
		v     T
		err   error
		panic any
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.panic = recover()
			done <- o
		}()
		o.v, o.err = f()
	}()
	late := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		time.Sleep(part)
		close(late)
	})
	defer stop()
	select {
	case o := <-done:
		if o.panic != nil {
			panic(o.panic)
		}
		return o.v, true, o.err
	case <-late:
		return v, false, nil
	}
}
