package fabric

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// Channels that fail during the run lose what they carry, in both directions, and what waits
// in the queue of the output before them. A packet that a failure cuts in two is lost as a
// whole, as in networks of cut-through switches: the router before the channel discards the
// flits that still come, one per cycle; the router after it ends the packet there with a
// tail (the "bad packet" end of InfiniBand), which takes what has passed on to the terminal,
// where it is discarded. So each piece gives back its buffers and virtual channels by itself.
// A head that has not left takes another way, see routing.Detour; what has none is discarded.
// The credits of a channel count at once when it fails: its ends begin anew with what the
// buffers really hold, as links do that are trained again.
//
// An outage is what a network knows of these channels.
type outage struct {
	n      *Network
	detour *routing.Detour
	spells []topology.Spell
	now    int     // spells that have begun
	down   []bool  // by port
	owner  []int32 // packet whose head was last at the front of an input lane
	sinks  []int32 // input lanes that discard the packet at their front
	fresh  []int32 // that have become sinks
	gone   []int32 // scratch: packets of which a channel has lost a part
}

// newOutage prepares the failures of a configuration; nil where there are none.
func newOutage(c *setting.Config) (*outage, error) {
	if len(c.Outages) == 0 {
		return nil, nil
	}
	if c.Queueing == setting.InputOutput {
		return nil, fmt.Errorf("fabric: routers of queueing input_output have no channels that fail during the run (want queueing input)")
	}
	o := &outage{spells: topology.Spells(c.Outages)}
	var err error
	if o.detour, err = routing.NewDetour(c.Topology, c.Routing, o.spells); err != nil {
		return nil, err
	}
	if vcs := c.VCs + o.detour.Turns()*c.NetworkCount(); vcs > setting.MaxVCs {
		return nil, &setting.KeyError{Key: "vcs", Text: fmt.Sprintf("is %d, and ways around channels that fail during the run need %d more (want %d at most together)", c.VCs, vcs-c.VCs, setting.MaxVCs)}
	}
	return o, nil
}

// Fails reports whether channels fail during the run.
func (n *Network) Fails() bool { return n.outage != nil }

// step does what is due before a cycle.
func (o *outage) step(p *part) {
	for o.now < len(o.spells) && o.spells[o.now].At <= uint64(p.now) {
		o.change(p)
	}
	o.discard(p)
}

// change begins the next spell.
func (o *outage) change(p *part) {
	o.detour.Begin(o.now)
	down := o.ends(o.spells[o.now].Down)
	o.now++
	for at, was := range o.down {
		if was && !slices.Contains(down, int32(at)) {
			o.repair(int32(at))
		}
	}
	down = slices.DeleteFunc(down, func(at int32) bool { return o.down[at] })
	for _, at := range down { // all are marked first: no detour may use one of them
		o.down[at] = true
		q := &o.n.ports[at]
		q.busy = 1<<o.n.v - 1
		q.used += o.full()
	}
	for _, at := range down {
		o.cut(p, at)
	}
	for _, at := range down {
		o.turn(p, int(at))
	}
}

// ends are the ports of channels, both of each, in rising order.
func (o *outage) ends(channels [][2]int) (out []int32) {
	n := o.n
	for _, c := range channels {
		at := int32(c[0]*n.p + c[1])
		out = append(out, at, n.ports[at].peer)
	}
	slices.Sort(out)
	return out
}

// full is what a router sees of a channel that is down: full buffers.
func (o *outage) full() int32 { return int32(o.n.v) * o.n.most }

func (o *outage) repair(at int32) {
	o.down[at] = false
	q := &o.n.ports[at]
	q.busy = 0
	q.used -= o.full()
}

// cut takes down the channel that leaves a port.
func (o *outage) cut(p *part, at int32) {
	n := o.n
	out := &n.ports[at]
	for c := &n.credits[at]; c.n > 0; {
		vc := p.firstCredit(c)
		n.refund(&n.lanes[int(at)*n.v+vc].used, &out.pool)
		out.used--
		n.sense.come(at, 1)
	}
	lost := p.pluck(out.peer)
	out.lastOut = min(out.lastOut, p.now<<setting.TickBits)
	for vc := range n.v {
		o.gone = o.gone[:0]
		for _, a := range lost {
			if int(a.lane) != int(out.peer)*n.v+vc {
				continue
			}
			n.refund(&n.lanes[int(at)*n.v+vc].used, &out.pool)
			out.used--
			n.sense.come(at, 1)
			p.lose(n.pool.at(a.flit >> flitShift))
			o.gone = append(o.gone, a.flit>>flitShift)
		}
		o.sever(p, int(at), vc)
	}
}

