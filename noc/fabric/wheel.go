package fabric

import "slices"

// An arrival is a flit that comes into an input lane, or out of an output lane
// to a terminal.
type arrival struct {
	lane, flit int32
	way        // of a head that is routed ahead
}

// A way is the output port of a router and the first and the last virtual channel that a
// packet may take: one word, which is handed on as such.
type way uint32

func wayTo(port int, lo, hi uint8) way { return way(uint16(port)) | way(lo)<<16 | way(hi)<<24 }

func (w way) out() int      { return int(uint16(w)) }
func (w way) lo() uint8     { return uint8(w >> 16) }
func (w way) lanes() uint32 { return (2<<(w>>24&31) - 1) &^ (1<<(w>>16&31) - 1) } // a bit each

// A slot holds the flits that come in one cycle, in the order in which they were sent.
type slot struct{ terminals, routers list }

// A list is a chain of blocks.
type list struct{ first, last *block }

// blockSize makes a block two lines of a processor's cache.
const blockSize = 9

type block struct {
	arrivals [blockSize]arrival
	n        uint
	next     *block
}

// blocks are the memory of lists. A block that is freed is the next to be used, so that
// the cycles of a wheel share few of them.
type blocks struct {
	free  *block
	fresh []block
}

// push adds an arrival, field by field: a struct that is copied as a whole right after it was
// put together waits for its parts to reach the cache.
func (b *blocks) push(l *list, lane, flit int32, w way) {
	x := l.last
	if x == nil || x.n >= blockSize {
		x = b.link(l)
	}
	a := &x.arrivals[x.n]
	a.lane, a.flit, a.way = lane, flit, w
	x.n++
}

// link adds an empty block to a list.
func (b *blocks) link(l *list) *block {
	x := b.free
	if x != nil {
		b.free = x.next
	} else {
		if len(b.fresh) == 0 {
			b.fresh = make([]block, 32)
		}
		x, b.fresh = &b.fresh[0], b.fresh[1:]
	}
	x.n, x.next = 0, nil
	if l.first == nil {
		l.first = x
	} else {
		l.last.next = x
	}
	l.last = x
	return x
}

// drop frees the block at the beginning of a list and returns the next.
func (b *blocks) drop(x *block) (next *block) {
	next = x.next
	x.next, b.free = b.free, x
	return next
}

// arrivals lists what is in a list.
func (l list) arrivals() (out []arrival) {
	for x := l.first; x != nil; x = x.next {
		out = append(out, x.arrivals[:x.n]...)
	}
	return out
}

// at is the slot of a coming cycle.
func (p *part) at(cycle int64) *slot {
	if cycle-p.now > p.n.wheelMask || cycle <= p.now {
		panic("fabric: an event outside of the time wheel")
	}
	p.lastEvent = max(p.lastEvent, cycle)
	return &p.wheel[cycle&p.n.wheelMask]
}

// A post is a flit for another part.
type post struct {
	at low
	arrival
}

// A backPost is the credit of an output lane of another part.
type backPost struct {
	at   low
	lane int32
}

// low is the low bits of a cycle that is less than 2^31 cycles from the current one.
type low uint32

func (l low) near(now int64) int64 { return now + int64(int32(l-low(now))) }

// post sends a flit to another part.
func (p *part) post(to int16, cycle int64, lane, flit int32, w way) {
	p.lastEvent = max(p.lastEvent, cycle)
	out := &p.posts[p.window&1][to]
	k := len(*out)
	if k == cap(*out) {
		*out = slices.Grow(*out, 1)
	}
	*out = (*out)[:k+1]
	x := &(*out)[k]
	x.at, x.lane, x.flit, x.way = low(cycle), lane, flit, w
}

// postBack sends a credit to another part.
func (p *part) postBack(to int16, cycle int64, lane int32) {
	p.lastEvent = max(p.lastEvent, cycle)
	out := &p.backs[p.window&1][to]
	*out = append(*out, backPost{low(cycle), lane})
}

// collect takes what other parts have sent in the window before, in the order of their
// numbers. Those write into the other half of posts meanwhile.
func (p *part) collect() {
	p.window++
	n, half := p.n, p.window&1^1
	for _, q := range n.parts {
		if q == p {
			continue
		}
		in := &q.posts[half][p.id]
		for i := range *in {
			x := &(*in)[i]
			p.blocks.push(&p.wheel[p.punctual(x.at)&n.wheelMask].routers, x.lane, x.flit, x.way)
		}
		*in = (*in)[:0]
		back := &q.backs[half][p.id]
		for _, x := range *back {
			port := n.where[x.lane].port
			p.credit(port, p.punctual(x.at), int(x.lane)-int(port)*n.v)
		}
		*back = (*back)[:0]
	}
}

// punctual is the cycle in which something of another part comes. With a quantum beyond
// the lookahead that may be over, and it comes now.
func (p *part) punctual(l low) int64 {
	at := l.near(p.now)
	if at >= p.now {
		return at
	}
	if p.n.window == p.n.lookahead {
		panic("fabric: an event of another part comes too late")
	}
	p.late++
	p.lastEvent = max(p.lastEvent, p.now)
	return p.now
}
