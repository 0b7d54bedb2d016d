package nearmem

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/nearmem/offload"
	"github.com/causeway-sim/causeway/components/units"
)

// limit is the longest run in picoseconds, which Akita's time (seconds in float64) still resolves
// (2.5 hours).
const limit = 1 << 53

// tooLong refuses a program whose parts alone take longer than the limit: each
// task by itself, and the bytes and operations of all together, shared out.
func (m *machine) tooLong() error {
	var total float64
	for i := range m.program {
		f := &m.program[i]
		n, worst := float64(f.Launches()), offload.Cost{}
		for t := range f.Tasks {
			c := f.Of(t)
			worst.Ops, worst.Read = max(worst.Ops, c.Ops), max(worst.Read, c.Read)
		}
		// No launch is longer than all its tasks one after the other.
		total += n * float64(f.Tasks) * m.device.atMost(m.spec.Device.Bandwidth, worst)
		total += n * float64(f.Groups()) * float64(f.Parts()) * m.host.atMost(m.spec.Host.Bandwidth, f.Host)
		total += n * float64(f.Before.Tasks) * m.host.atMost(m.spec.Host.Bandwidth, f.Before.Cost)
		results := float64(f.Tasks) * float64(f.Result+uint64(m.spec.Ring.Slot)+uint64(m.spec.Stream.Metadata))
		total += n * passes(m.spec.Link.Bandwidth, results+float64(f.Argument))
	}
	if total > limit*float64(min(m.device.units, m.host.units, 256)) {
		return fmt.Errorf("the work takes %.3g seconds on one unit, which is too long for a clock of picoseconds", total/1e12)
	}
	return nil
}

// atMost is the time of a task in picoseconds, roughly.
func (s *side) atMost(b units.Bandwidth, c offload.Cost) float64 {
	cycles := float64(c.Ops) / float64(s.rate)
	return cycles*float64(s.clock.Num())/float64(s.clock.Den())*1e12 + passes(b, float64(c.Read))
}

// passes is how long bytes take, in picoseconds.
func passes(b units.Bandwidth, bytes float64) float64 {
	if b == 0 {
		return 0
	}
	return bytes * 8e12 / float64(b)
}
