package ranks

import (
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/player/ranks/collectives"
	"github.com/causeway-sim/causeway/workloads/player/ranks/depend"
)

// prepare makes the state of the ranks.
func (c *Comp) prepare() error {
	c.joint = collectives.New(c.program, c.spec.Collectives.Schedule)
	for i := range c.ranks {
		r := &c.ranks[i]
		r.program = &c.program.Ranks[i]
		r.depend = depend.New(r.program)
		r.nic = newNIC(c.spec.NIC, c.Clock())
		c.count.ops += uint64(r.program.Len())
		for op := range r.program.Len() {
			o := r.program.Op(op)
			if err := c.check(i, op, o); err != nil {
				return err
			}
			for o.Kind == comm.Compute && len(r.units) <= int(o.Unit) {
				r.units = append(r.units, unit{})
			}
		}
	}
	return c.strains()
}

// check returns an error for an operation that cannot be executed.
func (c *Comp) check(rank, op int, o *comm.Op) error {
	switch o.Kind {
	case comm.Collective:
		a, _ := c.spec.Collectives.Of(o.Coll)
		if a.Name == "" {
			return c.fail("rank %d has %s: no algorithm is named for it", rank, o)
		}
		if n := a.Scratch(); n > 0 && len(c.spec.Scratch) == 0 {
			return c.fail("rank %d has %s, whose algorithm has scratch %v: no effect where nothing says what memory costs (want scratch: a list of bytes and time, of a node of kind ranks)", rank, o, n)
		}
		if collectives.Rooted(o.Coll) && !c.joint.Has(o.Group, o.Peer) {
			return c.fail("rank %d has %s: its root, rank %d, is not in the group", rank, o, o.Peer)
		}
	case comm.Compute:
		if c.chairs != nil && c.without != "" {
			return c.fail("rank %d has %s, and %s carries out no computations", rank, o, c.without)
		}
		if c.chairs == nil && o.Time == 0 && o.Work > 0 && c.spec.Compute == 0 {
			label := c.program.Ranks[rank].Label(op)
			return c.fail("rank %d: %s has %g operations and no time (want compute: a rate, for example 90TFLOP/s)", rank, label, o.Work)
		}
	}
	return nil
}

// schedules makes all schedules of the program, so that errors of an algorithm are found before
// the run.
func (c *Comp) schedules() error {
	messages := false // some collective has messages of ranks
	for i := range c.ranks {
		p := c.ranks[i].program
		for op := range p.Len() {
			o := p.Op(op)
			if o.Kind != comm.Collective {
				continue
			}
			if c.joint.Empty(o) {
				messages = true // those of one rank may be of several elsewhere
				continue
			}
			if err := c.joint.Plan(o); err != nil {
				return c.fail("rank %d, %s: %v", i, p.Label(op), err)
			}
			messages = messages || !c.joint.Combines(o)
		}
	}
	if c.spec.NIC.Interfaces > 0 && !messages {
		return c.fail("nic.interfaces has no effect: no collective of the program sends messages of its ranks")
	}
	return nil
}
