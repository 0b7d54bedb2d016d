package memory

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
)

// A Path is the nominal latency and bandwidth between a requester and a target. Analytic
// fidelities use it; event-driven ones do not.
type Path struct {
	Clock     clock.Clock     // of the target
	Request   uint64          // cycles of the target's clock on the way of a request, >= 1
	Response  uint64          // cycles of the requester's clock on the way of a response, >= 1
	Latency   uint64          // unloaded latency inside the target, in its cycles
	Bandwidth units.Bandwidth // of the target, reads and writes together, or of the narrowest link on the way; 0 is unlimited
	Link      units.Bandwidth // of the requester's own link; 0 is unlimited
	EachWay   bool            // Bandwidth is a link's, in each direction
}

// A Range maps addresses to the ports of their homes. Several ports are interleaved every
// Interleave bytes, from Base on.
type Range struct {
	Tier       string // name in the configuration, may be ""
	Base, Size uint64
	Interleave uint64 // bytes; 0 with one port
	Ports      []sim.Port
	Paths      []Path // one per port
	// Placed: the placement section places tensors here. Plans use the paths of these ranges.
	Placed bool
}

// A Map is the address map of one requester port. The zero value is empty.
type Map struct{ ranges []Range }

// NewMap returns the map of ranges, which it sorts and keeps. Ranges that overlap, are empty, or
// have several ports without an interleave are an error.
func NewMap(rs ...Range) (*Map, error) {
	slices.SortFunc(rs, func(a, b Range) int {
		if a.Base != b.Base {
			if a.Base < b.Base {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Tier, b.Tier)
	})
	for i, r := range rs {
		switch {
		case r.Size == 0 || r.Base+r.Size < r.Base && r.Base+r.Size != 0:
			return nil, fmt.Errorf("range %q at %#x has size %d", r.Tier, r.Base, r.Size)
		case len(r.Ports) == 0 || len(r.Paths) != len(r.Ports):
			return nil, fmt.Errorf("range %q has %d ports and %d paths", r.Tier, len(r.Ports), len(r.Paths))
		case len(r.Ports) > 1 && r.Interleave == 0:
			return nil, fmt.Errorf("range %q has %d ports and no interleave", r.Tier, len(r.Ports))
		case i > 0 && rs[i-1].Base+(rs[i-1].Size-1) >= r.Base:
			return nil, fmt.Errorf("ranges %q and %q overlap at %#x", rs[i-1].Tier, r.Tier, r.Base)
		}
	}
	return &Map{rs}, nil
}

// Ranges lists the ranges by base.
func (m *Map) Ranges() []Range { return m.ranges }

// Ports returns the ports of all homes, each once.
func (m *Map) Ports() (out []sim.Port) {
	for i := range m.ranges {
		for _, p := range m.ranges[i].Ports {
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// Find returns the home of addr: its range, the index of the port in it, and the bytes from addr
// on with the same home. ok is false if addr has no home.
func (m *Map) Find(addr uint64) (r *Range, port int, run uint64, ok bool) {
	// the last range that begins at addr or before
	i, n := -1, len(m.ranges)
	for n-i > 1 {
		if k := (i + n) / 2; m.ranges[k].Base <= addr {
			i = k
		} else {
			n = k
		}
	}
	if i < 0 || addr-m.ranges[i].Base >= m.ranges[i].Size {
		return nil, 0, 0, false
	}
	r = &m.ranges[i]
	off := addr - r.Base
	run = r.Size - off
	if len(r.Ports) > 1 {
		port = int(off / r.Interleave % uint64(len(r.Ports)))
		run = min(run, r.Interleave-off%r.Interleave)
	}
	return r, port, run, true
}
