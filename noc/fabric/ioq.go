package fabric

import (
	"math/bits"

	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/topology"
)

// An ioq moves whole packets through input-output-queued routers with virtual
// cut-through, by the rules of FOGSim 2021 (switch/ioqSwitchModule.cc and what it
// calls). A packet of S flits takes S cycles on a channel.
//
// In a cycle, a router counts the credits that have come, then matches inputs
// with outputs Iterations times, then starts to send what waits for outputs.
//
//   - An input asks for one of its virtual channels, least recently asked first,
//     whose packet could go: the output takes nothing, there is room for all of
//     the packet after the switch and in the buffer at the other end. The
//     routing is asked anew each time.
//   - An output grants one input, least recently granted first, inputs from other
//     routers before those from terminals.
//   - A packet crosses the switch in S/Speedup cycles, or as fast as it comes in.
//     Its input is busy so long, its output always S/Speedup cycles (FOGSim forgets
//     when the packet came before it asks for the output's time). Its buffer and
//     credits are free at once. Its head has passed the switch after CrossbarDelay
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
	times []times   // by packet
}

// The times of a packet at the place where it is: the cycle in which its head is there,
// and the one after that in which all of it is.
type times struct{ entry, tail int64 }

// A queue of packets, linked by packet.next; 0 is none.
type queue struct{ first, last int32 }

func (q *queue) push(n *Network, id int32) {
	n.pool.at(id).next = 0
	if q.first == 0 {
		q.first = id
	} else {
		n.pool.at(q.last).next = id
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
	q.wheel = make([]ioqSlot, n.wheelMask+1)
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

// room is the virtual channel of a class, at the output at, that has most room,
// if there is enough for flits, or none.
func (q *ioq) room(at, class int, flits int32) int {
	n := q.n
	if q.outs[at].used+flits > int32(n.cfg.OutputDepth) {
		return none
	}
	depth := int32(n.cfg.Depth)
	if n.ports[at].global {
		depth = int32(n.cfg.DepthOf(topology.Global))
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
	q.n.parts[0].at(cycle) // checks and notes it
	return &q.wheel[cycle&q.n.wheelMask]
}

func (q *ioq) step() {
	p := q.n.parts[0] // packets of any place may go anywhere: there is one part
	q.receive()
	for w, set := range p.awake {
		for ; set != 0; set &= set - 1 {
			q.work(w*64 + bits.TrailingZeros64(set))
		}
	}
	for w := range p.active {
		for set := p.active[w]; set != 0; set &= set - 1 {
			q.inject(w*64 + bits.TrailingZeros64(set))
		}
	}
	p.now++
}

// receive takes what arrives in this cycle: packets at terminals, credits, and heads
// of packets at routers.
func (q *ioq) receive() {
	n, p := q.n, q.n.parts[0]
	s := &q.wheel[p.now&n.wheelMask]
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
			n.sense.come(n.ports[at].peer, n.pool.at(a.flit).flits)
		}
		q.lanes[a.lane].push(n, a.flit)
		p.wake(at / n.p)
	}
	s.deliver, s.credits, s.arrive = s.deliver[:0], s.credits[:0], s.arrive[:0]
	n.sense.update(p)
}

// inject writes one packet of a terminal into a buffer of its router.
func (q *ioq) inject(t int) {
	n, one := q.n, q.n.parts[0]
	nic := &n.nics[t]
	id := nic.first
	p := n.pool.at(id)
	vcs := n.cfg.InjectVCs
	if vcs == 0 {
		vcs = n.cfg.VCs
	}
	free := uint32(0)
	lo, hi := int(p.net)*vcs/n.cfg.NetworkCount(), int(p.net+1)*vcs/n.cfg.NetworkCount()
	for vc := lo; vc < hi; vc++ {
		if n.cfg.InjectVC == setting.ByDst && vc != lo+int(p.Dst)*(hi-lo)/len(n.nics) {
			continue
		}
		if int(n.sent[t*n.v+vc]+p.flits) <= n.cfg.DepthOf(topology.Terminal) {
			free |= 1 << vc
		}
	}
	if free == 0 {
		return
	}
	vc := 0
	if n.cfg.InjectVC == setting.Random {
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
		n.watch.Enter(id, p.tag, p.flits, t)
	}
	if nic.first = p.next; nic.first == 0 {
		one.active[t>>6] &^= 1 << (t & 63)
	}
	p.left, p.vc, p.injected = 0, uint8(vc), one.now
	for int(id) >= len(q.times) {
		q.times = append(q.times, times{})
	}
	at := &q.times[id]
	at.entry = one.now + int64(n.ports[nic.port].latency)
	at.tail = at.entry + setting.Whole(int64(p.flits)*int64(n.ports[nic.port].interval))
	n.sent[t*n.v+vc] += p.flits
	one.injected += uint64(p.flits)
	one.lastMove = one.now
	s := q.slot(at.entry)
	s.arrive = append(s.arrive, arrival{lane: nic.port*int32(n.v) + int32(vc), flit: id})
}

func (q *ioq) deliver(id int32) {
	p := q.n.parts[0]
	x := q.n.pool.at(id)
	p.ejected += uint64(x.flits)
	p.waiting -= int64(x.flits)
	p.created -= int64(x.flits) * x.created
	p.lastMove = p.now
	p.come(id, x)
}
