package fabric

import (
	"github.com/causeway-sim/causeway/noc/allocator"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/network"
)

// A part is routers of consecutive numbers, their terminals, and all that changes while
// these are simulated. Most networks have one part. One whose groups are far from each
// other has a part for each group: what a part sends to another one takes at least
// Network.lookahead cycles, so that each simulates as many cycles for itself, by any core
// and out of what fits into that core's cache. What it sends meanwhile waits in posts.
type part struct {
	n             *Network
	id            int
	first, end    int // routers
	term, endTerm int // terminals
	now           int64
	creditedUntil int64      // cycle up to which the credits of routers count, see credits
	wheel         []slot     // by cycle, modulo its length
	blocks        blocks     // the arrivals of wheel
	rings         []credited // see credits
	awake         []uint64
	active, boxed []uint64       // terminals with a queue, with a packet handed over by value
	heads         []head         // packets that lookahead routing decides about at the end of the cycle
	arriving      []arrivingHead // of this cycle, see pass
	view          view
	globals       []int32 // ports that a Notifier is asked about
	lanesAlloc    allocation
	switchAlloc   allocation
	requests      []allocator.Request // scratch: for the switch
	wanted        []allocator.Request // scratch: for output lanes
	grants, bids  []bid               // scratch: see contend
	free          []int32             // packets
	posts         [2][][]post         // [window&1][part] flits that are on their way there
	backs         [2][][]backPost     // credits
	touched       int32               // see receive
	window        int                 // number of the window, see exchange
	late          uint64              // events of other parts that came late for the quantum
	wraps         map[int]uint64      // ports whose count of flits has begun anew, and how often
	driven        *driven             // nil: by messages
	value         network.Tally
	delivered     []delivery     // by value since the last window, if they are observed
	packet        network.Packet // scratch
	counts
}

// An allocation is an allocator, and its pointers if it is an allocator.ArbiterBased.
type allocation struct {
	allocator.Allocator
	*allocator.Arbiters
}

func newAllocation(a allocator.Allocator) allocation {
	if p, ok := a.(allocator.ArbiterBased); ok {
		return allocation{a, p.Pointers()}
	}
	return allocation{a, nil}
}

// counts are of one part. What is under way may be negative: packets come in other
// parts than those that sent them.
type counts struct {
	injected, ejected       uint64 // flits
	sentPackets, gotPackets uint64
	lostPackets, lostWhole  uint64 // lostWhole: flits of the packets, wherever those ended
	lostFlits, madeFlits    uint64 // that will not come, and tails of packets that a failure has cut: see outage
	flitHops                uint64 // flits that left a router, to a terminal included
	lastMove                int64
	lastEvent               int64 // latest cycle in which a flit comes, or a credit
	waiting, created        int64 // flits that were sent and have not come, and the sum of their cycles of creation
}

// sum adds up a count of all parts.
func (n *Network) sum(of func(*counts) uint64) (sum uint64) {
	for _, p := range n.parts {
		sum += of(&p.counts)
	}
	return sum
}

// divide makes the parts of a network in which nothing has happened. routers and
// terminals are where each part ends.
func (n *Network) divide(routers, terminals []int) {
	n.parts, n.partOf = nil, make([]int16, n.routers)
	alloc, _ := allocator.All.Entry(string(n.cfg.Allocator))
	from, term := 0, 0
	for i, end := range routers {
		p := &part{n: n, id: i, creditedUntil: none, first: from, end: end, term: term, endTerm: terminals[i]}
		p.wheel = make([]slot, n.wheelMask+1)
		p.awake = make([]uint64, (end-from+63)/64)
		p.active = make([]uint64, (p.endTerm-p.term+63)/64)
		p.boxed = make([]uint64, len(p.active))
		p.view = view{n: n, part: p}
		if n.cfg.Queueing != setting.InputOutput {
			p.lanesAlloc = newAllocation(alloc.New.New(end-from, n.pv, n.cfg.Iterations))
			p.switchAlloc = newAllocation(alloc.New.New(end-from, n.p, n.cfg.Iterations))
		}
		if n.cfg.Queueing != setting.InputOutput {
			p.expectCredits()
		}
		for _, at := range n.sense.globals {
			if r := int(at) / n.p; r >= from && r < end {
				p.globals = append(p.globals, at)
			}
		}
		for r := from; r < end; r++ {
			n.partOf[r] = int16(i)
		}
		if len(routers) > 1 {
			for half := range p.posts {
				p.posts[half], p.backs[half] = make([][]post, len(routers)), make([][]backPost, len(routers))
			}
		}
		from, term = end, p.endTerm
		n.parts = append(n.parts, p)
	}
	for i := range n.ports {
		q := &n.ports[i]
		q.far = none
		if q.terminal || q.peer == none {
			continue
		}
		if to := n.partOf[int(q.peer)/n.p]; to != n.partOf[i/n.p] {
			q.far = to
		}
	}
}

// home is the part of a terminal.
func (n *Network) home(terminal int) *part {
	if len(n.parts) == 1 {
		return n.parts[0]
	}
	return n.parts[n.partOf[int(n.nics[terminal].port)/n.p]]
}

// owner is the part of a port.
func (n *Network) owner(port int) *part { return n.parts[n.partOf[port/n.p]] }

// make takes a packet from the pool.
func (p *part) make(src, dst, flits int, created int64) (id int32, x *packet) {
	if p.n.cfg.Flow == setting.CutThrough && flits > p.n.cfg.Largest() {
		panic("fabric: a packet is longer than a buffer, and virtual cut-through needs room for all of it")
	}
	if len(p.free) == 0 {
		p.free = p.n.pool.grow(p.free)
	}
	id = p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	x = p.n.pool.at(id)
	*x = packet{}
	x.Src, x.Dst, x.left, x.flits, x.created = int32(src), int32(dst), int32(flits), int32(flits), created
	return id, x
}

// sample reports whether the next packet is one that the watcher follows.
func (p *part) sample() bool {
	if p.n.watch == nil || !p.n.watch.Wants() {
		return false
	}
	return p.n.sum(func(c *counts) uint64 { return c.sentPackets })%network.Sampled == 0
}

// send counts a packet that has got into the queue of its terminal.
func (p *part) send(x *packet) {
	p.sentPackets++
	p.waiting += int64(x.flits)
	p.created += int64(x.flits) * x.created
}

// release gives a packet back to the pool.
func (p *part) release(id int32) {
	if p.free = append(p.free, id); len(p.free) > 4*chunk && len(p.n.parts) > 1 {
		p.free = p.n.pool.give(p.free)
	}
}

// queued notes that the queue of a terminal is not empty.
func (p *part) queued(terminal int) {
	i := terminal - p.term
	p.active[i>>6] |= 1 << (i & 63)
}

// wake notes that a router has something to do.
func (p *part) wake(router int) {
	i := router - p.first
	p.awake[i>>6] |= 1 << (i & 63)
}

func (p *part) asleep() bool {
	for _, set := range p.awake {
		if set != 0 {
			return false
		}
	}
	return true
}
