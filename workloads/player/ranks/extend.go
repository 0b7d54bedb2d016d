package ranks

import (
	"fmt"

	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// Extend implements seat.Extender.
func (c *Comp) Extend(s seat.Seat, all []graph.Transfer, tag int64) (first int32, err error) {
	for i := range c.ranks {
		r := &c.ranks[i]
		if r.seat != s {
			continue
		}
		first = int32(r.program.Len())
		if r.grown == 0 {
			r.grown = first
			if first == 0 {
				r.grown = -1
			}
		}
		groups := len(c.program.Groups)
		for _, t := range all {
			o, err := c.program.Transfer(t, tag)
			if err != nil {
				return 0, err
			}
			if len(c.program.Groups) > groups {
				return 0, fmt.Errorf("ranks: %s: %s among ranks that are no group of the program", c.Name(), t.Func)
			}
			at := r.program.Extend(o)
			r.depend.Extend()
			c.joint.Extend(i, r.program.Op(at))
			if err := c.check(i, at, r.program.Op(at)); err != nil {
				return 0, err
			}
			if o.Kind == comm.Collective && !c.joint.Empty(&o) {
				if err := c.joint.Plan(&o); err != nil {
					return 0, c.fail("rank %d, %s: %v", i, &o, err)
				}
			}
		}
		return first, nil
	}
	return 0, fmt.Errorf("ranks: %s: %s is none of the ranks", c.Name(), s.Name())
}
