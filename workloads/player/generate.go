package player

import (
	"fmt"
	"math"
	"strings"

	"github.com/causeway-sim/causeway/workloads/synthetic"
)

// A Generate is the value of key generate. The driver takes the requests of the core with its
// number.
type Generate = synthetic.Choice

// coreOf is the index in a name such as Core[3], 0 without one.
func coreOf(name string) int {
	at := strings.LastIndexByte(name, '[')
	core := 0
	if at >= 0 {
		_, _ = fmt.Sscanf(name[at:], "[%d]", &core) // leaves 0 where there is no number
	}
	return core
}

// Demand returns the layer whose requests the driver sends, and the bytes that the core consumes
// per second; ok is false without a layer. Only an open loop has a rate; other loops are limited
// by memory.
func (c *Comp) Demand() (l synthetic.Layer, rate float64, ok bool) {
	s := &c.spec
	if s.Generate.Layer() == nil || s.Limit > 0 || s.Repeat > 1 || !s.Until.IsZero() || s.Mode.Kind == Timed {
		return nil, 0, false
	}
	if s.Mode.Kind == Closed {
		return s.Generate.Layer(), math.Inf(1), true
	}
	pace := c.pace.Clock()
	return s.Generate.Layer(), float64(s.Bytes) / float64(s.Mode.N) * float64(pace.Den()) / float64(pace.Num()), true
}
