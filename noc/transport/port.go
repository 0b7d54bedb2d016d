package transport

import "github.com/causeway-sim/causeway/noc/congestion"

// A link is one direction of a channel with the queues before it: of a router's port outwards, or of
// a terminal into its router.
type link struct {
	to      int32 // router or terminal at the other end; none: the port is unused
	router  int32 // that it leaves, none for a terminal
	in      bool  // to is a terminal
	paused  bool  // data wait, by order of the other end
	latency uint64
	perByte float64 // ticks
	control queue   // served first
	data    queue
	sending int32 // packet on its way out, 0 is none
	size    int32 // its bytes
	from    int32 // link by which it had come, none if it occupies no buffer

	// Of the router at the other end.
	held    int64 // bytes of data that came by this link and have not left
	stopped bool  // this link was told to pause

	since  uint64 // of the pause
	busy   uint64 // ticks
	stalls uint64 // ticks that packets waited, summed
	flits  uint64
	bytes  uint64
	most   int64 // most bytes of data that waited
}

// A queue is a list of packets.
type queue struct {
	first, last int32
	bytes       int64
}

func (n *Network) push(q *queue, p int32) {
	k := &n.packets[p]
	k.next = 0
	if q.first == 0 {
		q.first = p
	} else {
		n.packets[q.last].next = p
	}
	q.last = p
	q.bytes += int64(k.bytes)
}

func (n *Network) pop(q *queue) int32 {
	p := q.first
	k := &n.packets[p]
	q.first = k.next
	q.bytes -= int64(k.bytes)
	return p
}

// forward routes a packet that has come to a router, and queues it at its port.
func (n *Network) forward(p int32) {
	k := &n.packets[p]
	n.view.at(k)
	hop := n.cfg.Routing.Next(&n.view, &k.Packet)
	l := n.base[k.at] + int32(hop.Port)
	x := &n.links[l]
	if !x.in {
		k.hops++
		k.Hops = uint8(min(k.hops, 255))
		n.count.hops++
	}
	k.ready = n.now
	if !n.lower(k) {
		n.push(&x.control, p)
		n.kick(l)
		return
	}
	waits := x.data.bytes
	if x.sending != 0 && n.lower(&n.packets[x.sending]) {
		waits += int64(x.size)
	}
	if n.cfg.Size > 0 && waits+int64(k.bytes) > int64(n.cfg.Size) {
		n.refuse(p, l)
		return
	}
	x.most = max(x.most, waits+int64(k.bytes))
	n.push(&x.data, p)
	n.charge(k)
	n.kick(l)
}

// lower reports whether a packet waits in the queue of data.
func (n *Network) lower(k *packet) bool {
	return k.kind == data || n.cfg.Mixed && k.kind != trimmed
}

// refuse trims or drops a packet that finds no room.
func (n *Network) refuse(p, l int32) {
	k := &n.packets[p]
	if n.cfg.Trim == 0 || k.kind != data {
		n.count.drops++
		n.free(p)
		return
	}
	n.count.trims++
	k.kind, k.bytes, k.tail = trimmed, int32(min(n.cfg.Trim, int(k.bytes))), 0
	k.flits = n.flits(k.bytes)
	n.push(&n.links[l].control, p)
	n.kick(l)
}

// flits is the flits of so many bytes.
func (n *Network) flits(bytes int32) int32 {
	return max(1, (bytes+int32(n.cfg.Width)-1)/int32(n.cfg.Width))
}

// charge counts a packet that a router has buffered, and stops the sender of its channel.
func (n *Network) charge(k *packet) {
	if n.cfg.Pause == 0 {
		return
	}
	x := &n.links[k.via]
	if x.held += int64(k.bytes); x.held > int64(n.cfg.Pause) && !x.stopped {
		x.stopped = true
		n.count.pauses++
		n.events.Add(n.now+x.latency, event{pauses, k.via})
	}
}

