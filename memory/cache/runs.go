package cache

import (
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/below"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
)

// runs is the first layer of Functional: accesses, and what they read and write below, gathered into runs
// of bytes side by side.
type runs struct {
	base
	ready  ring.Of[uint32] // requests to be answered
	runs   [4]run          // being gathered
	victim memory.Victim   // what is evicted, for an inclusive or exclusive cache below
}

// The runs that a request is cut into.
const (
	fetched    = iota // read from below
	written           // of the request itself, written below
	evicted           // dirty victims
	prefetched        // read from below before it is asked for
)

// A run is bytes side by side that go below together.
type run struct{ from, to uint64 }

// arrived notes that something that a request waits for is done.
func (c *runs) arrived(i uint32) {
	r := c.requests.At(i)
	if r.left--; r.left == 0 {
		c.ready.Push(i)
	}
}

// receive implements receiver.
func (c *runs) receive(call *below.Call, _ uint64) {
	if call.Note.Tag != below.NoRequester {
		c.arrived(call.Note.Tag)
	}
}

// askedBy implements receiver.
func (c *runs) askedBy(call *below.Call) *memory.Hint {
	if call.Note.Tag == below.NoRequester {
		return nil
	}
	return c.requests.At(call.Note.Tag).hint
}

// writeBack implements receiver.
func (c *runs) writeBack(line uint64, as memory.Victim) {
	c.below.Push(below.Order{Addr: c.layout.Start(line), Bytes: c.layout.Bytes(), Write: true, Hint: memory.Hint{Victim: as}, Purpose: below.Purpose{Tag: below.NoRequester}})
}

// carryOut does the accesses of a request that was accepted.
func (c *runs) carryOut(i uint32) error {
	r := c.requests.At(i)
	r.left = 1 // until all accesses are done
	for k := range c.lines(r) {
		if err := c.access(i, k); err != nil {
			return err
		}
	}
	return c.finish(i)
}

// finish sends what the accesses of a request want from below.
func (c *runs) finish(i uint32) error {
	for kind := range c.runs {
		if err := c.send(i, kind); err != nil {
			return err
		}
	}
	c.arrived(i)
	return nil
}

// access does the k-th access of a request.
func (c *runs) access(i uint32, k int) error {
	r := c.requests.At(i)
	t := c.touch(r, k)
	res := c.lookUpLine(r, &t, c.core.Slice(t.Line))
	return c.follow(i, &t, &res)
}

// follow gathers what an access of a request wants from below, and prefetches what it calls for.
func (c *runs) follow(i uint32, t *tagstore.Touch, res *tagstore.Result) error {
	var err error
	if c.incl.Below {
		err = c.exchangeAccess(i, t, res)
	} else {
		err = c.gatherAccess(i, t, res)
	}
	if err != nil {
		return err
	}
	r := c.requests.At(i)
	n := c.calls(r, t, res, 0, false)
	if n == 0 {
		return nil
	}
	for d := range n {
		p, ok := c.prefetched(r, t, d)
		if !ok {
			continue
		}
		res := c.core.Prefetch(p)
		c.gone(&res)
		if err := c.bring(i, p.Line, &res); err != nil {
			return err
		}
	}
	c.prefetcher.Took(n)
	return nil
}

// gatherAccess gathers what an access wants from below.
func (c *runs) gatherAccess(i uint32, t *tagstore.Touch, res *tagstore.Result) error {
	r := c.requests.At(i)
	if res.Stale != 0 {
		if err := c.sectors(i, evicted, res.Victim, res.Stale); err != nil {
			return err
		}
	}
	if r.write && (t.Clean || res.Bypassed) {
		from, to := c.span(r, t.Line)
		if err := c.gather(i, written, from, to); err != nil {
			return err
		}
	}
	if r.write && res.Bypassed { // nothing of it stays, so nothing has to be completed
		return nil
	}
	return c.sectors(i, fetched, t.Line, res.Fetch)
}

