package routing

import "github.com/causeway-sim/causeway/noc/topology"

// Adapts reports whether an algorithm uses the state of the network. It follows packets through
// an empty network and observes whether the algorithm calls its View.
func Adapts(t topology.Topology, a Algorithm) bool {
	if _, ok := a.(Notifier); ok {
		return true
	}
	n := t.Terminals()
	step := max(1, n/sampled)
	v := &askedView{t: t}
	for src := 0; src < n; src += step {
		for dst := 0; dst < n && !v.asked; dst += step {
			v.walk(a, src, dst)
		}
	}
	return v.asked
}

// sampled terminals are enough to meet every kind of pair: those in one router,
// in one group and elsewhere.
const sampled = 64

// askedView is a View of an empty network that records which of its methods were called.
type askedView struct {
	Blind
	t      topology.Topology
	router int
	draws  int
	asked  bool
}

// walk takes a packet to where it leaves the network.
func (v *askedView) walk(a Algorithm, src, dst int) {
	p := Packet{Src: int32(src), Dst: int32(dst)}
	v.router, _ = v.t.Home(src)
	for range maxWalk {
		h := a.Next(v, &p)
		to, _, ok := v.t.Peer(v.router, h.Port)
		if !ok || v.asked {
			return
		}
		v.router = to
		p.Hops++
	}
}

// maxWalk is more channels than any path has that is worth to be walked.
const maxWalk = 250

func (v *askedView) ask() int { v.asked = true; return 0 }

// Router implements View.
func (v *askedView) Router() int { return v.router }

// Intn implements View: any draw will do, but not always the same.
func (v *askedView) Intn(n int) int { v.draws++; return v.draws % n }

// Queue implements View.
func (v *askedView) Queue(int) int { return v.ask() }

// QueueClass implements View.
func (v *askedView) QueueClass(int, int) int { return v.ask() }

// Remote implements View.
func (v *askedView) Remote(int, int) int { return v.ask() }

// Flying implements View.
func (v *askedView) Flying(int) int { return v.ask() }

// Rate implements View.
func (v *askedView) Rate(int) int { return v.ask() }

// Notice implements View.
func (v *askedView) Notice(int, int) bool { return v.ask() > 0 }

// Ready implements View.
func (v *askedView) Ready(int, int) bool { return v.ask() == 0 }
