package gpu

import (
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
)

var _ work.Yielder = (*Comp)(nil)

// A yielding is the SMs and the bandwidth of the memory that kernels of transfers take from a GPU. A
// kernel that ran beside them lacked these; what it could not do then follows at the start of the
// next operator.
//
// assumption: a kernel whose time is that of its SMs lacks no bandwidth.
type yielding struct {
	to   work.Communicator // nil: none
	past []ran
	// owed is cycles of SMs, and of the memory.
	owed, late float64
}

// ran is what a kernel did between two cycles: shares of its time were those of its SMs and of the
// memory.
type ran struct {
	from, to      uint64
	share, memory float64
}

// Yields implements work.Yielder.
func (c *Comp) Yields(to work.Communicator) {
	to.Note()
	c.yield.to = to
}

// settle adds up what the operators that have ended owe.
func (c *record) settle() {
	y := &c.yield
	if y.to == nil {
		return
	}
	at := func(cycle uint64) units.Time {
		return units.Time(c.clock.Nanoseconds(cycle) * float64(units.Nanosecond))
	}
	for _, r := range y.past {
		taken := y.to.Taken(at(r.from), at(r.to))
		second := 1e9 / c.clock.Nanoseconds(1) // in cycles
		y.owed += r.share * taken.SMs / float64(c.spec.SMs) * second
		y.late += r.memory * taken.Bytes / (float64(c.spec.Memory) / 8) * second
	}
	y.past = y.past[:0]
}

// lack has an operator begin with what those before it owe.
func (c *record) lack(l *layer) {
	y := &c.yield
	if y.to == nil || l.cycles == 0 {
		return
	}
	sms, memory := float64(l.compute)/float64(l.cycles), float64(l.memory)/float64(l.cycles)
	if n := uint64(y.owed); n > 0 {
		y.owed -= float64(n)
		l.cycles += n
		l.compute += n
	}
	if n := uint64(y.late); n > 0 {
		y.late -= float64(n)
		l.cycles += n
		l.memory += n
	}
	y.past = append(y.past, ran{l.start, l.start + l.cycles, sms, memory})
}
