package transport

import (
	"github.com/causeway-sim/causeway/components/calendar"
	"github.com/causeway-sim/causeway/components/random"
	"github.com/causeway-sim/causeway/noc/congestion"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// Times inside are ticks of 2^-16 cycles.
const (
	tickBits = 16
	tick     = 1 << tickBits
)

const none = -1

// A kind of packet.
type kind uint8

const (
	data    kind = iota
	trimmed      // the header of a data packet
	ack
	nack   // asks for a packet
	notice // a congestion notification packet
)

// A packet is in a pool; index 0 is never used.
type packet struct {
	routing.Packet
	kind    kind
	marked  bool
	request bool // the sender waits for an acknowledgement
	flow    int32
	message int32
	psn     uint32 // number in its flow; of an answer: that of the packet that caused it
	entropy uint32
	bytes   int32
	flits   int32
	via, at int32  // link it comes by, router or terminal it comes to
	hops    int32  // channels between routers
	ready   uint64 // when it joined its queue
	tail    uint64 // when all of it has come, with cut-through
	sent    uint64 // when the data packet left its sender
	next    int32  // in a queue, or of the free ones

	// Of an answer: all packets before expected have come, and these.
	expected  uint32
	got       [listed]uint32
	n         uint8
	telemetry []congestion.Hop
}

// listed is the packets that an acknowledgement names.
const listed = 8

// A message is in a pool; index 0 is never used.
type message struct {
	id      int32
	src     int32
	dst     int32
	first   uint32 // number of its first packet
	packets uint32
	bytes   int64
	left    uint32 // packets that have not come
	unacked uint32 // packets that are not acknowledged
	begun   uint64 // when the network took it
	entered uint64 // cycle in which its first packet left, plus 1
	next    int32  // of its flow
}

// An action is a kind of event.
type action uint8

const (
	starts  action = iota // a message
	arrives               // a packet at its router or terminal
	sent                  // the tail of a packet has left a link
	pauses                // a link, by the other end
	resumes
	paces    // a flow may send again
	expires  // the timer of a flow
	notifies // a receiver may notify again
)

type event struct {
	what action
	i    int32
}

// A Network is the state of all switches and endpoints. Make it with New.
type Network struct {
	cfg      Config
	needs    congestion.Needs
	base     []int32 // first link of a router
	first    int32   // link of terminal 0
	links    []link
	packets  []packet
	freeP    int32
	messages []message
	freeM    int32
	flows    []flow
	index    map[uint64]int32 // of flows
	nics     []nic
	events   calendar.Of[event]
	now      uint64 // ticks
	period   float64
	view     view
	streams  random.Streams // of routers
	paths    paths
	report   congestion.Ack  // of the call that is made
	loss     congestion.Loss // as well
	lag      uint64          // ticks in a router
	timeout  uint64          // ticks
	count    counts
}

// An Arrival is a message that has arrived.
type Arrival struct {
	ID       int32
	Injected uint64 // cycle in which its first packet left its terminal
	Hops     int    // channels between routers that its last packet passed
}

// New makes an empty network.
func New(cfg Config) *Network {
	t := cfg.Topology
	n := &Network{cfg: cfg, needs: cfg.Algorithm.Needs(), base: make([]int32, t.Routers()+1), packets: make([]packet, 1),
		messages: make([]message, 1), index: map[uint64]int32{}, nics: make([]nic, t.Terminals()), period: cfg.Period / tick,
		lag: uint64(cfg.Router) << tickBits}
	for r := range t.Routers() {
		n.base[r+1] = n.base[r] + int32(t.Ports(r))
	}
	n.first = n.base[t.Routers()]
	n.links = make([]link, int(n.first)+t.Terminals())
	for i := range n.links {
		n.links[i].to = none
	}
	set := func(i int32, c topology.Class, to, router int, in bool) {
		l := cfg.link(c)
		n.links[i] = link{to: int32(to), router: int32(router), in: in, latency: uint64(l.Latency) << tickBits}
		if l.Rate > 0 {
			n.links[i].perByte = tick / l.Rate
		}
	}
	for r := range t.Routers() {
		for p := range t.Ports(r) {
			if peer, _, ok := t.Peer(r, p); ok {
				set(n.base[r]+int32(p), t.Class(r, p), peer, r, false)
			}
		}
	}
	for i := range t.Terminals() {
		r, p := t.Home(i)
		set(n.base[r]+int32(p), topology.Terminal, i, r, true)
		set(n.first+int32(i), topology.Terminal, r, none, false)
	}
	n.timeout = n.ticks(max(cfg.Timeout, cfg.timeoutAt(n.rate(n.first))))
	n.view = newView(n)
	n.streams = random.New(cfg.Seed, "transport", t.Routers())
	n.paths.net = n
	return n
}

// ns is a time in nanoseconds.
func (n *Network) ns(ticks uint64) float64 { return float64(ticks) * n.period }

// ticks is a time of nanoseconds.
func (n *Network) ticks(ns float64) uint64 { return uint64(ns / n.period) }

// Send sends a message of so many bytes in a cycle that Advance has not passed.
func (n *Network) Send(id, src, dst int32, bytes int64, cycle uint64) {
	i := n.freeM
	if i == 0 {
		n.messages = append(n.messages, message{})
		i = int32(len(n.messages) - 1)
	} else {
		n.freeM = n.messages[i].next
	}
	packets := uint32(max(1, (bytes+int64(n.cfg.Packet)-1)/int64(n.cfg.Packet)))
	n.messages[i] = message{id: id, src: src, dst: dst, packets: packets, bytes: bytes, left: packets, unacked: packets, begun: cycle << tickBits}
	n.count.messages++
	n.nics[src].waiting++
	n.events.Add(cycle<<tickBits, event{starts, i})
}

// start appends a message to its flow.
func (n *Network) start(i int32) {
	m := &n.messages[i]
	f := n.flowOf(m.src, m.dst)
	x := &n.flows[f]
	m.first = x.top
	x.top += m.packets
	if x.sending == 0 {
		x.sending = i
	} else {
		n.messages[x.lastMessage].next = i
	}
	x.lastMessage = i
	n.wake(f)
}

// Waiting returns the messages at a terminal that have not left it whole.
func (n *Network) Waiting(terminal int) int { return int(n.nics[terminal].waiting) }

// None is later than every cycle: nothing happens until a message is sent.
const None = ^uint64(0)

// Advance simulates up to the end of a cycle, calls arrived for each message that arrives, and
// returns the next cycle in which something happens, or None.
func (n *Network) Advance(cycle uint64, arrived func(Arrival)) uint64 {
	limit := cycle << tickBits
	for n.events.Due(limit) {
		e := n.events.Pop()
		n.now = e.At
		switch i := e.What.i; e.What.what {
		case starts:
			n.start(i)
		case arrives:
			if n.links[n.packets[i].via].in {
				n.receive(i, arrived)
			} else {
				n.forward(i)
			}
		case sent:
			n.left(i)
		case pauses:
			n.hold(i, true)
		case resumes:
			n.hold(i, false)
		case paces:
			n.flows[i].paced = false
			n.wake(i)
		case expires:
			n.expire(i)
		case notifies:
			n.renotify(i)
		}
	}
	for n.events.Len() > 0 && n.idle(n.events.First().What) {
		n.flows[n.events.Pop().What.i].timer = false
	}
	if n.events.Len() == 0 {
		return None
	}
	return (n.events.First().At + tick - 1) >> tickBits
}

// idle reports an event that changes nothing: the timer of a flow that has nothing to send again.
func (n *Network) idle(e event) bool {
	return e.what == expires && n.flows[e.i].acked == n.flows[e.i].top
}

// blank takes a packet of the pool; its telemetry is empty.
func (n *Network) blank() int32 {
	p := n.freeP
	if p == 0 {
		n.packets = append(n.packets, packet{})
		return int32(len(n.packets) - 1)
	}
	n.freeP = n.packets[p].next
	n.packets[p] = packet{telemetry: n.packets[p].telemetry[:0]}
	return p
}

// free gives a packet back.
func (n *Network) free(p int32) {
	n.packets[p].next, n.freeP = n.freeP, p
}
