package channel

import (
	"errors"
	"fmt"
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// folded is the state of a network in which channels stand for equal ones.
type folded struct {
	*network.Fold
	last    []uint64 // by channel: one more than the tick at which the last packet was ready for it
	since   []uint64 // by channel: when that packet was sent to the router
	by      []int32  // by channel: Element of that packet's channel
	unequal *network.Unequal
}

// enter returns the channel that stands for l, which a packet is ready for at a tick. If another
// one is ready for it at the same tick, both have to keep their order at all equal channels. The one
// that was sent to the router first goes first there, too; those that were sent at the same
// tick have the order of their terminals.
func (f *folded) enter(n *Network, ready uint64, p, l int32) int32 {
	to := f.Channel[l]
	if to < 0 {
		f.fail("a message takes %s, which the search for equal ranks had not seen", n.nameOf(l))
		return l
	}
	since := n.packets[p].since
	if f.last[to] == ready+1 && f.since[to] == since && l < n.first && (!f.Ordered || f.by[to] != f.Element[l]) {
		f.fail("in cycle %d packets of equal ranks come to %s at the same instant, and which is first differs between equal channels", ready>>tickBits, n.nameOf(to))
	}
	f.last[to], f.since[to], f.by[to] = ready+1, since, f.Element[l]
	return to
}

func (f *folded) fail(format string, args ...any) {
	if f.unequal == nil {
		f.unequal = &network.Unequal{Why: fmt.Sprintf(format, args...)}
	}
}

// terminal is the terminal that stands for t.
func (n *Network) terminal(t int32) int32 {
	if n.folded == nil {
		return t
	}
	return n.folded.Terminal[t]
}

// use is the channel with the counters of l.
func (n *Network) use(l int32) *link {
	if n.folded != nil && n.folded.Channel[l] >= 0 {
		l = n.folded.Channel[l]
	}
	return &n.links[l]
}

// nameOf names a channel, for messages.
func (n *Network) nameOf(l int32) string {
	if l >= n.first {
		return fmt.Sprintf("the channel of terminal %d to its router", l-n.first)
	}
	r := 0
	for n.base[r+1] <= l {
		r++
	}
	if x := &n.links[l]; x.in {
		return fmt.Sprintf("the channel of router %d to terminal %d", r, x.to)
	}
	return fmt.Sprintf("the channel of router %d to router %d", r, n.links[l].to)
}

// A probe is a View that knows whether it was asked for something that changes.
type probe struct {
	*view
	at    int
	asked bool
}

func (p *probe) Router() int                   { return p.at }
func (p *probe) Queue(int) int                 { p.asked = true; return 0 }
func (p *probe) QueueClass(_, _ int) int       { p.asked = true; return 0 }
func (p *probe) Remote(_, _ int) int           { p.asked = true; return 0 }
func (p *probe) Flying(int) int                { p.asked = true; return 0 }
func (p *probe) Ready(_, _ int) bool           { p.asked = true; return true }
func (p *probe) Notice(_, _ int) bool          { p.asked = true; return false }
func (p *probe) Rate(int) int                  { p.asked = true; return 0 }
func (p *probe) Intn(int) int                  { p.asked = true; return 0 }
func (p *probe) Endless() bool                 { return p.view.Endless() }
func (p *probe) Latency(c topology.Class) int  { return p.view.Latency(c) }
func (p *probe) Capacity(c topology.Class) int { return p.view.Capacity(c) }

// Foldable implements network.Folder.
func (c *Comp) Foldable(mine func(sim.Port) bool) error {
	n := c.Network()
	switch {
	case n.lanes != nil:
		return errors.New("its buffers have an end (want buffer: 0)")
	case len(n.cfg.Outages) > 0:
		return errors.New("its channels fail during the run (want failed without at)")
	}
	return c.CanFold(mine)
}

// Numbered implements network.Folder.
func (c *Comp) Numbered() int { return len(c.Network().links) }

// Route implements network.Folder.
func (c *Comp) Route(src, dst int32, out []int32) ([]int32, error) {
	n := c.Network()
	p := probe{view: &n.view}
	k := routing.Packet{Src: src, Dst: dst}
	for l, hops := n.first+src, 0; ; hops++ {
		out = append(out, l)
		x := &n.links[l]
		if x.in {
			return out, nil
		}
		p.at, k.Hops = int(x.to), uint8(min(hops, math.MaxUint8))
		hop := n.cfg.Routing.Next(&p, &k)
		switch {
		case p.asked:
			return nil, errors.New("its routing looks at queues, or draws random numbers")
		case hop.Port < 0 || hops > len(n.links):
			return nil, fmt.Errorf("no way leads from terminal %d to %d", src, dst)
		}
		l = n.base[x.to] + int32(hop.Port)
	}
}

// Alike implements network.Folder.
func (c *Comp) Alike(a, b int32) bool {
	x, y := &c.Network().links[a], &c.Network().links[b]
	return x.latency == y.latency && x.perByte == y.perByte && x.in == y.in
}

// Fold implements network.Folder.
func (c *Comp) Fold(f *network.Fold) {
	n := c.Network()
	n.folded, n.times = &folded{Fold: f, last: make([]uint64, len(n.links)), since: make([]uint64, len(n.links)), by: make([]int32, len(n.links))}, uint64(f.Times)
	c.UseFold(f)
}

var _ network.Folder = (*Comp)(nil)
