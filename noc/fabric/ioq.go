package fabric

import (
	"math/bits"

	"github.com/causeway-sim/causeway/noc/topology"
)

// An ioq moves whole packets through input-output-queued routers with virtual
// cut-through, by the rules of FOGSim 2021 (switch/ioqSwitchModule.cc and what it
// calls). A packet of S flits takes S cycles on a channel.
//
// In a cycle, a router counts the credits that have come, then matches inputs
// with outputs Iterations times, then starts to send what waits behind outputs.
//
//   - An input asks for one of its virtual channels, least recently asked first,
//     whose packet could go: the output takes nothing, there is room for all of
//     the packet behind the switch and in the buffer at the other end. The
//     routing is asked anew each time.
//   - An output grants one input, least recently granted first, inputs from other
//     routers before those from terminals.
//   - A packet crosses the switch in S/Speedup cycles, or as fast as it comes in.
//     Its input is busy so long, its output always S/Speedup cycles (FOGSim forgets
//     when the packet came before it asks for the output's time). Its buffer and
//     credits are free at once. Its head is behind the switch after CrossbarDelay
//     cycles.
//   - A terminal writes a packet into a buffer of its router at once.
type ioq struct {
	n     *Network
	lanes []queue   // before the switch
	ins   []ioqIn   // of a port
	outs  []ioqOut  // of a port
	order []uint8   // [port*v+i] virtual channels of an input, the next to ask first
	turn  []int16   // [port*p+i] inputs of an output, the next to be granted first
	wheel []ioqSlot // parallel to that of the Network
	asks  []ask     // scratch, of an input of a router
}

// A queue of packets, linked by packet.next; 0 is none.
type queue struct{ first, last int32 }

func (q *queue) push(n *Network, id int32) {
	n.packets[id].next = 0
	if q.first == 0 {
		q.first = id
	} else {
		n.packets[q.last].next = id
	}
	q.last = id
}

type ioqIn struct{ busy int64 } // until when it sends to the switch

type ioqOut struct {
	queue
	used int32 // flits in queue
	busy int64 // until when it takes from the switch
	link int64 // until when it sends, in ticks
}

// An ask is what an input wants in an iteration.
type ask struct {
	out, vc int16
	outVC   uint8
}

type ioqSlot struct {
	arrive  []arrival // lane and packet whose head has come
	deliver []int32   // packets whose last flit has come to the terminal
	credits []arrival // lane and flits
}

func newIOQ(n *Network) *ioq {
	q := &ioq{n: n, lanes: make([]queue, len(n.lanes)), ins: make([]ioqIn, len(n.ports)), outs: make([]ioqOut, len(n.ports))}
	q.order = make([]uint8, len(n.lanes))
	q.turn = make([]int16, len(n.ports)*n.p)
	q.wheel = make([]ioqSlot, len(n.wheel))
	q.asks = make([]ask, n.p)
	for at := range n.ports {
		for vc := range n.v {
			q.order[at*n.v+vc] = uint8(vc)
		}
		turn := q.turn[at*n.p : at*n.p : (at+1)*n.p]
		for _, terminal := range []bool{false, true} {
			for p := range n.p {
				if n.ports[at/n.p*n.p+p].terminal == terminal {
					turn = append(turn, int16(p))
				}
			}
		}
	}
	return q
}

// room is the virtual channel of a class behind output at that has most room,
// if there is enough for flits, or none.
func (q *ioq) room(at, class int, flits int32) int {
	n := q.n
	if q.outs[at].used+flits > int32(n.cfg.OutputDepth) {
		return none
	}
	depth := int32(n.cfg.Depth)
	if n.ports[at].global {
		depth = int32(n.cfg.depth(topology.Global))
	}
	best := none
	for vc := int(n.class[class]); vc < int(n.class[class+1]); vc++ {
		if used := n.lanes[at*n.v+vc].used; used+flits <= depth && (best < 0 || used < n.lanes[at*n.v+best].used) {
			best = vc
		}
	}
	return best
}

