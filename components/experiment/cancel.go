package experiment

import (
	"context"
	"fmt"
	"runtime/debug"
)

// LoadContext is like Load, but returns the error of ctx when ctx ends. A load that has begun runs
// on in the background; it holds no files or locks.
func LoadContext(ctx context.Context, file string, o Options) (*Experiment, error) {
	return untilCancelled(ctx, func() (*Experiment, error) { return Load(file, o) })
}

// Abandon returns the result of f, or the error of ctx if ctx ends first; f then runs on in the
// background.
func Abandon[T any](ctx context.Context, f func() (T, error)) (T, error) {
	return untilCancelled(ctx, f)
}

// untilCancelled returns the result of f, or the error of ctx if ctx ends first. A panic of f
// panics in the caller.
func untilCancelled[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type outcome struct {
		v     T
		err   error
		panic any
	}
	if ctx.Done() == nil {
		return f()
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if p := recover(); p != nil {
				o.panic = fmt.Sprintf("%v\n%s", p, debug.Stack())
			}
			done <- o
		}()
		o.v, o.err = f()
	}()
	select {
	case o := <-done:
		if o.panic != nil {
			panic(o.panic)
		}
		return o.v, o.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
