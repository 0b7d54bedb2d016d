package cxl

import "github.com/causeway-sim/causeway/components/engine"

// InterruptAfter has loops of fabrics give way after every so many steps, until undone.
func InterruptAfter(n int) (undo func()) {
	before := interrupted
	interrupted = func(_ *engine.Engine, steps int) bool { return steps%n == 0 }
	return func() { interrupted = before }
}
