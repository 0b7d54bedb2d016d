package ranks

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// A plan is the schedule of collectives that are alike.
type plan struct {
	schedule *collective.Schedule
	first    [][]int32 // of each member: operations that wait for nothing
	idle     []*instance
}

// planKey is what makes collectives alike.
type planKey struct {
	coll  comm.Coll
	n     int
	bytes uint64
	root  int
}

// An instance is a collective that goes on. Members join it one by one.
type instance struct {
	plan    *plan
	tracker *collective.Tracker
	number  int32
	group   int32
	turn    uint32
	op      comm.Op   // as the first member said it
	member  []int32   // the program's operation of each member; -1: not there yet
	left    []int32   // operations of each member that are not done
	open    int       // members that are not done
	tasks   []task.ID // of each member; nil: nobody listens
}

// A turn is which collective of a group is meant.
type turn struct {
	group int32
	nth   uint32
}

// member is the position of a rank in a group.
func (c *Comp) member(group, rank int32) int32 {
	if group == 0 {
		return rank
	}
	return c.members[group][rank]
}

// world is the rank at a position of a group.
func (c *Comp) world(group, member int32) int32 { return c.program.Groups[group][member] }

// enter lets a rank take part in a collective.
func (c *Comp) enter(at token) error {
	r := &c.ranks[at.rank]
	o := r.program.Op(int(at.op))
	n := len(c.program.Groups[o.Group])
	if c.idle(o) {
		c.complete(at) // nothing to be sent
		return nil
	}
	k := turn{o.Group, r.turns[at.op]}
	in, ok := c.going[k]
	if !ok {
		var err error
		if in, err = c.begin(k, o, n); err != nil {
			return fmt.Errorf("ranks: %s: rank %d, %s: %w", c.Name(), at.rank, r.program.Label(int(at.op)), err)
		}
	} else if in.op.Coll != o.Coll || in.op.Bytes != o.Bytes || in.op.Peer != o.Peer {
		return &ProgramError{fmt.Sprintf("ranks: %s: ranks disagree about collective %d of communicator %d: rank %d has %s, another has %s",
			c.Name(), k.nth, o.Group, at.rank, o, &in.op)}
	}
	m := c.member(o.Group, at.rank)
	in.member[m] = at.op
	if c.tasks.On() {
		c.beginTask(in, m)
	}
	if in.left[m] == 0 {
		c.leave(in, m)
		return nil
	}
	for _, i := range in.plan.first[m] {
		c.ready.Push(token{at.rank, i, in.number})
	}
	return nil
}

// idle reports whether nothing is sent for a collective.
func (c *Comp) idle(o *comm.Op) bool {
	return len(c.program.Groups[o.Group]) == 1 || o.Bytes == 0 && o.Coll != comm.Barrier
}

// planOf is the plan of a collective, made when it is first asked for.
func (c *Comp) planOf(o *comm.Op) (*plan, error) {
	root, n := 0, len(c.program.Groups[o.Group])
	switch o.Coll {
	case comm.Broadcast, comm.Reduce, comm.Gather, comm.Scatter:
		root = int(c.member(o.Group, o.Peer))
	}
	k := planKey{o.Coll, n, o.Bytes, root}
	p := c.plans[k]
	if p == nil {
		s, err := c.spec.Collectives.Schedule(k.coll, k.n, k.bytes, k.root)
		if err != nil {
			return nil, err
		}
		p = &plan{schedule: s, first: make([][]int32, n)}
		collective.NewTracker(s).Start(func(rank, op int32) { p.first[rank] = append(p.first[rank], op) })
		c.plans[k] = p
	}
	return p, nil
}

// schedules makes all plans of the program, so that what an algorithm cannot do is known
// before the run.
func (c *Comp) schedules() error {
	clear(c.plans)
	for i := range c.ranks {
		p := c.ranks[i].program
		for op := range p.Len() {
			o := p.Op(op)
			if o.Kind != comm.Collective || c.idle(o) {
				continue
			}
			if _, err := c.planOf(o); err != nil {
				return c.fail("rank %d, %s: %v", i, p.Label(op), err)
			}
		}
	}
	return nil
}

// begin makes an instance.
func (c *Comp) begin(k turn, o *comm.Op, n int) (*instance, error) {
	p, err := c.planOf(o)
	if err != nil {
		return nil, err
	}
	var in *instance
	if l := len(p.idle); l > 0 {
		in = p.idle[l-1]
		p.idle = p.idle[:l-1]
	} else {
		in = &instance{plan: p, tracker: collective.NewTracker(p.schedule), member: make([]int32, n), left: make([]int32, n), number: int32(len(c.instances))}
		c.instances = append(c.instances, in)
	}
	in.tracker.Start(func(int32, int32) {})
	in.group, in.turn, in.op, in.open = k.group, k.nth, *o, n
	for i := range in.member {
		in.member[i] = -1
		in.left[i] = int32(len(p.schedule.Ops[i]))
	}
	c.going[k] = in
	c.count.collectives++
	return in, nil
}

// leave ends a member's part.
func (c *Comp) leave(in *instance, m int32) {
	at := token{c.world(in.group, m), in.member[m], program}
	c.tasks.End(c.time, in.task(m))
	if in.open--; in.open == 0 {
		delete(c.going, turn{in.group, in.turn})
		in.plan.idle = append(in.plan.idle, in)
	}
	c.complete(at)
}

// startPart starts an operation of a schedule.
func (c *Comp) startPart(at token) {
	in := c.instances[at.inst]
	m := c.member(in.group, at.rank)
	o := &in.plan.schedule.Ops[m][at.op]
	switch o.Kind {
	case collective.Send:
		x := c.pool.take()
		x.kind, x.From, x.To, x.Tag, x.Group = part, at.rank, c.world(in.group, o.Peer), int64(o.Tag), -1-at.inst
		x.Bytes, x.TrafficBytes, x.at = uint64(o.Bytes), int(o.Bytes), at
		x.cause = in.task(m)
		c.send(x)
	case collective.Recv, collective.Reduce:
		k := key{at.rank, c.world(in.group, o.Peer), int64(o.Tag), -1 - at.inst}
		if x := c.match.post(k, at); x != nil {
			c.pool.give(x)
			c.received(at)
		}
	case collective.Copy:
		c.after(c.passes(at.rank, 2, uint64(o.Bytes)), at)
	}
}

// received goes on when the message of a receiving part is there.
func (c *Comp) received(at token) {
	in := c.instances[at.inst]
	o := &in.plan.schedule.Ops[c.member(in.group, at.rank)][at.op]
	if o.Kind == collective.Reduce {
		c.after(c.passes(at.rank, 3, uint64(o.Bytes)), at) // two operands and the sum
		return
	}
	c.donePart(at)
}

// after ends a part so many cycles from now.
func (c *Comp) after(cycles uint64, at token) {
	if cycles == 0 {
		c.donePart(at)
		return
	}
	c.timers.Add(c.now+cycles, timer{what: reduced, at: at})
}

// donePart ends an operation of a schedule.
func (c *Comp) donePart(at token) {
	in := c.instances[at.inst]
	m := c.member(in.group, at.rank)
	in.tracker.Done(m, at.op, c.partReady(at))
	if in.left[m]--; in.left[m] == 0 {
		c.leave(in, m)
	}
}

// partReady queues what may start now. It is made once, so that no call makes a
// closure.
func (c *Comp) partReady(at token) func(rank, op int32) {
	c.doing = at
	if c.partFunc == nil {
		c.partFunc = func(_, op int32) { c.ready.Push(token{c.doing.rank, op, c.doing.inst}) }
	}
	return c.partFunc
}
