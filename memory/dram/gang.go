package dram

import (
	"slices"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/random"
)

// A gang is channels that do the same in every clock, because all bursts so far came to all of
// them in the same clocks, for the same bank, row and column: a map with the channel in its
// lowest bits spreads a whole line of a cache, or a long burst of a DMA engine, like that. One
// controller simulates all of them. A request that brings a burst to some only divides the gang
// into halves; each goes on from where the gang was, until both have come to the same state again
// (unite). A gang has a power of two of channels, the first of which is a multiple of that.
type gang struct {
	*Controller
	comp  *Comp
	first int // channel
	n     int // channels

	next, horizon int64 // of the controller, or clocks before these
}

// An account is what happened in a channel, but for what its gang has counted since it was
// last settled.
type account struct {
	Counters
	met [][mets]uint64 // by bank
}

// form makes the gangs of a device, side channels in each.
func (c *Comp) form(side int) error {
	c.gangOf, c.side = make([]*gang, len(c.accounts)), side
	draws := random.New(c.spec.Refresh.Seed, c.Name(), len(c.accounts))
	for first := 0; first < len(c.accounts); first += side {
		g := &gang{comp: c, first: first, next: Never, horizon: Never}
		var err error
		cfg := c.cfg
		cfg.Random = &draws[first]
		if g.Controller, err = New(cfg, g); err != nil {
			return err
		}
		g.spans = &c.spans
		g.size(side)
		c.gangs = append(c.gangs, g)
		if c.log != nil {
			g.Trace = c.log.Channel()
		}
		for i := range side {
			c.accounts[first+i].met = make([][mets]uint64, len(g.banks))
			c.gangOf[first+i] = g
		}
	}
	return nil
}

// meets is the gang of a channel for whose channels a request that ends with the burst last
// has one burst each from b on, which is for that channel. Gangs for which it has not are
// divided.
func (c *Comp) meets(b, last uint64, channel uint32) *gang {
	g := c.gangOf[channel]
	for b&uint64(g.n-1) != 0 || last-b < uint64(g.n-1) {
		c.divide(g)
		g = c.gangOf[channel]
	}
	return g
}

// divide makes two gangs of one.
func (c *Comp) divide(g *gang) {
	g.settle()
	g.size(g.n / 2)
	o := c.take()
	o.first, o.next, o.horizon = g.first+g.n, g.next, g.horizon
	g.copy(o.Controller, o)
	o.size(g.n)
	for i := range o.n {
		c.gangOf[o.first+i] = o
	}
	c.gangs = slices.Insert(c.gangs, slices.Index(c.gangs, g)+1, o)
}

// take returns an unused gang.
func (c *Comp) take() *gang {
	if n := len(c.spare); n > 0 {
		g := c.spare[n-1]
		c.spare = c.spare[:n-1]
		return g
	}
	return &gang{Controller: &Controller{}, comp: c}
}

// serve simulates up to a clock. The horizon is the clock by which the device must call it again.
func (g *gang) serve(until int64) {
	g.next = g.Serve(until)
	g.horizon = max(g.horizon, g.horizonAt(g.next))
}

// expect notes that a burst arrives at a clock: it is accepted then, and answered no sooner
// than a column command of that clock would be.
func (g *gang) expect(at int64) {
	g.next, g.horizon = min(g.next, at), min(g.horizon, g.horizonAt(at))
}

// size returns the channels of the gang.
func (g *gang) size(n int) { g.n, g.channels = n, uint32(n) }

// settle brings the accounts of all channels up to date.
func (c *Comp) settle() {
	for _, g := range c.gangs {
		g.settle()
	}
}

// settle adds what the gang has counted to the account of each of its channels.
func (g *gang) settle() {
	for i := range g.n {
		a := &g.comp.accounts[g.first+i]
		a.add(&g.Count)
		for b := range g.banks {
			for k, n := range g.banks[b].met {
				a.met[b][k] += n
			}
		}
	}
	g.Count = Counters{}
	for b := range g.banks {
		g.banks[b].met = [mets]uint64{}
	}
}

// add adds what another counted.
func (n *Counters) add(o *Counters) {
	n.Counts.Add(&o.Counts)
	for k := range o.Hits {
		n.Hits[k] += o.Hits[k]
		n.Misses[k] += o.Misses[k]
		n.Conflicts[k] += o.Conflicts[k]
	}
	for k := range o.Holds {
		n.Holds[k] += o.Holds[k]
	}
	for k := range o.Limits {
		n.Limits[k] += o.Limits[k]
	}
	n.Full += o.Full
	n.Preventive += o.Preventive
	n.Alerts += o.Alerts
	n.Delayed += o.Delayed
	for k := range o.Own {
		n.Own[k] += o.Own[k]
	}
	n.Forwarded += o.Forwarded
	n.Merged += o.Merged
}

// copy sets x to the state of c, with another sink. It reuses the memory of x.
func (c *Controller) copy(x *Controller, sink Sink) {
	if c.guard != nil || c.rest != nil || c.checks != nil {
		panic("dram: a channel whose rows are counted, whose ranks rest, or with ECC, shares a controller")
	}
	banks, entries, ranks, ring, windows := x.banks, x.entries, x.ranks, x.front.ring, x.timing.Windows()
	*x = *c
	x.sink = sink
	x.banks = append(banks[:0], c.banks...)
	x.entries = append(entries[:0], c.entries...)
	x.ranks = append(ranks[:0], c.ranks...)
	x.front.ring = append(ring[:0], c.front.ring...)
	x.timing.Own(windows)
}

// Accepted implements Sink.
func (g *gang) Accepted(tag uint32, at int64) {
	if tag&posted != 0 {
		g.comp.finish(tag&^posted, at, g.n)
		return
	}
	// the first burst has the time of the request
	r := g.comp.requests.At(tag)
	if h := r.hint; h != nil && g.comp.link != nil {
		if h.AcceptedIn == 0 {
			h.AcceptedIn = uint64(at) + 1
		}
	} else if h != nil && h.Accepted == 0 {
		h.Accepted = instant.Of(g.comp.clock, uint64(at))
	}
}

// Done implements Sink.
func (g *gang) Done(tag uint32, at int64) {
	if tag&posted == 0 {
		g.comp.finish(tag, at, g.n)
	}
}
