package dram

import "math"

// unite merges gangs whose controllers are in equal state, before a request that arrives at a
// clock. It compares them after a pause in which no command delays another any more.
func (c *Comp) unite(at int64) {
	before := c.came
	c.came = at
	if len(c.gangs)*c.side <= len(c.accounts) {
		return
	}
	now := at
	if c.direct != nil { // the request may arrive later than what is counted until now
		now = min(at, int64(c.direct.Now()))
	}
	now--
	if before+c.gangs[0].timing.Longest() > now {
		return
	}
	for _, g := range c.gangs {
		if g.next <= now {
			g.serve(now)
		}
		if !g.Idle() {
			return
		}
	}
	out := c.gangs[:0]
	for _, g := range c.gangs {
		g.Run(now)
		out = append(out, g)
		for n := len(out); n > 1 && c.join(out[n-2], out[n-1], now); n = len(out) {
			out = out[:n-1]
		}
	}
	c.gangs = out
}

// join makes one gang of two idle ones that did everything up to a clock, if they are halves
// and alike.
func (c *Comp) join(a, b *gang, now int64) bool {
	if a.n != b.n || a.n == c.side || a.first&(2*a.n-1) != 0 || b.first != a.first+a.n ||
		!a.rests(now) || !b.rests(now) || !a.alike(b.Controller) {
		return false
	}
	for _, g := range [2]*gang{a, b} {
		g.Finish(now)
		g.tail(now)
		g.settle()
	}
	for i := range b.n {
		c.gangOf[b.first+i] = a
	}
	a.size(2 * a.n)
	a.next, a.horizon = Never, Never
	c.spare = append(c.spare, b)
	return true
}

// rests reports whether an idle controller that did everything up to a clock has nothing to
// do but refreshes that are not due, and may issue any command after that clock. Refreshes
// and the turn of writes are then the same in all.
func (c *Controller) rests(now int64) bool {
	return c.refreshing == 0 && c.closing == 0 && c.acted+c.timing.Longest() <= now
}

// alike reports whether two controllers that rest do the same with the same bursts, which
// is a question of their rows.
func (c *Controller) alike(o *Controller) bool {
	if c.opened != o.opened {
		return false
	}
	for m := c.opened; m != 0; m &= m - 1 {
		a, b := &c.banks[lowest(m)], &o.banks[lowest(m)]
		if a.row != b.row || a.accesses != b.accesses && c.cap < math.MaxInt32 {
			return false
		}
	}
	return true
}

// rest lets channels without requests do what fell due before the last request, so that what
// is counted depends on the time alone.
func (c *Comp) rest() {
	for _, g := range c.gangs {
		if g.Idle() {
			g.Run(c.count.came - 1)
		}
	}
}
