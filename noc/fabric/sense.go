package fabric

import (
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// view shows one router to the routing algorithm.
type view struct {
	n      *Network
	part   *part
	router int
	draws  int   // random stream of the router or terminal that asks, see Network.streams
	flits  int32 // of the packet that is asked about
	first  int   // class of its virtual network
	deaf   bool  // nothing is ready: an optional hop was refused
	drawn  bool  // Intn was called
}

func (v *view) Router() int { return v.router }
func (v *view) Intn(n int) int {
	v.drawn = true
	return v.n.streams.IntN(v.draws, n)
}

func (v *view) Queue(port int) int {
	v.near(v.router)
	at := v.router*v.n.p + port
	v.count(at)
	return int(v.n.ports[at].used)
}

// near panics for a router of another part, of which this one knows nothing: divide has
// found that the algorithm asks nothing there.
func (v *view) near(router int) {
	if router < v.part.first || router >= v.part.end {
		panic("fabric: the routing asks for the state of a router in another part of the network")
	}
}

// count brings up to date what a port has sent without credit.
func (v *view) count(at int) {
	if v.n.oblivious {
		panic("fabric: a routing asks for a queue that asked for none in an empty network")
	}
	if v.n.ioq == nil {
		v.part.recount(at)
	}
}

func (v *view) QueueClass(port, class int) int {
	v.near(v.router)
	sum := int32(0)
	at := v.router*v.n.p + port
	v.count(at)
	first := at * v.n.v
	for vc := v.n.class[v.first+class]; vc < v.n.class[v.first+class+1]; vc++ {
		sum += v.n.lanes[first+int(vc)].used
	}
	return int(sum)
}

// Remote adds what waits in the router: credits alone hide a port that is asked
// for more than it can carry, for they stop at its round trip.
func (v *view) Remote(router, port int) int {
	v.near(router)
	v.count(router*v.n.p + port)
	sum := v.n.ports[router*v.n.p+port].used
	if v.n.ioq != nil {
		return int(sum) // what waits after the switch is part of it
	}
	lanes := v.n.lanes[router*v.n.pv : (router+1)*v.n.pv]
	for i := range lanes {
		if l := &lanes[i]; l.state >= toAlloc && l.out() == port {
			sum += l.count
		}
	}
	return int(sum)
}

func (v *view) Ready(port, class int) bool {
	if v.deaf {
		return false
	}
	v.near(v.router)
	n := v.n
	at := v.router*n.p + port
	if n.ioq != nil {
		return n.ioq.room(at, v.first+class, v.flits) != none && n.ioq.outs[at].busy <= v.part.now
	}
	v.count(at)
	for vc := n.class[v.first+class]; vc < n.class[v.first+class+1]; vc++ {
		if n.ports[at].busy>>vc&1 == 0 && n.fits(n.lanes[at*n.v+int(vc)].used, n.ports[at].pool, v.flits) {
			return true
		}
	}
	return false
}

func (v *view) Capacity(class topology.Class) int { return v.n.cfg.DepthOf(class) + v.n.cfg.Shared }

// Latency counts the stages of a router as the package's doc does.
func (v *view) Latency(class topology.Class) int {
	return v.n.cfg.Pass(class)
}

func (v *view) Flying(port int) int {
	v.count(v.router*v.n.p + port)
	return int(v.n.sense.flying[v.router*v.n.p+port])
}
func (v *view) Rate(port int) int { return int(v.n.sense.rate[v.router*v.n.p+port]) }

// Notice of the own router is that of this cycle; of others, that of a local
// latency ago.
func (v *view) Notice(router, port int) bool {
	s := &v.n.sense
	v.near(router)
	cycle := v.part.now
	if router != v.router {
		cycle -= int64(v.n.cfg.LocalLatency)
	}
	return cycle >= 0 && s.notices[int(cycle%int64(s.slots))*len(v.n.ports)+router*v.n.p+port]
}

// A sense keeps what the questions of a View need that few algorithms ask.
type sense struct {
	notifier routing.Notifier
	slots    int
	notices  []bool  // [slot*ports+port], a slot per cycle
	globals  []int32 // ports that are asked about

	flying []int32 // flits and credits on the channel of a port; nil: not counted

	sent, rate []int32 // flits in this window and in the last; nil: not counted
	window     int64
}

func newSense(n *Network) sense {
	var s sense
	if a, ok := n.cfg.Routing.(routing.Notifier); ok {
		s.notifier = a
		s.slots = n.cfg.LocalLatency + 1
		s.notices = make([]bool, s.slots*len(n.ports))
		for r := range n.routers {
			for p := range n.cfg.Topology.Ports(r) {
				if n.cfg.Topology.Class(r, p) == topology.Global {
					s.globals = append(s.globals, int32(r*n.p+p))
				}
			}
		}
	}
	if a, ok := n.cfg.Routing.(routing.ViewUser); ok {
		flying, rate := a.ViewUse()
		if flying {
			s.flying = make([]int32, len(n.ports))
		}
		if rate {
			s.sent, s.rate = make([]int32, len(n.ports)), make([]int32, len(n.ports))
		}
	}
	return s
}

// update tells what the routers notice in this cycle.
func (s *sense) update(p *part) {
	n := p.n
	if s.notifier != nil {
		slot := int(p.now%int64(s.slots)) * len(n.ports)
		for _, at := range p.globals {
			r := int(at) / n.p
			p.view.router = r
			s.notices[slot+int(at)] = s.notifier.Congested(&p.view, int(at)-r*n.p)
		}
	}
	if w := p.now / routing.RateWindow; s.rate != nil && w != s.window {
		if w > s.window+1 { // nothing has left in the window before this one
			clear(s.sent)
		}
		s.window = w
		s.sent, s.rate = s.rate, s.sent
		clear(s.sent)
	}
}

// leave, come, credit and count follow a flit through the channel of a port, and
// its credit on the way back.
func (s *sense) leave(port, flits int32) {
	if s.flying != nil {
		s.flying[port] += flits
	}
	if s.sent != nil {
		s.sent[port] += flits
	}
}

func (s *sense) come(port, flits int32) {
	if s.flying != nil {
		s.flying[port] -= flits
	}
}

func (s *sense) credit(port, flits int32) {
	if s.flying != nil {
		s.flying[port] += flits
	}
}