// sever parts the packets of a virtual channel of a port whose channel is down: those of
// which it has lost flits, that which holds it, and that which the other end waits for.
func (o *outage) sever(p *part, at, vc int) {
	before, after := o.sender(p, at, vc), o.end(p, at, vc)
	for _, id := range []int32{before, after} {
		if id != 0 {
			o.gone = append(o.gone, id)
		}
	}
	slices.Sort(o.gone)
	for _, id := range slices.Compact(o.gone) {
		x := o.n.pool.at(id)
		x.pieces = max(x.pieces, 1) - 1
		if id == before {
			x.pieces++
		}
		if id == after {
			x.pieces++
		}
		if x.pieces == 0 {
			p.lost(id)
		}
	}
}

// sender makes the input lane discard the rest of its packet whose head has left by a virtual
// channel, and returns that packet, 0 if there is none. A head that has not left gives
// the virtual channel back.
func (o *outage) sender(p *part, at, vc int) (id int32) {
	n := o.n
	r := at / n.p
	for i := range n.pv {
		l := &n.lanes[r*n.pv+i]
		if l.state != switching || l.out() != at-r*n.p || int(l.outVC) != vc {
			continue
		}
		n.forgo(l, at)
		m, b := &n.masks[r*n.words+i>>6], uint64(1)<<(i&63)
		if l.count > 0 && l.front&headFlit != 0 {
			l.state = toAlloc
			m.ready &^= b
			m.alloc |= b
			p.wake(r)
			return 0
		}
		o.sink(r, i, l)
		return o.owner[r*n.pv+i]
	}
	return 0
}

// end ends the packet that an input lane at the other end of a channel waits for, and returns
// it, 0 if there is none.
func (o *outage) end(p *part, at, vc int) (id int32) {
	n := o.n
	out := &n.ports[at]
	lane := int(out.peer)*n.v + vc
	l := &n.lanes[lane]
	if l.count > 0 {
		last := &l.front
		if l.count > 1 {
			last = &n.ring[lane<<n.shift+int((l.head+l.count-2)&n.mask)]
		}
		if *last&tailFlit != 0 {
			return 0
		}
		*last |= tailFlit
		return *last >> flitShift
	}
	if l.state == idle {
		return 0
	}
	id = o.owner[lane]
	l.front, l.count = id<<flitShift|tailFlit, 1
	p.add(n.pool.at(id))
	n.charge(&n.lanes[at*n.v+vc].used, &out.pool)
	out.used++
	if l.state == switching {
		r := int(n.where[lane].router)
		i := lane - r*n.pv
		n.masks[r*n.words+i>>6].ready |= 1 << (i & 63)
		p.wake(r)
	}
	return id
}

// turn asks for other ways of the heads that wait for a port.
func (o *outage) turn(p *part, at int) {
	n := o.n
	r := at / n.p
	for i := range n.pv {
		if l := &n.lanes[r*n.pv+i]; l.state == toAlloc {
			o.settle(p, r, i, l)
		}
	}
}

// owns notes the packet at the front of an input lane.
func (o *outage) owns(at int, l *lane) { o.owner[at] = l.front >> flitShift }

// settle asks for another way of a head that waits for an output, if the channel there is
// down or there was none, and discards its packet if there is none still.
func (o *outage) settle(p *part, r, i int, l *lane) {
	if o.leads(r, l.out()) {
		return
	}
	x := o.n.pool.at(l.front >> flitShift)
	x.Again = true
	l.way = p.routeAt(r, r, x)
	if !o.leads(r, l.out()) {
		x.pieces = max(x.pieces, 1)
		o.sink(r, i, l)
	}
}

// leads reports whether a way leads to a channel that is up, or to a terminal.
func (o *outage) leads(r, port int) bool { return port < o.n.p && !o.down[r*o.n.p+port] }