// exchangeAccess is gatherAccess with an inclusive or exclusive cache below: it has each line for
// itself, and is asked for what is missed before it gets what had to go.
func (c *runs) exchangeAccess(i uint32, t *tagstore.Touch, res *tagstore.Result) error {
	r := c.requests.At(i)
	if !r.write || !res.Bypassed {
		return c.exchange(i, fetched, t.Line, res)
	}
	from, to := c.span(r, t.Line)
	if err := c.gather(i, written, from, to); err != nil {
		return err
	}
	return c.send(i, written)
}

// bring gathers what a prefetch wants from below.
func (c *runs) bring(i uint32, line uint64, res *tagstore.Result) error {
	if c.incl.Below {
		return c.exchange(i, prefetched, line, res)
	}
	c.incl.Recall(res.Victim, res.Sharers)
	if res.Stale != 0 {
		if err := c.sectors(i, evicted, res.Victim, res.Stale); err != nil {
			return err
		}
	}
	return c.sectors(i, prefetched, line, res.Fetch)
}

// exchange fetches a line, and sends the one below that had to go for it.
func (c *runs) exchange(i uint32, kind int, line uint64, res *tagstore.Result) error {
	if err := c.sectors(i, kind, line, res.Fetch); err != nil {
		return err
	}
	if err := c.send(i, kind); err != nil {
		return err
	}
	if kind == prefetched { // an access has done that
		c.incl.Recall(res.Victim, res.Sharers)
	}
	as, needed := c.incl.WriteBack(res)
	if !needed {
		return nil
	}
	c.victim = as
	if err := c.sectors(i, evicted, res.Victim, c.core.Whole()); err != nil {
		return err
	}
	return c.send(i, evicted)
}

// sectors gathers those sectors of a line.
func (c *runs) sectors(i uint32, kind int, line uint64, mask uint8) error {
	for mask != 0 {
		var from, to uint64
		from, to, mask = c.layout.Run(line, mask)
		if err := c.gather(i, kind, from, to); err != nil {
			return err
		}
	}
	return nil
}

// gather adds bytes to a run, or begins one. What overlaps with another run goes
// below after it.
func (c *runs) gather(i uint32, kind int, from, to uint64) error {
	for other := range c.runs {
		if o := &c.runs[other]; other != kind && o.from < to && from < o.to {
			if err := c.send(i, other); err != nil {
				return err
			}
		}
	}
	r := &c.runs[kind]
	if r.to != r.from && (r.to != from || from&(uint64(c.spec.Burst)-1) == 0) {
		if err := c.send(i, kind); err != nil {
			return err
		}
	}
	if r.to == r.from {
		r.from = from
	}
	r.to = to
	return nil
}

// send sends a run below. The request waits for what it reads.
func (c *runs) send(i uint32, kind int) error {
	r := &c.runs[kind]
	if r.to == r.from {
		return nil
	}
	o := below.Order{Addr: r.from, Bytes: r.to - r.from, Write: kind == written || kind == evicted, Purpose: below.Purpose{Tag: below.NoRequester}}
	q := c.requests.At(i)
	if kind != evicted {
		o.Hint = q.hintBelow()
		o.Hint.Keeps = c.incl.Below && kind != written
	} else {
		o.Hint.Task = q.task
		if c.incl.Below {
			o.Hint.Victim = c.victim
		}
	}
	_, control := q.msg.(*memory.ControlReq)
	if kind == fetched || control {
		o.Tag = i
	}
	pieces := c.below.Push(o)
	if pieces == 0 {
		from := "a flush"
		if !c.flush.Own(q.msg) {
			from = c.from(q).Name()
		}
		return below.Homeless(c.Name(), r.from, from)
	}
	if o.Tag != below.NoRequester {
		q.left += int32(pieces)
	}
	c.carry(pieces)
	*r = run{}
	return nil
}

// control carries an operation out at once.
func (c *runs) control(m *memory.ControlReq, cycle uint64) error {
	i := c.acceptControl(m, cycle)
	first, last := m.Lines(c.layout.Shift)
	if c.bytes != nil && m.Op != memory.Clean {
		c.bytes.Lapse(c.core.Within(first, last)...)
	}
	c.victim = memory.DirtyVictim
	err := control(c.core, m.Op, first, last, func(line uint64, sectors uint8) error {
		return c.sectors(i, evicted, line, sectors)
	})
	if err == nil {
		err = c.send(i, evicted)
	}
	c.arrived(i)
	return err
}
