package tiering

// A period is the time between two decisions of the policy.
type period struct {
	c      *Comp
	length uint64 // cycles
	begin  uint64 // of what is measured
	end    uint64 // first cycle after it
	area   []uint64
	reads  []uint64
	bytes  []uint64
	credit float64 // pages that may be moved
	share  float64 // pages per cycle
}

func newPeriod(c *Comp) period {
	n := len(c.below)
	p := period{c: c, length: c.spec.Interval.In(c.clock), area: make([]uint64, n), reads: make([]uint64, n), bytes: make([]uint64, n)}
	p.end = p.length
	p.share = float64(c.spec.Migration.Bandwidth) / 8 * c.clock.Nanoseconds(1) * 1e-9 / float64(c.spec.Page)
	c.view.Interval = 1
	return p
}

// pass calls the policy at the end of an interval. An interval without requests may be longer.
func (p *period) pass(cycle uint64) {
	if cycle < p.end {
		return
	}
	c, v := p.c, &p.c.view
	v.Cycles = cycle - p.begin
	c.refresh()
	for i := range c.load {
		l, t := &c.load[i], &v.Tiers[i]
		l.upTo(cycle)
		moved := l.readBytes + l.writeBytes
		t.Occupancy = float64(l.area-p.area[i]) / float64(v.Cycles)
		t.Reads, t.Bytes = l.reads-p.reads[i], moved-p.bytes[i]
		p.area[i], p.reads[i], p.bytes[i] = l.area, l.reads, moved
	}
	// What is not used is kept for two intervals, and for an exchange at least.
	full := p.share * float64(p.length)
	p.credit = min(p.credit+p.share*float64(v.Cycles), max(2*full, full+2))
	v.Budget = p.credit
	p.credit -= c.moving.plan(cycle)
	v.Interval++
	p.begin, p.end = cycle, (cycle/p.length+1)*p.length
}

// refresh brings the view's frames up to date.
func (c *Comp) refresh() {
	for i := range c.view.Tiers {
		f := &c.table.tiers[i]
		c.view.Tiers[i].Frames, c.view.Tiers[i].Used = f.limit, f.used
	}
}
