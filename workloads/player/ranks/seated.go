package ranks

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/player/ranks/placement"
)

// Seated makes a player whose ranks are other nodes (seats). The player has no ports. There may be
// more seats than ranks.
func Seated(name string, e sim.Engine, p *comm.Program, s Seating) (*Comp, error) {
	if len(s.Seats) < len(p.Ranks) {
		return nil, s.At.Errorf(nil, "there are %d ranks and %d nodes with a nic", len(p.Ranks), len(s.Seats))
	}
	spec := DefaultSpec()
	spec.Clock.Clock = s.Seats[0].Clock()
	if s.Placement != "" {
		spec.Placement = s.Placement
	}
	if s.Collectives != nil {
		spec.Collectives = *s.Collectives
	}
	c, err := New(name, e, spec, nil)
	if err != nil {
		return nil, err
	}
	c.chairs, c.workload, c.random = s.Seats, s.Workload, s.Random
	if s.At.Exists() {
		c.fail = func(format string, args ...any) error { return s.At.Errorf(nil, format, args...) }
	}
	for _, n := range s.Seats {
		if n.Clock() != c.Clock() {
			return nil, c.fail("%s and %s have different clocks, but play one program", s.Seats[0].Name(), n.Name())
		}
		p, _ := n.Interface()
		c.attach(p)
		if _, ok := n.(work.Direct); !ok {
			c.without = n.Name()
		}
		at := placement.Port{Terminal: -1}
		if peers := n.Peers(); len(peers) > 0 {
			at = placement.Of(peers)
		}
		c.place(len(c.places), at)
	}
	c.attached()
	if err := c.Play(p); err != nil {
		return nil, err
	}
	if c.port == nil { // a seat is not linked
		return c, c.settle()
	}
	return c, nil
}
