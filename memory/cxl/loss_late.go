package cxl

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/cxl/loss"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// A planned loss is of the links that one entry of lost names.
type planned struct {
	plan *loss.Plan
	hops []*transit.Hop
	at   units.Latency
}

// Warnings implements system.Warner: lines that were given up, whose requesters may not know.
func (r *Root) Warnings() []string {
	c, out := &r.count, r.face.Warnings()
	if c.expired == [2]uint64{} {
		return out
	}
	answer := "their requests failed"
	if r.spec.OnTimeout == "poison" {
		answer = "their requests were answered with poison, as any other"
	}
	return append(out, fmt.Sprintf("%s gave up %d lines of reads and %d of writes, which had no answer within %s (timeout); the first at %g ns. %d lines were lost with links, %d came late; %s.",
		r.Name(), c.expired[0], c.expired[1], r.spec.Timeout, float64(c.expiredAt)/1000, c.lost, c.late, answer))
}

// Warnings implements system.Warner: losses that came to nothing, since all lines had ended
// before. Before the run nothing is known of that.
func (f *face) Warnings() []string {
	late, next := 0, units.Latency{}
	for _, x := range f.losses {
		lines := &x.plan.Network.Lines
		if lines.Len() == 0 || !lines.Still() || !slices.ContainsFunc(x.hops, x.plan.Pending) {
			continue
		}
		if late == 0 || ps(x.at) < ps(next) {
			next = x.at
		}
		late++
	}
	if late == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d losses of %s (lost) have no effect: the next is at %s, and all lines had ended before.", late, len(f.losses), f.Name(), next)}
}
