package cxl

import "github.com/causeway-sim/causeway/components/engine"

// InterruptAfter has loops of fabrics give way after every so many steps, until undone.
func InterruptAfter(n int) (undo func()) {
	before, every := interrupted, steps
	interrupted, steps = func(*engine.Engine) bool { return true }, n
	return func() { interrupted, steps = before, every }
}
