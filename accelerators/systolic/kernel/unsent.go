package kernel

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/systolic/burst"
	"github.com/causeway-sim/causeway/memory"
)

// A charge is a memory below the port of a core, and its part of the bandwidth.
type charge struct {
	port sim.Port
	part float64
}

// shares are the memories that routes lead to. Where the bandwidth of one is not known, all
// have equal parts.
func shares(r *burst.Routes) (out []charge) {
	all, known := 0.0, true
	for _, t := range r.Targets {
		all += float64(t.Path.Bandwidth)
		known = known && t.Path.Bandwidth > 0
	}
	for _, t := range r.Targets {
		c := charge{port: t.Port, part: 1 / float64(len(r.Targets))}
		if known {
			c.part = float64(t.Path.Bandwidth) / all
		}
		out = append(out, c)
	}
	return out
}

// traffic is an operator's traffic with the memory: a request for what it reads, one for what
// it writes.
func (r *row) traffic() (t memory.Traffic) {
	if r.read > 0 {
		t.Reads, t.ReadBytes = 1, r.read
	}
	if r.written > 0 {
		t.Writes, t.WriteBytes = 1, r.written
	}
	return t
}

// Unsent implements memory.UnsentReporter: memories share the traffic by their bandwidths.
func (k *Core) Unsent() (out []memory.Unsent) {
	left, parts := k.sent, 1.0
	for i, c := range k.charged {
		t := left
		if i < len(k.charged)-1 {
			f := min(1, c.part/parts)
			t = memory.Traffic{Reads: part(left.Reads, f), Writes: part(left.Writes, f), ReadBytes: part(left.ReadBytes, f), WriteBytes: part(left.WriteBytes, f)}
		}
		left, parts = left.Since(t), parts-c.part
		out = append(out, memory.Unsent{Port: c.port, Traffic: t})
	}
	return out
}

// part is a share of n, rounded down.
func part(n uint64, share float64) uint64 { return uint64(float64(n) * share) }
