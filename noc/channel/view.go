package channel

import (
	"math/rand/v2"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// view implements routing.View at one router.
type view struct {
	routing.Blind // what routing learns to ask and queues do not know
	n             *Network
	rng           *rand.Rand
	router        int32
	told          routing.Notifier // the algorithm, if it is one
}

func (v *view) link(router, port int) *link { return &v.n.links[v.n.base[router]+int32(port)] }
func (v *view) here(port int) *link         { return v.link(int(v.router), port) }

func (v *view) Router() int                 { return int(v.router) }
func (v *view) Queue(port int) int          { return int(v.here(port).pending) }
func (v *view) Remote(router, port int) int { return int(v.link(router, port).pending) }
func (v *view) Intn(n int) int              { return v.rng.IntN(n) }

func (v *view) QueueClass(port, class int) int {
	return int(v.n.perClass[(int(v.n.base[v.router])+port)*v.n.classes+class])
}

// Flying is what is pending and has left the queue. The queue is as long as the
// time until it is empty.
func (v *view) Flying(port int) int {
	l := v.here(port)
	if l.free <= v.n.now || l.perByte == 0 {
		return int(l.pending)
	}
	queue := float64(l.free-v.n.now) / (l.perByte * float64(v.n.cfg.Width))
	return max(0, int(l.pending)-int(queue+0.999999))
}

// Ready: queues have no end, so only the channel counts.
func (v *view) Ready(port, _ int) bool { return v.here(port).free <= v.n.now }

// Notice asks at once what would be told a local latency later.
func (v *view) Notice(router, port int) bool {
	if v.told == nil {
		return false
	}
	at := v.router
	v.router = int32(router)
	is := v.told.Congested(v, port)
	v.router = at
	return is
}

// Rate counts flits when they come to the other end.
func (v *view) Rate(port int) int {
	l := v.here(port)
	l.turn(v.n.now)
	return int(l.lastWindow)
}

// Capacity is what a buffer would hold that never stops its channel: the flits of
// a round trip.
func (v *view) Capacity(class topology.Class) int {
	l := v.n.cfg.link(class)
	rate := 1.0 // flits per cycle
	if l.Rate > 0 {
		rate = l.Rate / float64(v.n.cfg.Width)
	}
	return max(minCapacity, int(2*float64(l.Latency+v.n.cfg.Router)*rate))
}

// minCapacity is in flits. assumption: the depth of a small router's buffer.
const minCapacity = 8

func (v *view) Latency(class topology.Class) int {
	return v.n.cfg.link(class).Latency + v.n.cfg.Router
}

// turn moves the windows of Rate on to the one that a time lies in.
func (l *link) turn(now uint64) {
	w := now / (routing.RateWindow << tickBits)
	switch {
	case w == l.window:
		return
	case w == l.window+1:
		l.lastWindow = l.thisWindow
	default:
		l.lastWindow = 0
	}
	l.window, l.thisWindow = w, 0
}
