package main

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/causeway-sim/causeway/cmd/causeway/command"
)

// grace is how long a command may go on after Ctrl-C: a simulation ends between two events,
// and what it has found is written. A step that takes longer is abandoned. Nothing is lost by
// that: files appear under their names when they are whole.
const grace = 900 * time.Millisecond

// writingFigures is above 0 while the figures of a run are written. They are what the time
// of the run has gone into, so they are not abandoned.
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

// inGrace returns what f does, or ok false once ctx has ended for longer than part of grace:
// then f is abandoned.
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
