package serve

import (
	"fmt"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// handed maps numbers of operators in the state to the batches or transfers for which they were
// issued.
type handed struct {
	first map[source]int // model of the state that the first part of a source is
	of    []purpose      // by model
}

// A source is a sequence of batches or transfers, each of which reuses the numbers of the one
// before it. Batches of a lane have slots 0 and 1, its transfers have slot sending.
type source struct{ lane, slot int }

const sending = 2

// A purpose is a step of a lane, or a transfer.
type purpose struct {
	lane       int
	kvTransfer *kvTransfer // nil: the step
}

// hand passes parts to the executors, and returns the number of executors with work.
func (c *Comp) hand(now units.Time, parts []work.Part, from source, x *kvTransfer) (pending int, err error) {
	h := &c.handed
	first, known := h.first[from]
	if !known {
		if h.first == nil {
			h.first = map[source]int{}
		}
		first = len(h.of)
		h.first[from] = first
		h.of = append(h.of, make([]purpose, len(parts))...)
	}
	for k := range parts {
		p := &parts[k]
		n := 0
		for i := range p.On {
			for _, x := range p.On[i].Members() {
				c.Dispatcher.Send(slices.Index(c.Executors(), x.Executor), &work.Prepare{Share: p.Shares[n]})
				n++
			}
		}
		if err := c.state.Set(first+k, c.Dispatcher.Model(&p.Workload, false)); err != nil {
			return 0, err
		}
		c.Dispatcher.Set(c.state, first+k, &p.Workload)
		h.of[first+k] = purpose{from.lane, x}
		if !c.state.Arrive(now, first+k).Finished() {
			pending++
		}
	}
	return pending, nil
}

// receive handles the reports of executors, and ends the steps and transfers that they complete.
func (c *Comp) receive(time sim.VTimeInSec, now units.Time) error {
	for msg := c.Dispatcher.Port().Retrieve(time); msg != nil; msg = c.Dispatcher.Port().Retrieve(time) {
		m, ok := msg.(*work.Done)
		if !ok {
			return fmt.Errorf("%s got a %T", c.Name(), msg)
		}
		ref, begin, end, all := c.Dispatcher.Done(c.state.Request(m.Request).Model, m)
		if !all {
			continue
		}
		if c.follow != nil && c.follow.on {
			c.follow.Done(now, c.state.On(ref), ref, begin, end)
		}
		if err := c.carriedOut(time, now, ref, begin, end); err != nil {
			return err
		}
	}
	return c.followers(time, now)
}

// carriedOut notes that an operator has ended, and ends the step or transfer that it completes.
func (c *Comp) carriedOut(time sim.VTimeInSec, now units.Time, ref schedule.Ref, begin, end units.Time) error {
	over, err := c.state.Done(now, ref, begin, end)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Name(), err)
	}
	c.counts.operators++
	if len(over) > 0 {
		c.ended(time, over[0])
	}
	return nil
}

// ended ends a part of a step or transfer, and with the last one all of it.
func (c *Comp) ended(time sim.VTimeInSec, r *schedule.Request) {
	p := c.handed.of[r.Model]
	if p.kvTransfer != nil {
		c.arrived(p.kvTransfer, r.End)
		return
	}
	l := &c.lanes[p.lane]
	s := &l.steps[0]
	s.until = max(s.until, r.End)
	if s.pending--; s.pending == 0 {
		c.complete(l, time)
		l.ended = true
	}
}
