package channel

import "math"

// A lane is one class of a link: what waits for it at this end, and the buffer at
// the other. It exists where buffers have an end.
type lane struct {
	first, last int32 // packets that wait, 0 is none
	used        int32 // flits sent whose room is not known to be free again
	credits     []credit
	head        int
}

// A credit is room that is known to be free again from a time on. Those of a lane
// are nearly in order of time; a later one in front holds back the others.
type credit struct {
	at    uint64
	flits int32
}

// harvest counts the credits that have arrived.
func (n *Network) harvest(i int32, now uint64) {
	x := &n.lanes[i]
	for x.head < len(x.credits) && x.credits[x.head].at <= now {
		f := x.credits[x.head].flits
		x.used -= f
		n.links[i/int32(n.classes)].pending -= f
		n.perClass[i] -= f
		x.head++
	}
	if x.head == len(x.credits) {
		x.credits, x.head = x.credits[:0], 0
	} else if x.head >= 32 && 2*x.head >= len(x.credits) {
		x.credits, x.head = x.credits[:copy(x.credits, x.credits[x.head:])], 0
	}
}

// room returns the first time at which flits flits fit a lane, or None if that is not known yet.
func (n *Network) room(i, flits int32, now uint64) uint64 {
	if n.links[i/int32(n.classes)].in {
		return now // the terminal takes all
	}
	n.harvest(i, now)
	x := &n.lanes[i]
	used := x.used
	for k := x.head; ; k++ {
		if int(used+flits) <= n.cfg.Buffer {
			return now
		}
		if k == len(x.credits) {
			return None
		}
		now = max(now, x.credits[k].at)
		used -= x.credits[k].flits
	}
}

// join puts a packet that is ready at a time into a lane.
func (n *Network) join(ready uint64, p, l int32, class int) {
	k, x := &n.packets[p], &n.links[l]
	i := l*int32(n.classes) + int32(class)
	x.pending += k.flits
	n.perClass[i] += k.flits
	k.ready, k.class = ready, int16(class)
	if x.waiting == 0 && x.free <= ready && n.room(i, k.flits, ready) == ready {
		n.transmit(ready, p, l, class)
		return
	}
	k.next, k.waits = 0, i+1
	q := &n.lanes[i]
	if q.first == 0 {
		q.first = p
	} else {
		n.packets[q.last].next = p
	}
	q.last = p
	x.waiting++
	n.arm(l)
}

// arm makes sure that a link is served as soon as something may leave.
func (n *Network) arm(l int32) {
	x := &n.links[l]
	at := uint64(None)
	for i := l * int32(n.classes); i < (l+1)*int32(n.classes); i++ {
		if p := n.lanes[i].first; p != 0 {
			k := &n.packets[p]
			at = min(at, n.room(i, k.flits, max(n.now, k.ready, x.free)))
		}
	}
	if at < x.wake || x.wake < n.now {
		x.wake = at
		if at != None {
			n.events.Add(at, ^(int32(len(n.nics)) + l))
		}
	}
}

// serve sends what may leave a link now; classes take turns.
func (n *Network) serve(l int32) {
	x := &n.links[l]
	if x.wake != n.now {
		return // something earlier has served it
	}
	x.wake = None
	for sent := true; sent && x.waiting > 0 && x.free <= n.now; {
		sent = false
		for range n.classes {
			class := int(x.served)
			x.served = int16((class + 1) % n.classes)
			i := l*int32(n.classes) + int32(class)
			q := &n.lanes[i]
			if q.first == 0 {
				continue
			}
			p := q.first
			k := &n.packets[p]
			if k.ready > n.now || n.room(i, k.flits, n.now) != n.now {
				continue
			}
			q.first = k.next
			k.waits = 0
			x.waiting--
			n.transmit(n.now, p, l, class)
			sent = true
			break
		}
	}
	if x.waiting > 0 {
		n.arm(l)
	}
}

// transmit sends a packet over a free link, and frees the room it had.
func (n *Network) transmit(start uint64, p, l int32, class int) {
	k, x := &n.packets[p], &n.links[l]
	time := n.time(k, x)
	if start+time < k.ready+k.lag {
		start = k.ready + k.lag - time // its tail is still to come
	}
	held := k.held
	k.held = none
	if !x.in {
		k.held = l*int32(n.classes) + int32(class)
		n.lanes[k.held].used += k.flits
	}
	x.flying += k.flits
	x.stalls += start - k.ready
	x.free = start + time
	n.travel(start, time, time, p, l, x.to)
	if held != none {
		n.free(held, k.flits, start+time)
	}
	if l >= n.first {
		t := l - n.first
		if q := &n.nics[t]; q.blocked {
			q.blocked = false
			n.next(t)
		}
	}
}

// free returns credits to the other end of a link, for a packet that has left its buffer.
func (n *Network) free(i, flits int32, at uint64) {
	l := i / int32(n.classes)
	x := &n.lanes[i]
	x.credits = append(x.credits, credit{at + n.links[l].latency, flits})
	if n.links[l].waiting > 0 {
		n.arm(l)
	}
}

// settle counts all credits in flight.
func (n *Network) settle() {
	for i := range n.lanes {
		n.harvest(int32(i), math.MaxUint64-1)
	}
}