func (q *ioq) slot(cycle int64) *ioqSlot {
	q.n.at(cycle) // checks and notes it
	return &q.wheel[cycle&q.n.wheelMask]
}

func (q *ioq) step() {
	n := q.n
	q.receive()
	for w, set := range n.awake {
		for ; set != 0; set &= set - 1 {
			q.work(w*64 + bits.TrailingZeros64(set))
		}
	}
	for t := range n.nics {
		if nic := &n.nics[t]; nic.first != 0 {
			q.inject(t, nic)
		}
	}
	n.now++
}

// receive takes what arrives in this cycle: packets at terminals, credits, and heads
// of packets at routers.
func (q *ioq) receive() {
	n := q.n
	s := &q.wheel[n.now&n.wheelMask]
	for _, id := range s.deliver {
		q.deliver(id)
	}
	for _, c := range s.credits {
		n.lanes[c.lane].used -= c.flit
		n.ports[int(c.lane)/n.v].used -= c.flit
		n.sense.come(c.lane/int32(n.v), c.flit)
	}
	for _, a := range s.arrive {
		at := int(a.lane) / n.v
		if n.sense.flying != nil && !n.ports[at].terminal {
			n.sense.come(n.ports[at].peer, n.packets[a.flit].flits)
		}
		q.lanes[a.lane].push(n, a.flit)
		r := at / n.p
		n.awake[r>>6] |= 1 << (r & 63)
	}
	s.deliver, s.credits, s.arrive = s.deliver[:0], s.credits[:0], s.arrive[:0]
	n.sense.update(n)
}

// inject writes one packet of a terminal into a buffer of its router.
func (q *ioq) inject(t int, nic *nic) {
	n := q.n
	id := nic.first
	p := &n.packets[id]
	vcs := n.cfg.InjectVCs
	if vcs == 0 {
		vcs = n.cfg.VCs
	}
	free := uint32(0)
	lo, hi := int(p.net)*vcs/n.cfg.networks(), int(p.net+1)*vcs/n.cfg.networks()
	for vc := lo; vc < hi; vc++ {
		if n.cfg.InjectVC == ByDst && vc != lo+int(p.Dst)*(hi-lo)/len(n.nics) {
			continue
		}
		if int(n.sent[t*n.v+vc]+p.flits) <= n.cfg.depth(topology.Terminal) {
			free |= 1 << vc
		}
	}
	if free == 0 {
		return
	}
	vc := 0
	if n.cfg.InjectVC == Random {
		for k := n.streams.IntN(n.routers+t, bits.OnesCount32(free)); k > 0; k-- {
			free &= free - 1
		}
		vc = bits.TrailingZeros32(free)
	} else {
		for vc = int(nic.lastVC+1) % vcs; free>>vc&1 == 0; vc = (vc + 1) % vcs {
		}
	}
	nic.lastVC = int16(vc)
	if p.sampled {
		n.watch.enter(id, p, t)
	}
	nic.first = p.next
	p.left, p.vc, p.injected = 0, uint8(vc), n.now
	p.entry = n.now + int64(n.ports[nic.port].latency)
	p.tail = p.entry + whole(int64(p.flits)*n.ports[nic.port].interval)
	n.sent[t*n.v+vc] += p.flits
	n.injected += uint64(p.flits)
	n.lastMove = n.now
	s := q.slot(p.entry)
	s.arrive = append(s.arrive, arrival{nic.port*int32(n.v) + int32(vc), id})
}

func (q *ioq) deliver(id int32) {
	n := q.n
	p := &n.packets[id]
	n.ejected += uint64(p.flits)
	n.waiting -= int64(p.flits)
	n.created -= int64(p.flits) * p.created
	n.lastMove = n.now
	n.gotPackets++
	if p.sampled {
		n.watch.leave(id)
	}
	if n.Delivered != nil {
		n.Delivered(Delivery{
			Src: int(p.Src), Dst: int(p.Dst), Flits: int(p.flits), Tag: p.tag, Hops: int(p.Hops),
			Created: p.created, Injected: p.injected, Arrived: n.now, Record: p.record,
		})
	}
	n.packets[id].next = n.free
	n.free = id
}
