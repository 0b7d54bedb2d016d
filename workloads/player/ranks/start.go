package ranks

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/player/ranks/match"
)

// start starts an operation whose dependencies are fulfilled.
func (c *Comp) start(at token) {
	if c.failed(at.rank) {
		return
	}
	if at.inst != program {
		c.startPart(at)
		return
	}
	o := c.ranks[at.rank].program.Op(int(at.op))
	if o.Kind == comm.Compute {
		u := &c.ranks[at.rank].units[o.Unit]
		if u.busy {
			u.queue.Push(at)
			return
		}
		c.compute(u, at, o)
		return
	}
	c.started(at)
	switch o.Kind {
	case comm.Join:
		c.complete(at)
	case comm.Load, comm.Store: // besides everything else
		n := c.moving(at.rank, o)
		if n == 0 {
			c.complete(at)
			return
		}
		c.sum(at.rank, 1)
		c.timers.Add(c.now+n, timer{what: moved, at: at})
	case comm.Send:
		c.startSend(at, o)
	case comm.Recv:
		if m, ok := c.match.Post(match.Key{To: at.rank, From: o.Peer, Tag: o.Tag, Group: o.Group}, at); ok {
			c.matchReceive(at, m)
		} else {
			c.gantt.post(at, c.now)
		}
	case comm.Collective:
		if n := c.beginning(at, o); n > 0 {
			c.sum(at.rank, 1)
			c.timers.Add(c.now+n, timer{what: entered, at: at})
			return
		}
		c.join(at)
	}
}

// beginning is the cycles that a rank needs before it takes part in a collective.
func (c *Comp) beginning(at token, o *comm.Op) uint64 {
	if c.joint.Empty(o) {
		return 0
	}
	ranks := len(c.program.Groups[o.Group])
	n := c.spec.Start.In(c.Clock(), o.Bytes) + c.spec.Collectives.Begin(c.Clock(), o.Coll, ranks, o.Bytes)
	if copies := c.spec.Collectives.Copies(o.Coll, ranks, o.Bytes); copies > 0 {
		n += uint64(copies) * c.copying(at.rank, o.Bytes)
	}
	if len(c.spec.Scratch) > 0 {
		bytes, err := c.joint.Scratch(o)
		if err != nil && c.failure == nil {
			c.failure = err
		}
		if bytes > 0 {
			n += c.spec.Scratch.In(c.Clock(), bytes)
		}
	}
	return n
}

// join lets a rank take part in a collective that it has begun.
func (c *Comp) join(at token) {
	if err := c.enter(at, c.ranks[at.rank].program.Op(int(at.op))); err != nil && c.failure == nil {
		c.failure = err
	}
}

// compute keeps a unit busy.
func (c *Comp) compute(u *unit, at token, o *comm.Op) {
	c.started(at)
	begin, end := c.carry(at, o)
	if end == c.now {
		c.complete(at)
		return
	}
	c.book(at.rank, 0)
	c.ranks[at.rank].book.units++
	u.busy, u.since = true, begin
	c.timers.Add(end, timer{what: computed, at: at})
}

func (c *Comp) endCompute(at token) {
	r := &c.ranks[at.rank]
	u := &r.units[r.program.Op(int(at.op)).Unit]
	c.book(at.rank, 0)
	r.book.units--
	u.busy = false
	u.cycles += c.now - u.since
	c.gantt.computed(at.rank, u.since, c.now)
	c.complete(at)
	for !u.busy && u.queue.Len() > 0 {
		next := u.queue.Pop()
		c.compute(u, next, r.program.Op(int(next.op)))
	}
}

// carry executes a computation: on the rank's executor, or for the time in the program.
func (c *Comp) carry(at token, o *comm.Op) (begin, end uint64) {
	r := &c.ranks[at.rank]
	if r.executor == nil {
		return c.now, c.now + r.slow(c.rates.duration(o))
	}
	c.recorded = work.Recorded{Workload: c.workload, Name: r.program.Label(int(at.op)), FLOPs: o.Work, Bytes: o.Bytes, Time: o.Time, Beside: o.Unit == comm.Host}
	c.issue = work.Issue{Recorded: &c.recorded}
	d := r.executor.Issue(&c.issue, c.now)
	return d.Begin, d.End
}

// moving is the cycles of a load or store: as recorded, else as fast as the memory.
func (c *Comp) moving(rank int32, o *comm.Op) uint64 {
	if o.Time == 0 && o.Work == 0 {
		return c.passes(rank, 1, o.Bytes)
	}
	return c.rates.duration(o)
}

// startSend sends a message of the program, or announces it if it is long.
func (c *Comp) startSend(at token, o *comm.Op) {
	m := c.pool.take()
	m.kind, m.From, m.To, m.Tag, m.Group, m.Bytes, m.at, m.since = eager, at.rank, o.Peer, o.Tag, o.Group, o.Bytes, at, c.now
	m.pair, m.seq = c.order.Send(m.From, m.To)
	m.TrafficBytes = int(o.Bytes)
	if r, ok := c.reporter(at.rank); ok {
		m.cause = r.TaskOf(at.op)
	}
	if n := &c.ranks[at.rank].nic; o.Sync || o.Bytes > uint64(n.Eager) {
		c.meets.open(m, uint64(n.Control))
		c.send(m)
		return
	}
	c.sendData(m)
}

// enter lets a rank take part in a collective.
func (c *Comp) enter(at token, o *comm.Op) error {
	if c.joint.Empty(o) {
		c.complete(at) // nothing to be sent
		return nil
	}
	in, m, err := c.joint.Enter(at.rank, at.op)
	if err != nil {
		return fmt.Errorf("ranks: %s: %w", c.Name(), err)
	}
	c.count.collectives += (c.joint.Begun() - c.begun) * c.equal.groups(in)
	c.begun = c.joint.Begun()
	c.enters(in.Number, in.Missing())
	c.tasks.begin(c.time, in, m)
	if r, ok := c.reporter(at.rank); ok {
		r.Because(at.op, c.tasks.member(in, m))
	}
	if in.Through(m) {
		c.leave(in, m)
		return nil
	}
	for _, i := range in.First(m) {
		c.ready.Push(token{at.rank, i, in.Number})
	}
	return nil
}

// startPart starts an operation of a schedule.
func (c *Comp) startPart(at token) {
	in, m := c.part(at)
	o := in.Part(m, at.op)
	group := -1 - at.inst // apart from those of the program
	switch o.Kind {
	case collective.Send:
		if c.lines(at.rank, in) {
			c.line(at)
		} else {
			c.startSendPart(at, in, m, -1)
		}
	case collective.Recv, collective.Reduce:
		k := match.Key{To: at.rank, From: c.joint.Rank(in.Op.Group, o.Peer), Tag: int64(o.Tag), Group: group}
		if x, ok := c.match.Post(k, at); ok {
			c.pool.give(x)
			c.received(at)
		} else {
			c.post(at)
		}
	case collective.Combine:
		c.startJoint(at, in, m, o)
	case collective.Copy:
		if c.move(at.rank, c.piece(at, true, true), timer{what: reduced, at: at}) {
			return
		}
		c.after(c.copying(at.rank, uint64(o.Bytes)), at)
	}
}
