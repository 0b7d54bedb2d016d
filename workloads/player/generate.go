package player

import (
	"fmt"
	"math"
	"strings"

	"github.com/causeway-sim/causeway/workloads/synthetic"
)

// A Generate is what the key generate says. The driver asks for what the core of its own
// number does.
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

// Demand is the layer whose requests the driver plays, and how many bytes of it
// the core uses up per second; without a layer ok is false. Only an open loop has
// a rate, others are as fast as memory.
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
