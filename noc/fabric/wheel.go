package fabric

// An event is something that comes in a cycle: a flit into a lane, or the credit of a
// lane.
type event struct{ lane, flit int32 }

// credit is the flit of an event that is none.
const credit = -1

// A slot holds what comes in one cycle, in the order in which it was sent.
type slot struct {
	terminals list // flits that come to their terminals, and credits for those
	routers   list
}

// A list is a chain of blocks.
type list struct{ first, last *block }

// blockSize makes a block two lines of a processor's cache.
const blockSize = 14

type block struct {
	events [blockSize]event
	n      int
	next   *block
}

// blocks are the memory of lists. A block that is freed is the next to be used, so that
// the cycles of a wheel share few of them.
type blocks struct {
	free  *block
	fresh []block
}

func (b *blocks) push(l *list, e event) {
	x := l.last
	if x == nil || x.n == blockSize {
		x = b.link(l)
	}
	x.events[x.n] = e
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

// events lists what is in a list.
func (l list) events() (out []event) {
	for x := l.first; x != nil; x = x.next {
		out = append(out, x.events[:x.n]...)
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

// A post is an event of another part.
type post struct {
	at int64
	event
}

// post sends an event to another part.
func (p *part) post(to int16, cycle int64, e event) {
	p.lastEvent = max(p.lastEvent, cycle)
	out := &p.posts[p.window&1][to]
	*out = append(*out, post{cycle, e})
}

// collect takes what other parts have sent in the window before, in the order of their
// numbers. Those write into the other half of posts meanwhile.
func (p *part) collect() {
	p.window++
	for _, q := range p.n.parts {
		if q == p {
			continue
		}
		in := &q.posts[p.window&1^1][p.id]
		for i := range *in {
			x := &(*in)[i]
			at := x.at
			if at < p.now {
				if p.n.window == p.n.lookahead {
					panic("fabric: an event of another part comes too late")
				}
				p.late++
				at = p.now
				p.lastEvent = max(p.lastEvent, at)
			}
			p.blocks.push(&p.wheel[at&p.n.wheelMask].routers, x.event)
		}
		*in = (*in)[:0]
	}
}
