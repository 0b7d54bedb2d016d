package gpu

import (
	"math"

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
	persistent    bool // its thread blocks are as many as SMs
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
		y.owed += r.share * c.lost(taken, r.persistent) * second
		y.late += r.memory * taken.Bytes / (float64(c.spec.Memory) / 8) * second
	}
	y.past = y.past[:0]
}

// lost is the seconds of the whole chip that a kernel lost to transfers. Thread blocks of a persistent
// kernel that find no SM begin when the others have ended, and take as long again: of two passes one
// is lost.
//
// Sources: PyTorch, issue 143988 (products of an H100 take twice as long beside NCCL); NVIDIA, nccl
// issue 689 (a block of NCCL shares its SM with no other kernel).
func (c *record) lost(taken work.Taking, persistent bool) float64 {
	n := float64(c.spec.SMs)
	if !persistent || taken.Time == 0 {
		return taken.SMs / n
	}
	left := max(1, n-taken.SMs/taken.Time)
	return taken.Time * (1 - 1/math.Ceil(n/left-1e-9))
}

// chargeOwed adds to an operator the time that operators before it owe.
func (c *record) chargeOwed(l *layer) {
	y := &c.yield
	if y.to == nil || l.cycles == 0 {
		return
	}
	sms, memory := float64(l.compute)/float64(l.cycles), float64(l.memory+l.latency)/float64(l.cycles)
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
	y.past = append(y.past, ran{l.start, l.start + l.cycles, sms, memory, l.rounds > 1 && c.spec.Kernels.persistent(c.lib)})
}
