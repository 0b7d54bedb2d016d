package fabric

import (
	"math/bits"

	"github.com/causeway-sim/causeway/components/crew"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/routing/deadlock"
)

// A Follower is told of packets that are handed over by value.
type Follower interface {
	// Begin and End are called, while packets are followed, when a terminal takes a packet and
	// when its last flit has come.
	Begin(id, flits int32)
	End(id int32)
	// Delivered is called, while deliveries are observed, for each packet that has come.
	Delivered(terminal int, flits int32, cycle int64)
}

// driven is a network whose terminals are driven by value: without messages, links and
// events between the player and the network.
type driven struct {
	source   network.Source
	crew     crew.Crew
	run      func(part int) // simulates the window of a part
	from, to int64          // of the window
	offered  bool
	follower Follower
	followed bool // Begin and End are called
	observed bool // Delivered is called
}

// Drive makes s the source of all terminals and divides the network into parts, as far as the
// proof allows. It returns what network.ByValue asks for.
func (n *Network) Drive(s network.Source, f Follower, proof *deadlock.Proof) (ends []int, lookahead int64) {
	n.split(proof)
	d := &driven{source: s, follower: f}
	d.run = func(part int) { n.parts[part].run(d.from, d.to, d.offered) }
	n.driven = d
	for _, p := range n.parts {
		p.driven = n.driven
		ends = append(ends, p.endTerm)
	}
	return ends, n.lookahead
}

// Whole says why the network is one part.
func (n *Network) Whole() string { return n.whole }

// Divide implements network.Divided.
func (n *Network) Divide(cycles int64) { n.quantum = cycles }

// Late implements network.Divided.
func (n *Network) Late() (events uint64) {
	for _, p := range n.parts {
		events += p.late
	}
	return events
}

// Last implements network.ByValue.
func (n *Network) Last() (cycle int64) {
	for _, p := range n.parts {
		cycle = max(cycle, p.lastEvent)
	}
	return cycle
}

// Free implements network.ByValue.
func (n *Network) Free(terminal int) bool { return n.nics[terminal].box[1] == 0 }

// Offer implements network.ByValue.
func (n *Network) Offer(part, terminal, dst, flits int, due int64) (id int32) {
	p := n.parts[part]
	id, _ = p.make(terminal, dst, flits, due)
	q := &n.nics[terminal]
	if q.box[0] == 0 {
		q.box[0] = id
		i := terminal - p.term
		p.boxed[i>>6] |= 1 << (i & 63)
	} else {
		q.box[1] = id
	}
	return id
}

// take lets terminals with an empty queue take the packet that waits first.
func (p *part) take() {
	n := p.n
	for w := range p.boxed {
		for set := p.boxed[w]; set != 0; set &= set - 1 {
			t := p.term + w*64 + bits.TrailingZeros64(set)
			q := &n.nics[t]
			if q.first != 0 {
				continue
			}
			id := q.box[0]
			q.box[0], q.box[1] = q.box[1], 0
			if q.box[0] == 0 {
				p.boxed[w] &^= set & -set
			}
			q.first, q.last = id, id
			p.queued(t)
			x := n.pool.at(id)
			late := p.now - x.created
			if late != int64(int32(late)) {
				panic("fabric: a packet has waited for more than 2^31 cycles")
			}
			x.tag, x.created = int32(late), p.now
			x.sampled = p.sample()
			p.send(x)
			if p.value.Taken == 0 {
				p.value.First = uint64(p.now)
			}
			p.value.Taken++
			p.value.Flits += uint64(x.flits)
			if p.driven.followed {
				p.driven.follower.Begin(id, x.flits)
			}
		}
	}
}

