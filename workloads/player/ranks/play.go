package ranks

import (
	"math"
	"math/bits"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// A ProgramError is a program that cannot be carried out.
type ProgramError struct{ Msg string }

func (e *ProgramError) Error() string { return e.Msg }

// BadInput marks the error as one of the input.
func (e *ProgramError) BadInput() {}

// prepare makes the state of the ranks.
func (c *Comp) prepare() error {
	p := c.program
	c.members = make([]map[int32]int32, len(p.Groups))
	for g := 1; g < len(p.Groups); g++ {
		c.members[g] = map[int32]int32{}
		for i, r := range p.Groups[g] {
			c.members[g][r] = int32(i)
		}
	}
	for i := range p.Ranks {
		r := &c.ranks[i]
		r.program = &p.Ranks[i]
		n := r.program.Len()
		r.left = n
		c.count.ops += uint64(n)
		r.missing = make([]int32, n)
		r.first = make([]uint32, n+1)
		r.begun = make([]uint64, (n+63)/64)
		nth := map[int32]uint32{}
		for op := range n {
			deps := r.program.Deps(op)
			r.missing[op] = int32(len(deps))
			for _, d := range deps {
				r.first[d.Op()+1]++
			}
			o := r.program.Op(op)
			switch o.Kind {
			case comm.Collective:
				if r.turns == nil {
					r.turns = make([]uint32, n)
				}
				r.turns[op] = nth[o.Group]
				nth[o.Group]++
				if a, _ := c.spec.Collectives.Of(o.Coll); a.Name == "" {
					return c.fail("rank %d has %s: no algorithm is named for it", i, o)
				}
				if o.Coll == comm.Broadcast || o.Coll == comm.Reduce || o.Coll == comm.Gather || o.Coll == comm.Scatter {
					if _, in := c.members[o.Group][o.Peer]; o.Group != 0 && !in {
						return c.fail("rank %d has %s: its root, rank %d, is not in the group", i, o, o.Peer)
					}
				}
			case comm.Compute:
				if c.chairs == nil && o.Time == 0 && o.Work > 0 && c.spec.Compute == 0 {
					return c.fail("rank %d: %s has %g operations and no time (want compute: a rate, for example 90TFLOP/s)", i, r.program.Label(op), o.Work)
				}
				for len(r.units) <= int(o.Unit) {
					r.units = append(r.units, unit{})
				}
			}
		}
		for op := range n {
			r.first[op+1] += r.first[op]
		}
		r.waiters = make([]comm.Dep, r.first[n])
		fill := append([]uint32(nil), r.first[:n]...)
		for op := range n {
			for _, d := range r.program.Deps(op) {
				w := comm.After(op)
				if d.Start() {
					w = comm.With(op)
				}
				r.waiters[fill[d.Op()]] = w
				fill[d.Op()]++
			}
		}
		r.equip(c.spec.NIC, c.Clock())
	}
	return c.schedules()
}

// start starts an operation whose dependencies are fulfilled.
func (c *Comp) start(at token) {
	if at.inst != program {
		c.startPart(at)
		return
	}
	o := c.ranks[at.rank].program.Op(int(at.op))
	switch o.Kind {
	case comm.Join:
		c.started(at)
		c.complete(at)
	case comm.Load, comm.Store: // beside everything else
		c.started(at)
		n := c.duration(at.rank, o)
		if n == 0 {
			c.complete(at)
			return
		}
		c.timers.Add(c.now+n, timer{what: moved, at: at})
	case comm.Compute:
		u := &c.ranks[at.rank].units[o.Unit]
		if u.busy {
			u.queue.Push(at)
			return
		}
		c.compute(u, at, o)
	case comm.Send:
		c.started(at)
		m := c.pool.take()
		m.kind, m.From, m.To, m.Tag, m.Group, m.Bytes, m.at, m.since = eager, at.rank, o.Peer, o.Tag, o.Group, o.Bytes, at, c.now
		m.pair = c.pairFor(m.From, m.To)
		m.seq = c.pairs[m.pair].sent
		c.pairs[m.pair].sent++
		m.TrafficBytes = int(o.Bytes)
		if o.Sync || o.Bytes > uint64(c.ranks[at.rank].nic.Eager) {
			c.announce(m)
		}
		c.send(m)
	case comm.Recv:
		c.started(at)
		if m := c.match.post(key{at.rank, o.Peer, o.Tag, o.Group}, at); m != nil {
			c.meet(at, m)
		}
	case comm.Collective:
		c.started(at)
		if err := c.enter(at); err != nil && c.failure == nil {
			c.failure = err
		}
	}
}

// started notes that an operation of the program has started.
func (c *Comp) started(at token) {
	c.ranks[at.rank].begun[at.op>>6] |= 1 << (at.op & 63)
	c.release(at, true)
}

// complete ends an operation of the program.
func (c *Comp) complete(at token) {
	r := &c.ranks[at.rank]
	r.left--
	c.count.done.Add(1)
	r.finish = c.now
	if r.seat != nil {
		r.seat.Until(c.now)
	}
	c.count.last = max(c.count.last, c.now)
	c.release(at, false)
}

// release lets those go on that wait for the start or the end of an operation.
func (c *Comp) release(at token, start bool) {
	r := &c.ranks[at.rank]
	for _, w := range r.waiters[r.first[at.op]:r.first[at.op+1]] {
		if w.Start() != start {
			continue
		}
		i := w.Op()
		if r.missing[i]--; r.missing[i] == 0 {
			c.ready.Push(token{at.rank, int32(i), program})
		}
	}
}

// compute keeps a unit busy.
func (c *Comp) compute(u *unit, at token, o *comm.Op) {
	c.started(at)
	n := c.computing(at, o)
	if n == 0 {
		c.complete(at)
		return
	}
	u.busy, u.since = true, c.now
	c.timers.Add(c.now+n, timer{what: computed, at: at})
}

func (c *Comp) endCompute(at token) {
	r := &c.ranks[at.rank]
	u := &r.units[r.program.Op(int(at.op)).Unit]
	u.busy = false
	u.cycles += c.now - u.since
	c.complete(at)
	for !u.busy && u.queue.Len() > 0 {
		next := u.queue.Pop()
		c.compute(u, next, r.program.Op(int(next.op)))
	}
}

// computing is the cycles of a computation, which a seat knows by itself.
func (c *Comp) computing(at token, o *comm.Op) uint64 {
	r := &c.ranks[at.rank]
	if r.seat == nil {
		return c.duration(at.rank, o)
	}
	return r.seat.Compute(r.program.Label(int(at.op)), o, c.now)
}

// duration is the cycles of a computation: as recorded, else by the two roofs. What
// only moves data is as fast as the memory, and is not scaled.
func (c *Comp) duration(rank int32, o *comm.Op) uint64 {
	t := o.Time
	if t == 0 && o.Work == 0 {
		return c.passes(rank, 1, o.Bytes)
	}
	if t == 0 {
		seconds := o.Work / float64(c.spec.Compute)
		if c.spec.Memory > 0 && o.Bytes > 0 {
			seconds = max(seconds, float64(o.Bytes)*8/float64(c.spec.Memory))
		}
		t = units.Time(min(math.Ceil(seconds*float64(units.Second)), 1<<62))
	}
	if c.spec.Scale != 1 {
		t = units.Time(min(math.Round(float64(t)*c.spec.Scale), 1<<62))
	}
	return c.Clock().Cycles(uint64(t), uint64(units.Second))
}

// passes is the cycles of so many passes over bytes of a rank's own memory.
func (c *Comp) passes(rank int32, n, bytes uint64) uint64 {
	if s := c.ranks[rank].seat; s != nil {
		return s.Move(n * bytes)
	}
	if c.spec.Rounding == Down {
		whole, _ := c.memory(bytes)
		return n * whole
	}
	whole, rest := c.memory(n * bytes)
	if rest {
		whole++
	}
	return whole
}

// memory is the whole cycles that so many bytes of a rank's own memory take, and
// whether there is a rest.
func (c *Comp) memory(bytes uint64) (cycles uint64, rest bool) {
	if c.spec.Memory == 0 {
		return 0, false
	}
	k := c.Clock()
	hi, lo := bits.Mul64(bytes*8, k.Den())
	dh, dl := bits.Mul64(uint64(c.spec.Memory), k.Num())
	if dh != 0 || hi >= dl {
		t := float64(bytes) * 8 / float64(c.spec.Memory) * float64(k.Den()) / float64(k.Num())
		return uint64(t), t != math.Trunc(t)
	}
	q, r := bits.Div64(hi, lo, dl)
	return q, r > 0
}
