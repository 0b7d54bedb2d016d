package ranks

import (
	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/workloads/player/ranks/collectives"
)

// part is the instance and member that an operation of a collective belongs to.
func (c *Comp) part(at token) (in *collectives.Instance, member int32) {
	in = c.joint.At(at.inst)
	return in, c.joint.Member(in.Op.Group, at.rank)
}

// received continues when the message of a receiving part has arrived.
func (c *Comp) received(at token) {
	c.book(at.rank, c.gathered(at.inst))
	in, m := c.part(at)
	o := in.Part(m, at.op)
	if o.Bytes > 0 && c.move(at.rank, c.piece(at, o.Kind == collective.Reduce, true), timer{what: reduced, at: at}) {
		return // a sum reads the rank's own operand; what came goes no way by memory
	}
	if o.Kind == collective.Reduce && len(c.spec.Sum) > 0 {
		c.after(c.spec.Sum.In(c.Clock(), uint64(o.Bytes)), at)
		return
	}
	if o.Kind == collective.Reduce {
		c.after(c.passes(at.rank, 3, uint64(o.Bytes)), at) // two operands and the sum
		return
	}
	c.donePart(at)
}

// after ends a part after a number of cycles.
func (c *Comp) after(cycles uint64, at token) {
	cycles = c.ranks[at.rank].slow(cycles)
	if cycles == 0 {
		c.donePart(at)
		return
	}
	c.sum(at.rank, 1)
	c.timers.Add(c.now+cycles, timer{what: summed, at: at})
}

// donePart ends an operation of a schedule.
func (c *Comp) donePart(at token) {
	in, m := c.part(at)
	if c.partFunc == nil { // once, so that no call makes a closure
		c.partFunc = func(_, op int32) { c.ready.Push(token{c.doing.rank, op, c.doing.inst}) }
	}
	c.doing = at
	if in.Done(m, at.op, c.partFunc) {
		c.leave(in, m)
	}
}

// leave ends a member's part of a collective.
func (c *Comp) leave(in *collectives.Instance, m int32) {
	at := token{c.joint.Rank(in.Op.Group, m), in.Entry(m), program}
	c.tasks.End(c.time, c.tasks.member(in, m))
	c.joint.Leave(in)
	c.complete(at)
}
