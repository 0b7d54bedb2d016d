package cache

import (
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
)

// followUnder is follow with an inclusive or exclusive cache below: it has each line for
// itself, and is asked for what is missed before it gets what had to go.
func (c *Functional) followUnder(i uint32, t *tagstore.Touch, res *tagstore.Result) error {
	r := c.requests.At(i)
	if r.write && res.Bypassed {
		from, to := c.span(r, t.Line)
		if err := c.gather(i, written, from, to); err != nil {
			return err
		}
		if err := c.sink(i, written); err != nil {
			return err
		}
	} else if err := c.exchange(i, fetched, t.Line, res); err != nil {
		return err
	}
	n := c.due(t, res)
	if n == 0 {
		return nil
	}
	for d := range n {
		p, ok := c.next(r, t, d)
		if !ok {
			continue
		}
		res := c.core.Prefetch(p)
		if err := c.exchange(i, foreseen, p.Line, &res); err != nil {
			return err
		}
	}
	c.took(n)
	return nil
}

// exchange fetches a line, and sends the one below that had to go for it.
func (c *Functional) exchange(i uint32, kind int, line uint64, res *tagstore.Result) error {
	if err := c.sectors(i, kind, line, res.Fetch); err != nil {
		return err
	}
	if err := c.sink(i, kind); err != nil {
		return err
	}
	if kind == foreseen { // an access has done that
		c.recall(res.Victim, res.Sharers)
	}
	switch {
	case res.Stale != 0:
		c.victim = memory.DirtyVictim
	case res.Evicted && c.incl.belowExclusive:
		c.victim = memory.CleanVictim
	default:
		return nil
	}
	if err := c.sectors(i, displaced, res.Victim, c.core.Whole()); err != nil {
		return err
	}
	return c.sink(i, displaced)
}

// writeBack writes a line below that is no longer here.
func (c *Functional) writeBack(line uint64, why memory.Victim) {
	c.below.push(order{addr: line << c.shift, bytes: 1 << c.shift, tag: noRequester, write: true, hint: memory.Hint{Victim: why}})
}
