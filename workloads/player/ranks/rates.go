package ranks

import (
	"math"
	"math/bits"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// rates are how fast a rank without a seat computes and moves bytes.
type rates struct {
	clock   clock.Clock
	scale   float64
	compute units.FLOPS
	memory  units.Bandwidth
	down    bool // see Spec.Rounding
}

func (s *Spec) rates() rates {
	return rates{s.Clock.Clock, s.Scale, s.Compute, s.Memory, s.Rounding == Down}
}

// duration is the cycles of a computation: as recorded, else by the two roofs. What
// only moves data is as fast as the memory, and is not scaled.
func (r *rates) duration(o *comm.Op) uint64 {
	t := o.Time
	if t == 0 && o.Work == 0 {
		return r.passes(1, o.Bytes)
	}
	if t == 0 {
		seconds := o.Work / float64(r.compute)
		if r.memory > 0 && o.Bytes > 0 {
			seconds = max(seconds, float64(o.Bytes)*8/float64(r.memory))
		}
		t = units.Time(min(math.Ceil(seconds*float64(units.Second)), 1<<62))
	}
	if r.scale != 1 {
		t = units.Time(min(math.Round(float64(t)*r.scale), 1<<62))
	}
	return r.clock.Cycles(uint64(t), uint64(units.Second))
}

// passes is the cycles of so many passes over bytes of a rank's own memory.
func (r *rates) passes(n, bytes uint64) uint64 {
	if r.down {
		whole, _ := r.move(bytes)
		return n * whole
	}
	whole, rest := r.move(n * bytes)
	if rest {
		whole++
	}
	return whole
}

// move is the number of whole cycles for bytes of a rank's memory, and whether there is a
// remainder.
func (r *rates) move(bytes uint64) (cycles uint64, rest bool) {
	if r.memory == 0 {
		return 0, false
	}
	k := r.clock
	hi, lo := bits.Mul64(bytes*8, k.Den())
	dh, dl := bits.Mul64(uint64(r.memory), k.Num())
	if dh != 0 || hi >= dl {
		t := float64(bytes) * 8 / float64(r.memory) * float64(k.Den()) / float64(k.Num())
		return uint64(t), t != math.Trunc(t)
	}
	whole, left := bits.Div64(hi, lo, dl)
	return whole, left > 0
}
