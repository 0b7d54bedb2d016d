package experiment

import (
	"context"
	"fmt"
	"runtime/debug"
)

// LoadContext is Load that ends with the error of ctx as soon as ctx does. Reading and
// mapping a large workload is one long computation that holds nothing; it is abandoned
// and ends on its own.
func LoadContext(ctx context.Context, file string, o Options) (*Experiment, error) {
	return untilCancelled(ctx, func() (*Experiment, error) { return Load(file, o) })
}

// Abandon is what f does, or the error of ctx if that comes first.
func Abandon[T any](ctx context.Context, f func() (T, error)) (T, error) {
	return untilCancelled(ctx, f)
}

// untilCancelled returns what f does, or the error of ctx if that comes first. A panic of f is
// one of the caller.
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
