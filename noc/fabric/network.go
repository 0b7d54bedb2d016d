package fabric

import (
	"math/bits"

	"github.com/causeway-sim/causeway/components/random"
	"github.com/causeway-sim/causeway/noc/allocator"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// none marks an absent index.
const none = -1

// States of an input virtual channel. Its packet is the one at its front.
const (
	idle      uint8 = iota // empty, and no packet passes
	toRoute                // waits for the routing stage
	toAlloc                // waits for an output virtual channel
	switching              // holds one
	sinking                // its packet is discarded: see outage
)

// A port is what a router knows of one of its ports, both directions. It fills a line of a
// processor's cache.
type port struct {
	peer     int32 // port at the other end, or the terminal; none: the port is unused
	terminal bool
	global   bool
	far      int16  // part of the peer, if it is another one; else none
	credit   int32  // whose credits the flits that leave this input are: see Network.credits
	latency  int32  // of the channel
	come     int32  // cycles after which a flit that leaves has come as a whole
	back     int32  // cycles after which a credit that leaves counts
	interval int32  // ticks per flit
	carried  uint32 // flits sent; see wrap
	used     int32  // flits sent and not credited, all virtual channels
	pool     int32  // of used, those beyond the own depth of their virtual channels
	busy     uint32 // output virtual channels that are held, a bit each
	vcPtr    int16  // virtual channel that the switch prefers at this input
	lastOut  int64  // ticks at which the last flit leaves
	lastBack int64  // cycle in which the last credit leaves
}

// A lane is one virtual channel of a port: its input side and its output side. Two of
// them fill a line of a processor's cache.
type lane struct {
	// input
	front       int32 // flit, if count is not 0
	head, count int32 // of the flits; those after the first are in a ring
	promised    int32 // flits of the packet at the front that room is held for, see claim
	// Of the head at the front: the rest of its source route, where heads carry source routes; where
	// routing has a stage, the low bits of the cycle in which it ends.
	rest way
	// output
	used int32 // flits sent and not credited, and those promised

	way
	state  uint8
	outVC  uint8
	staged bool // the routing stage has begun
}

// A packet is in a pool; index 0 is never used. A flit is the index of its
// packet, shifted, and whether it is the first and the last. It fills a line of a
// processor's cache.
type packet struct {
	routing.Packet
	way            // at the router that its head comes to, if routed ahead
	vc       uint8 // into which its terminal injects it
	net      uint8 // virtual network
	record   bool
	optional bool  // out is
	sampled  bool  // see watcher
	tries    uint8 // how often it was sent before, see resends
	pieces   uint8 // of a packet that a failure has cut, 0: it is whole
	next     int32 // in its source queue
	left     int32 // flits that the terminal has not injected
	flits    int32
	tag      int32 // of SendTagged; of a packet handed over by value, the cycles it waited to be taken
	created  int64
	injected int64
}

const (
	headFlit = 1 << iota
	tailFlit
	flitShift = iota
)

// A nic is the injecting side of a terminal.
type nic struct {
	first, last int32 // queue of packets, 0 is empty
	port        int32
	lastVC      int16
	held        bool     // takes nothing off the network: no credits for what comes
	pool        int32    // flits injected beyond the own depth of their virtual channels
	box         [2]int32 // packets handed over by value that the queue has not taken, see carry
	next        int64    // ticks from which on its channel takes another flit
	owed        []int32  // lanes whose credits were held back
}

// A Network is a flit-level network. Make it with New.
type Network struct {
	cfg     setting.Config
	routers int
	p, v    int // ports of the widest router, virtual channels
	pv      int // lanes of a router
	words   int // of a mask over its lanes

	ports []port // [router*p+port]
	lanes []lane // [(router*p+port)*v+vc]
	ring  []int32
	mask  int32 // of a ring
	shift int
	depth int32
	most  int32 // flits in a virtual channel: its own depth and all that is shared
	nics  []nic
	sent  []int32 // [terminal*v+vc] flits injected and not credited

	credits     []credits // of each port, then of each terminal
	creditDelay int64

	masks []mask // [router*words] lanes in each state

	parts     []*part
	partOf    []int16 // of a router
	lookahead int64   // cycles in which nothing gets from one part to another
	window    int64   // cycles after which parts meet: lookahead, or the quantum if that is more
	quantum   int64
	whole     string // why it is one part; "": it is not
	wheelMask int64
	longest   int // latency of a channel
	pool      pool

	streams       random.Streams // one per router, then one per terminal
	sense         sense
	opportunist   bool                 // the routing offers optional hops
	class         []uint8              // first virtual channel of [network*classes+class], and one more
	classes       int                  // of a virtual network
	sourceRouting routing.SourceRouted // the routing, if heads carry source routes: see planSourceRoutes
	ways          [1 << stepBits]way
	next          []int32      // router at the other end of a port, none for that of a terminal
	routes        []way        // [router*routers+router] source routes from a router to another, see sourceRoute
	homes         []where      // of terminals
	fused         bool         // see fuses
	crowds        []contenders // of routers
	oblivious     bool         // heads carry source routes, and the routing asks for nothing
	ample         bool         // see refundAhead
	ordered       bool         // an observer follows what happens in a cycle, in its order
	claims        bool         // room for a packet is held when it gets a virtual channel
	ages          bool         // the allocator asks for the age of packets

	ioq *ioq // the router, if not the one below

	routing routing.Algorithm // that of the configuration, or its outage.detour
	own     int               // classes of it; those of detours come after
	outage  *outage           // nil: no channel fails during the run

	portOf, vcOf []int16  // of a lane of a router
	where        []where  // a lane is, for who knows its number only: a division takes longer
	stalls       []uint64 // [port] see CountStalls; nil: not counted

	// totals of all parts at the end of the last cycle, for the metrics
	flitHops, sentPackets uint64
	total, last           []uint64 // by port: flits sent, and what of them had really been at noted; nil: see noted

	watch   Watcher  // nil: not asked for
	driven  *driven  // by value; nil: by messages
	scaling *scaling // nil: not asked for

	// Delivered, if set, is called when the last flit of a packet has come.
	Delivered func(Delivery)
	// Lost, if set, is called when the last flit of a packet that a failed channel has cut
	// is gone.
	Lost func(Loss)
}

// A mask is 64 lanes of a router: those in the routing stage, those that wait for an
// output lane, and those that hold one and have a flit.
type mask struct {
	route, alloc, ready uint64
	vain                uint64 // of alloc: found nothing free, and nothing has become free since; see contend
}

// where is the port and the router of a lane.
type where struct{ port, router int32 }

// A Delivery is what is known of a packet that has come.
type Delivery struct {
	Src, Dst, Flits            int
	Tag                        int32
	Hops                       int // channels between routers
	Created, Injected, Arrived int64
	Record                     bool
}

// delivery is what is known of a packet that has come, or that is lost.
func (x *packet) delivery(now int64) Delivery {
	return Delivery{
		Src: int(x.Src), Dst: int(x.Dst), Flits: int(x.flits), Tag: x.tag, Hops: int(x.Hops),
		Created: x.created, Injected: x.injected, Arrived: now, Record: x.record,
	}
}

// avoid takes a routing around channels that fail during the run.
func (n *Network) avoid() (err error) {
	n.routing, n.own = n.cfg.Routing, n.cfg.Routing.Classes()
	if n.outage, err = newOutage(&n.cfg); err == nil && n.outage != nil {
		n.outage.n, n.routing = n, n.outage.detour
		n.v += n.outage.detour.Turns() * n.cfg.NetworkCount()
	}
	n.classes = n.routing.Classes()
	return err
}

// share deals the virtual channels to the classes of the virtual networks. Each class of a
// detour has one, so that others have what they have without failures.
func (n *Network) share() (first []uint8) {
	nets, extra := n.cfg.NetworkCount(), n.classes-n.own
	for c := range nets * n.own {
		first = append(first, uint8(c*n.cfg.VCs/(nets*n.own)+c/n.own*extra))
		for k := range extra {
			if c%n.own == n.own-1 {
				first = append(first, uint8((c+1)*n.cfg.VCs/(nets*n.own)+c/n.own*extra+k))
			}
		}
	}
	return append(first, uint8(n.cfg.VCs+nets*extra))
}

// New checks the configuration and makes an empty network at cycle 0.
func New(cfg setting.Config) (*Network, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	t := cfg.Topology
	n := &Network{cfg: cfg, routers: t.Routers(), v: max(cfg.VCs, cfg.InjectVCs), depth: int32(cfg.Depth)}
	if err := n.avoid(); err != nil {
		return nil, err
	}
	for r := range n.routers {
		n.p = max(n.p, t.Ports(r))
	}
	n.pv = n.p * n.v
	n.most = n.depth + int32(cfg.Shared)
	n.creditDelay = int64(cfg.CreditDelay)
	n.claims = cfg.Shared > 0 && cfg.Flow == setting.CutThrough
	n.words = (n.pv + 63) / 64
	n.ports = make([]port, n.routers*n.p)
	n.lanes = make([]lane, n.routers*n.pv)
	n.shift = bits.Len(uint(n.most - 1))
	n.mask = 1<<n.shift - 1
	if cfg.Queueing != setting.InputOutput {
		n.ring = make([]int32, len(n.lanes)<<n.shift)
	}
	n.masks = make([]mask, n.routers*n.words)
	n.credits = make([]credits, len(n.ports)+t.Terminals())
	n.nics = make([]nic, t.Terminals())
	n.sent = make([]int32, t.Terminals()*n.v)
	longest, slowest := 0, 1
	for i := range n.ports {
		r, p := i/n.p, i%n.p
		q := &n.ports[i]
		q.peer, q.far, q.lastOut, q.lastBack = none, none, -setting.Tick, none
		if p >= t.Ports(r) {
			continue
		}
		q.latency = int32(cfg.LatencyOf(t.Class(r, p)))
		q.global = t.Class(r, p) == topology.Global
		interval := cfg.IntervalOf(t.Class(r, p))
		q.interval = int32(interval)
		q.lastOut = -interval // so that a flit can leave in the first cycle
		cycles := int32(setting.Whole(interval))
		q.come, q.back = q.latency+cycles, q.latency+1+int32(cfg.CreditDelay)
		longest, slowest = max(longest, int(q.latency)), max(slowest, int(cycles))
		if r2, p2, ok := t.Peer(r, p); ok {
			q.peer = int32(r2*n.p + p2)
			q.credit = q.peer
		}
	}
	for term := range n.nics {
		r, p := t.Home(term)
		q := &n.ports[r*n.p+p]
		q.peer, q.terminal = int32(term), true
		q.credit, q.back = int32(len(n.ports)+term), q.latency+1
		n.nics[term] = nic{port: int32(r*n.p + p), lastVC: none}
	}
	n.longest = longest
	n.wheelMask = n.wheel(slowest)

	n.class = n.share()
	n.portOf, n.vcOf = make([]int16, n.pv), make([]int16, n.pv)
	for i := range n.pv {
		n.portOf[i], n.vcOf[i] = int16(i/n.v), int16(i%n.v)
	}
	n.where = make([]where, len(n.lanes))
	for i := range n.where {
		n.where[i] = where{int32(i / n.v), int32(i / n.pv)}
	}
	if n.outage != nil {
		n.outage.down, n.outage.owner = make([]bool, len(n.ports)), make([]int32, len(n.lanes))
	}
	n.sense = newSense(n)
	_, n.opportunist = cfg.Routing.(routing.OpportunisticAlgorithm)
	alloc, _ := allocator.All.Entry(string(cfg.Allocator))
	n.ages = alloc.New.Ages
	n.streams = random.New(cfg.Seed, "fabric", n.routers+len(n.nics))
	n.divide([]int{n.routers}, []int{len(n.nics)})
	n.crowds = make([]contenders, n.routers)
	n.planSourceRoutes()
	n.fused = n.fuses()
	n.ample = n.fused && n.oblivious && cfg.Shared == 0
	if cfg.Queueing == setting.InputOutput {
		n.ioq = newIOQ(n)
	}
	return n, nil
}

// wheel is the mask of a time wheel for channels of at most so many cycles per flit.
func (n *Network) wheel(slowest int) int64 {
	cfg := &n.cfg
	// The last flit of full buffers that wait for one output leaves after all others.
	horizon := 2*(n.longest+2+slowest) + cfg.CreditDelay + (n.v*max(cfg.Depth, cfg.DepthOf(topology.Global))+cfg.Shared)*slowest + 2
	return int64(1<<bits.Len(uint(horizon)) - 1)
}

// Config is what the network was made from.
func (n *Network) Config() setting.Config { return n.cfg }

// Now is the cycle that the next Step simulates.
func (n *Network) Now() int64 { return n.parts[0].now }

// Terminals is the number of terminals.
func (n *Network) Terminals() int { return len(n.nics) }

// InFlight is the number of flits in the network, source queues left out.
func (n *Network) InFlight() uint64 {
	return n.sum(func(c *counts) uint64 { return c.injected + c.madeFlits - c.lostFlits }) - n.Ejected()
}

// FlitHops counts flits that won a switch.
func (n *Network) FlitHops() uint64 { return n.sum(func(c *counts) uint64 { return c.flitHops }) }

// Send puts a packet into the source queue of terminal src, as created in cycle
// Now. record marks it for a measurement.
func (n *Network) Send(src, dst, flits int, record bool) { n.send(src, dst, flits, record, n.Now()) }

// SendDue is Send of a packet that was created in an earlier cycle and waited at its source.
func (n *Network) SendDue(src, dst, flits int, record bool, created int64) {
	n.send(src, dst, flits, record, created)
}

func (n *Network) send(src, dst, flits int, record bool, created int64) (id int32) {
	p := n.home(src)
	id, x := p.make(src, dst, flits, created)
	x.record = record
	x.sampled = p.sample()
	q := &n.nics[src]
	if q.first == 0 {
		q.first = id
	} else {
		n.pool.at(q.last).next = id
	}
	q.last = id
	p.queued(src)
	p.send(x)
	return id
}

// Queued reports whether the source queue of a terminal holds a packet.
func (n *Network) Queued(terminal int) bool { return n.nics[terminal].first != 0 }

// Backlog is the number of flits in the source queue of a terminal.
func (n *Network) Backlog(terminal int) int {
	flits := int32(0)
	for id := n.nics[terminal].first; id != 0; id = n.pool.at(id).next {
		flits += n.pool.at(id).left
	}
	return int(flits)
}

// Waiting is the number of flits that were sent and have not come, source queues
// included.
func (n *Network) Waiting() int64 {
	return int64(n.sum(func(c *counts) uint64 { return uint64(c.waiting) }))
}

// Pending is Waiting, and the sum of the cycles in which those flits were created.
func (n *Network) Pending() (flits, created int64) {
	return n.Waiting(), int64(n.sum(func(c *counts) uint64 { return uint64(c.created) }))
}

// Ejected is the number of flits that have come.
func (n *Network) Ejected() uint64 { return n.sum(func(c *counts) uint64 { return c.ejected }) }