// credit counts bytes that have left a router's buffer.
func (n *Network) credit(l, bytes int32) {
	x := &n.links[l]
	if x.held -= int64(bytes); x.stopped && x.held < int64(n.cfg.Resume) {
		x.stopped = false
		n.events.Add(n.now+x.latency, event{resumes, l})
	}
}

// hold stops or resumes the data of a link.
func (n *Network) hold(l int32, on bool) {
	x := &n.links[l]
	x.paused = on
	if on {
		x.since = n.now
		return
	}
	n.count.paused += n.now - x.since
	n.kick(l)
}

// kick sends the next packet of an idle link.
func (n *Network) kick(l int32) {
	x := &n.links[l]
	if x.sending != 0 {
		return
	}
	p := int32(0)
	switch {
	case x.control.first != 0:
		p = n.pop(&x.control)
	case x.paused:
		return
	case l >= n.first:
		x.sending = none // a flow that gets ready again must not start another packet
		p = n.pull(l - n.first)
		x.sending = 0
	case x.data.first != 0:
		p = n.pop(&x.data)
	}
	if p != 0 {
		n.transmit(p, l)
	}
}

// transmit starts a packet on an idle link. With cut-through its head leaves at once, unless its
// tail would come too late.
func (n *Network) transmit(p, l int32) {
	k, x := &n.packets[p], &n.links[l]
	time := uint64(float64(k.bytes) * x.perByte)
	begin := n.now
	if k.tail > begin+time {
		begin = k.tail - time
	}
	x.sending, x.size, x.from = p, k.bytes, none
	if l < n.first && n.cfg.Pause > 0 && n.lower(k) {
		x.from = k.via
	}
	x.busy += time
	x.stalls += begin - k.ready
	x.flits += uint64(k.flits)
	x.bytes += uint64(k.bytes)
	n.events.Add(begin+time, event{sent, l})
	if !n.cfg.Store {
		n.depart(p, l, begin, begin+time)
	}
}

// left ends a packet on a link.
func (n *Network) left(l int32) {
	x := &n.links[l]
	p := x.sending
	x.sending = 0
	if n.cfg.Store {
		n.depart(p, l, n.now, n.now)
	}
	if x.from != none {
		n.credit(x.from, x.size)
	}
	n.kick(l)
}

// depart sends a packet over a link: its head leaves at begin and its tail at end.
func (n *Network) depart(p, l int32, begin, end uint64) {
	k, x := &n.packets[p], &n.links[l]
	if l < n.first && k.kind == data {
		if n.marks(x) {
			k.marked = true
			n.count.marks++
		}
		if n.needs.Telemetry {
			k.telemetry = append(k.telemetry, congestion.Hop{Now: n.ns(begin), Queue: float64(x.data.bytes), Sent: float64(x.bytes), Rate: n.rate(l)})
		}
	}
	k.via, k.at = l, x.to
	if x.in {
		n.events.Add(end+x.latency, event{arrives, p})
		return
	}
	if k.tail = 0; !n.cfg.Store {
		k.tail = end + x.latency + n.lag
	}
	n.events.Add(begin+x.latency+n.lag, event{arrives, p})
}

// marks decides by the bytes that wait behind a packet: random early detection on the
// instantaneous queue.
func (n *Network) marks(x *link) bool {
	e := &n.cfg.Mark
	waits := float64(x.data.bytes)
	switch {
	case e.Max == 0 || waits <= float64(e.Min):
		return false
	case waits > float64(e.Max):
		return true
	}
	const steps = 1 << 30
	share := e.Share * (waits - float64(e.Min)) / float64(e.Max-e.Min)
	return n.streams.IntN(int(x.router), steps) < int(share*steps)
}

// rate is that of a link in bytes per nanosecond.
func (n *Network) rate(l int32) float64 {
	if x := &n.links[l]; x.perByte > 0 {
		return 1 / (x.perByte * n.period)
	}
	return float64(n.cfg.Width) / n.cfg.Period
}