// arrived hands a packet that has come to the source.
func (p *part) arrived(id int32, x *packet) {
	latency := uint64(p.now - x.created)
	v := &p.value
	v.Arrived++
	v.GotFlits += uint64(x.flits)
	v.Latency += latency
	v.Inside += uint64(p.now - x.injected)
	v.Longest = max(v.Longest, latency)
	v.Hops += uint64(x.Hops)
	v.Last = uint64(p.now)
	if p.driven.followed {
		p.driven.follower.End(id)
	}
	if p.driven.observed {
		p.delivered = append(p.delivered, delivery{x.Dst, x.flits, p.now})
	}
	y := &p.packet // field by field, see push
	y.ID, y.Src, y.Dst, y.Flits, y.Hops = id, x.Src, x.Dst, x.flits, int32(x.Hops)
	y.Due, y.Taken, y.Injected, y.Arrived = x.created-int64(x.tag), x.created, x.injected, p.now
	p.driven.source.Come(p.id, y)
}

// A delivery is a packet that has come to a terminal whole.
type delivery struct {
	terminal, flits int32
	cycle           int64
}

// Observe says whether the Follower is told of deliveries.
func (n *Network) Observe(on bool) { n.driven.observed = on }

// Window simulates the cycles after from up to and including to, at most to the end of the window
// in which they begin, and returns the last one. Windows do not depend on from and to. offered and
// workers are those of network.ByValue.
func (n *Network) Window(from, to int64, offered bool, workers int) (end int64) {
	end = min(to, from-from%n.window+n.window)
	n.enter(from+1, false)
	switch w := min(workers, len(n.parts)); {
	case w > 1:
		d := n.driven
		d.from, d.to, d.offered = from, end, offered
		d.crew.Run(len(n.parts), w, d.run)
	case n.scaling != nil:
		n.scaling.run(n.parts, from, end, offered)
	default:
		for _, p := range n.parts {
			p.run(from, end, offered)
		}
	}
	n.deliver()
	return end
}

// Followed simulates the cycle after from and tells the Follower of packets in the order in which
// messages would go, whatever the parts.
func (n *Network) Followed(from int64, offered bool) (end int64) {
	n.enter(from+1, true)
	n.together(from, offered)
	n.deliver()
	return from + 1
}

// enter moves on to the first cycle of a window.
func (n *Network) enter(cycle int64, followed bool) {
	if n.Now() < cycle {
		n.moveTo(cycle)
	}
	n.driven.followed, n.ordered = followed, followed
}

// deliver tells the Follower what has come to the terminals of the parts.
func (n *Network) deliver() {
	if !n.driven.observed {
		return
	}
	for _, p := range n.parts {
		for _, x := range p.delivered {
			n.driven.follower.Delivered(int(x.terminal), x.flits, x.cycle)
		}
		p.delivered = p.delivered[:0]
	}
}

// TakeTally returns the counts of packets by value since the last call.
func (n *Network) TakeTally() (t network.Tally) {
	n.publish()
	for _, p := range n.parts {
		t.Add(&p.value)
		p.value = network.Tally{}
	}
	return t
}

// run simulates the cycles of a window.
func (p *part) run(from, to int64, offered bool) {
	p.beginWindow(from)
	for c := from; c < to; c++ {
		if !offered || c > from {
			p.driven.source.Offer(p.id, c)
		}
		p.take()
		p.cycle()
	}
}

// beginWindow begins a window, if one begins in a cycle.
func (p *part) beginWindow(cycle int64) {
	if len(p.n.parts) > 1 && cycle%p.n.window == 0 {
		p.collect()
	}
}

func (p *part) cycle() {
	if p.n.ioq != nil {
		p.n.ioq.step()
	} else {
		p.step()
	}
}

// together simulates a cycle of all parts, in the order in which messages would go: so
// tasks have the numbers that they have then.
func (n *Network) together(from int64, offered bool) {
	for _, p := range n.parts {
		p.beginWindow(from)
		if !offered {
			p.driven.source.Offer(p.id, from)
		}
	}
	for _, p := range n.parts {
		p.take()
	}
	for _, p := range n.parts {
		p.cycle()
	}
}
