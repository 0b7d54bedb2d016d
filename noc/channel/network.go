package channel

import (
	"math"

	"github.com/causeway-sim/causeway/components/calendar"
	"github.com/causeway-sim/causeway/components/random"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A Message goes from one terminal to another. The caller chooses its ID.
type Message struct {
	ID       int32
	Src, Dst int32
	Bytes    int64
	Network  int         // virtual network
	Sum      network.Sum // if set, Dst is Src, and the arrival is the sum
}

// An Arrival is a message that has arrived.
type Arrival struct {
	ID       int32
	Cycle    uint64 // in which its tail arrived
	Injected uint64 // in which its first packet left its terminal
	Hops     int    // channels between routers that its last packet passed
}

// None is later than every cycle: nothing happens until a message is sent.
const None = math.MaxUint64

// A link is one direction of a channel: of a router's port outwards, or of a
// terminal into its router.
type link struct {
	to      int32 // router or terminal at the other end; none: the port is unused
	in      bool  // to is a terminal
	latency uint64
	perByte float64 // ticks
	free    uint64  // when the last packet has left
	pending int32   // flits that were sent through it, or wait to be, and have not arrived
	waiting int32   // packets in its lanes
	flying  int32   // flits on the channel
	served  int16   // class that is served next
	wake    uint64  // when it is served next, None for never
	busy    uint64  // ticks in which it carried something
	stalls  uint64  // ticks that packets waited for it, summed
	flits   uint64  // that it carried
	bytes   uint64

	// Flits that came to the other end in this window of routing.RateWindow cycles
	// and in the one before.
	window                 uint64
	thisWindow, lastWindow uint32
}

// A packet is in a pool; index 0 is never used.
type packet struct {
	routing.Packet
	message int32 // index in the pool
	at      int32 // router or terminal it is or comes to
	via     int32 // link it comes by
	class   int16
	flits   int32
	bytes   int64
	hops    int32
	held    int32  // lane whose room it takes
	ready   uint64 // when it may leave
	waits   int32  // one more than the lane that it waits in, 0 for none
	turn    uint32 // how often it was taken from the pool
	sum     int32  // that it is a part of, 0 for none
	down    bool   // a sum on its way back
	alive   bool   // it is under way
	lost    bool   // its link went down: another goes on in its place
	around  bool   // it has left the routing for shortest ways
	lag     uint64 // ticks from its head to its tail where it comes to
	since   uint64 // when it was sent over its last channel
	next    int32  // in a list
}

// A message is in a pool; index 0 is never used.
type message struct {
	Message
	unsent   int64 // bytes not yet injected
	parts    int32 // packets on the way
	last     bool  // all are injected
	started  bool
	injected uint64
	next     int32 // at its terminal
}

// A nic is the terminal's end: messages take turns.
type nic struct {
	first, last int32
	count       int32
	awake       bool // an event is on its way
	blocked     bool // a packet waits for room
	held        bool
	quick       int32 // messages that wait for no other
	quickLast   int32
	kept        int32 // packets before a held terminal, in order
	keptLast    int32
}

const none = -1

// A Network is the state of all channels. Make it with New.
type Network struct {
	cfg      Config
	classes  int     // of all virtual networks
	own      int     // of one
	base     []int32 // first link of a router
	links    []link  // ports of routers, then terminals
	first    int32   // link of terminal 0
	perClass []int32 // pending by link and class
	lanes    []lane  // by link and class, if buffers have an end
	packets  []packet
	messages []message
	freeP    int32
	freeM    int32
	nics     []nic
	// events are by tick: the head of a packet at the router or terminal that it travels
	// to (the packet), a terminal that may inject again (^terminal), or a link that may
	// send (^number, after the terminals)
	events  calendar.Of[int32]
	now     uint64 // ticks
	view    view
	streams random.Streams // of routers
	rates   bool           // the algorithm asks for Rate
	routing routing.Algorithm
	out     outages
	sums    sums
	folded  *folded // nil: every channel is simulated
	times   uint64  // messages that each one stands for

	// Counters.
	sent, arrived uint64 // messages
	hops          uint64 // of packets, channels between routers
	moved         uint64 // packets that have arrived
}

// New makes an empty network. The error lists the impossible values of cfg.
func New(cfg Config) (*Network, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	t := cfg.Topology
	n := &Network{cfg: cfg, times: 1, own: max(1, cfg.Routing.Classes()), base: make([]int32, t.Routers()+1),
		packets: make([]packet, 1), messages: make([]message, 1), nics: make([]nic, t.Terminals())}
	if err := n.avoid(); err != nil {
		return nil, err
	}
	n.classes = n.own * max(1, cfg.Networks)
	for r := range t.Routers() {
		n.base[r+1] = n.base[r] + int32(t.Ports(r))
	}
	n.first = n.base[t.Routers()]
	n.links = make([]link, int(n.first)+t.Terminals())
	for i := range n.links {
		n.links[i].to = none
	}
	set := func(i int32, c topology.Class, to int, terminal bool) {
		l := cfg.link(c)
		n.links[i] = link{to: int32(to), in: terminal, latency: uint64(l.Latency) << tickBits}
		if l.Rate > 0 {
			n.links[i].perByte = Tick / l.Rate
		}
	}
	for r := range t.Routers() {
		for p := range t.Ports(r) {
			if peer, _, ok := t.Peer(r, p); ok {
				set(n.base[r]+int32(p), t.Class(r, p), peer, false)
			}
		}
	}
	for i := range t.Terminals() {
		r, p := t.Home(i)
		set(n.base[r]+int32(p), topology.Terminal, i, true)
		set(n.first+int32(i), topology.Terminal, r, false)
	}
	n.perClass = make([]int32, len(n.links)*n.classes)
	if cfg.Buffer > 0 {
		n.lanes = make([]lane, len(n.perClass))
		for i := range n.links {
			n.links[i].wake = None
		}
	}
	var err error
	if n.out.spells, err = cfg.spells(); err != nil {
		return nil, err
	}
	if n.routing = cfg.Routing; n.out.detour != nil {
		n.routing, n.out.closed = n.out.detour, make([]bool, len(n.links))
	}
	for _, o := range cfg.Outages {
		if n.out.passes == nil {
			n.out.passes = map[int32][]pass{}
		}
		r, p, _ := t.Peer(o.Router, o.Port)
		n.out.passes[n.base[o.Router]+int32(o.Port)], n.out.passes[n.base[r]+int32(p)] = nil, nil
	}
	for i, s := range n.out.spells {
		n.events.Add(s.At<<tickBits, ^(int32(2*len(n.nics)+len(n.links)) + int32(i)))
	}
	n.view = view{n: n}
	n.streams = random.New(cfg.Seed, "channel", t.Routers())
	n.view.told, _ = cfg.Routing.(routing.Notifier)
	if s, ok := cfg.Routing.(routing.ViewUser); ok {
		_, n.rates = s.ViewUse()
	}
	return n, nil
}

// Waiting returns the messages at a terminal that are not fully injected.
func (n *Network) Waiting(terminal int) int { return int(n.nics[terminal].count) }

// Send sends a message in a cycle that Advance has not passed.
func (n *Network) Send(m Message, cycle uint64) {
	i := n.freeM
	if i == 0 {
		n.messages = append(n.messages, message{})
		i = int32(len(n.messages) - 1)
	} else {
		n.freeM = n.messages[i].next
	}
	n.messages[i] = message{Message: m, unsent: max(m.Bytes, 0)}
	n.sent++
	q := &n.nics[m.Src]
	if n.express(max(m.Bytes, 0) + int64(n.cfg.Header)) {
		n.messages[i].next = 0
		if q.quick == 0 {
			q.quick = i
		} else {
			n.messages[q.quickLast].next = i
		}
		q.quickLast = i
		n.events.Add(cycle<<tickBits, ^(int32(len(n.nics)+len(n.links)) + m.Src))
		return
	}
	if q.count == 0 {
		q.first = i
	} else {
		n.messages[q.last].next = i
	}
	q.last = i
	q.count++
	if !q.awake {
		q.awake = true
		n.events.Add(max(cycle<<tickBits, n.use(n.first+m.Src).free), ^m.Src)
	}
}

// Hold stops a terminal from taking packets, or lets it take them again. Packets in its channel
// still arrive.
func (n *Network) Hold(terminal int, on bool, cycle uint64) {
	q := &n.nics[terminal]
	q.held = on
	if on {
		return
	}
	for q.kept != 0 {
		p := q.kept
		q.kept = n.packets[p].next
		n.forward(max(n.now, cycle<<tickBits), p)
	}
}

// Held returns the packets that wait before a held terminal.
func (n *Network) Held(terminal int) int {
	k := 0
	for p := n.nics[terminal].kept; p != 0; p = n.packets[p].next {
		k++
	}
	return k
}

// Advance simulates up to the end of a cycle, calls arrived for each message that arrives, and
// returns the next cycle in which something happens, or None.
func (n *Network) Advance(cycle uint64, arrived func(Arrival)) uint64 {
	limit := cycle << tickBits
	for n.events.Due(limit) {
		e := n.events.Pop()
		n.now = e.At
		switch t := ^e.What; {
		case t >= int32(2*len(n.nics)+len(n.links)):
			n.change()
		case t >= int32(len(n.nics)+len(n.links)):
			n.rush(t - int32(len(n.nics)+len(n.links)))
		case t >= int32(len(n.nics)):
			n.serve(t - int32(len(n.nics)))
		case t >= 0:
			n.inject(t)
		default:
			n.come(e.What, arrived)
		}
	}
	if n.events.Len() == 0 {
		return None
	}
	return (n.events.First().At + Tick - 1) >> tickBits
}

// inject sends the next packet of a terminal, and sees to it that the one after
// follows.
func (n *Network) inject(t int32) {
	q := &n.nics[t]
	i := q.first
	m := &n.messages[i]
	p := n.cut(i)
	q.first = m.next
	m.next = 0
	if m.unsent == 0 {
		m.last = true
		q.count--
	} else { // after the others
		if q.first == 0 {
			q.first = i
		} else {
			n.messages[q.last].next = i
		}
		q.last = i
	}
	n.leave(n.now, p, n.first+t, m.Network*n.own)
	if n.lanes != nil && n.links[n.first+t].waiting > 0 {
		q.blocked = true
		return
	}
	n.next(t)
}

// cut makes the next packet of a message.
func (n *Network) cut(i int32) int32 {
	m := &n.messages[i]
	p := n.blank()
	bytes := m.unsent
	if n.cfg.Packet > 0 {
		bytes = min(bytes, int64(n.cfg.Packet))
	}
	m.unsent -= bytes
	if n.cfg.Fill {
		bytes = int64(n.cfg.Packet)
	}
	sum := int32(0)
	if m.Sum.Group > 0 {
		sum = n.enter(m, i, m.Bytes-m.unsent)
	}
	m.parts++
	if !m.started {
		m.started = true
		m.injected = n.now >> tickBits
	}
	bytes += int64(n.cfg.Header)
	flits := max(1, (bytes+int64(n.cfg.Width)-1)/int64(n.cfg.Width))
	n.packets[p] = packet{Packet: routing.Packet{Dst: m.Dst, Src: int32(m.Src)}, message: i, bytes: bytes, held: none, sum: sum, alive: true, turn: n.packets[p].turn,
		flits: int32(min(flits, math.MaxInt32/4))}
	return p
}

// blank takes a packet of the pool.
func (n *Network) blank() int32 {
	p := n.freeP
	if p == 0 {
		n.packets = append(n.packets, packet{})
		return int32(len(n.packets) - 1)
	}
	n.freeP = n.packets[p].next
	n.packets[p].turn++
	return p
}

// express reports whether messages of that size wait for no others.
func (n *Network) express(bytes int64) bool {
	return n.cfg.Express > 0 && bytes <= int64(n.cfg.Express)
}

// rush injects the next message of a terminal that waits for no other.
func (n *Network) rush(t int32) {
	q := &n.nics[t]
	i := q.quick
	m := &n.messages[i]
	p := n.cut(i)
	q.quick, m.next, m.last = m.next, 0, true
	n.leave(n.now, p, n.first+t, m.Network*n.own)
}

// next injects the next packet of a terminal when its channel is free.
func (n *Network) next(t int32) {
	q := &n.nics[t]
	q.awake = q.count > 0
	if q.awake {
		n.events.Add(max(n.now, n.use(n.first+t).free), ^t)
	}
}

// time is how long a link is busy with a packet.
func (n *Network) time(k *packet, x *link) uint64 {
	time := uint64(float64(k.bytes) * x.perByte)
	if n.cfg.Whole {
		time = time >> tickBits << tickBits
	}
	return time
}

// leave puts a packet that is ready at a time into the queue of a link.
func (n *Network) leave(ready uint64, p int32, l int32, class int) {
	to := n.links[l].to
	if n.lanes != nil {
		n.join(ready, p, l, class)
		return
	}
	if n.folded != nil {
		l = n.folded.enter(n, ready, p, l)
	}
	k, x := &n.packets[p], &n.links[l]
	time := n.time(k, x)
	start, span := ready, max(time, k.lag)
	switch {
	case n.express(k.bytes):
		x.free = max(ready, x.free) + time // what waits for the link does so longer
	case x.in && n.cfg.Packet > 0:
		start, span = x.book(ready, k.lag, time)
	default:
		start, span = x.share(ready, k.lag, time)
	}
	x.pending += k.flits
	x.stalls += start - ready
	n.perClass[int(l)*n.classes+class] += k.flits
	k.class = int16(class)
	n.travel(start, time, span, p, l, to)
}

// book reserves a link for a whole packet: its head is ready, its tail arrives lag later. It
// starts at start, and its tail has left span later. Terminals take packets this way, one after
// the other.
func (x *link) book(ready, lag, time uint64) (start, span uint64) {
	start = max(ready, x.free)
	if ready+lag > start+time {
		start = ready + lag - time
	}
	x.free = start + time
	return start, time
}

// share reserves a link for a packet whose head is ready and whose tail arrives lag later. A
// packet that arrives slower than the link occupies it only for bytes / bandwidth, so that slow
// streams share the link. It starts at start, and its tail has left span later.
func (x *link) share(ready, lag, time uint64) (start, span uint64) {
	x.free = max(ready, x.free) + time
	span = max(time, lag)
	return max(x.free, ready+lag) - span, span
}

// travel sends a packet over a link that it keeps busy for a time, to a router or terminal.
func (n *Network) travel(start, time, span uint64, p, l, to int32) {
	k, x := &n.packets[p], &n.links[l]
	x.busy += time
	x.bytes += uint64(k.bytes)
	x.flits += uint64(k.flits)
	k.via, k.at = l, to
	if n.out.passes != nil {
		n.watch(l, p, start+span)
	}
	at := start + x.latency
	k.lag, k.since = span, n.now
	if n.cfg.Store {
		at += span
		k.lag = 0
	}
	n.events.Add(at, p)
}

// come handles the arrival of a packet from its link.
func (n *Network) come(p int32, arrived func(Arrival)) {
	k := &n.packets[p]
	if k.lost {
		n.drop(p)
		return
	}
	x := &n.links[k.via]
	if x.in && k.lag > 0 { // a terminal wants the tail
		at := n.now + k.lag
		k.lag = 0
		n.events.Add(at, p)
		return
	}
	if n.rates {
		x.turn(n.now)
		x.thisWindow += uint32(k.flits)
	}
	if n.lanes != nil {
		x.flying -= k.flits
	}
	if n.lanes == nil || x.in {
		x.pending -= k.flits
		n.perClass[int(k.via)*n.classes+int(k.class)] -= k.flits
	}
	switch {
	case x.in:
		n.arrive(p, arrived)
	case k.sum == 0:
		n.forward(n.now, p)
	case k.down:
		n.hand(p)
	default:
		n.combine(p)
	}
}

// forward routes a packet and sends it on.
func (n *Network) forward(now uint64, p int32) {
	k := &n.packets[p]
	network := n.messages[k.message].Network * n.own
	n.view.router, n.view.flits, n.view.first = k.at, k.flits, network
	hop := n.route(k)
	if hop.Port < 0 && n.out.detour != nil && k.held != none {
		n.free(k.held, k.flits, now)
		k.held = none
		n.restart(p)
		hop = n.route(k)
	}
	if hop.Port < 0 {
		n.park(p)
		return
	}
	l := n.base[k.at] + int32(hop.Port)
	x := &n.links[l]
	if x.in {
		if q := &n.nics[n.terminal(x.to)]; q.held {
			n.keep(q, p)
			return
		}
	} else {
		k.hops++
		k.Hops = uint8(min(k.hops, math.MaxUint8)) // never 0 again, whatever the distance
		n.hops += n.times
	}
	n.leave(now+uint64(n.cfg.Router)<<tickBits, p, l, network+min(max(hop.Class, 0), n.own-1))
}

func (n *Network) keep(q *nic, p int32) {
	n.packets[p].next, n.packets[p].via = 0, none
	if q.kept == 0 {
		q.kept = p
	} else {
		n.packets[q.keptLast].next = p
	}
	q.keptLast = p
}

// arrive ends a packet, and its message if it was the last.
func (n *Network) arrive(p int32, arrived func(Arrival)) {
	k := &n.packets[p]
	i, hops := k.message, int(k.hops)
	if k.sum > 0 {
		n.got(k.sum)
	}
	n.drop(p)
	n.moved += n.times
	m := &n.messages[i]
	m.parts--
	if m.parts > 0 || !m.last {
		return
	}
	n.arrived++
	a := Arrival{m.ID, (n.now + Tick - 1) >> tickBits, m.injected, hops}
	m.next, n.freeM = n.freeM, i
	arrived(a)
}
