package channel

import (
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// view implements routing.View at one router.
type view struct {
	routing.Blind // what routing learns to ask and queues do not know
	n             *Network
	router        int32
	told          routing.Notifier // the algorithm, if it is one
	flits         int32            // of the packet that asks
	first         int              // class of its virtual network
}

func (v *view) link(router, port int) *link { return &v.n.links[v.n.base[router]+int32(port)] }
func (v *view) here(port int) *link         { return v.link(int(v.router), port) }

func (v *view) Router() int        { return int(v.router) }
func (v *view) Queue(port int) int { return v.Remote(int(v.router), port) }
func (v *view) Intn(n int) int     { return v.n.streams.IntN(int(v.router), n) }

func (v *view) Remote(router, port int) int {
	l := v.n.base[router] + int32(port)
	if v.n.shut(l) {
		return v.n.cfg.Buffer * v.n.classes
	}
	if v.n.lanes != nil {
		for i := range int32(v.n.classes) {
			v.n.harvest(l*int32(v.n.classes)+i, v.n.now)
		}
	}
	return int(v.n.links[l].pending)
}

func (v *view) QueueClass(port, class int) int {
	class += v.first
	if v.n.shut(v.n.base[v.router] + int32(port)) {
		return v.n.cfg.Buffer
	}
	if v.n.lanes != nil {
		v.n.harvest((v.n.base[v.router]+int32(port))*int32(v.n.classes)+int32(class), v.n.now)
	}
	return int(v.n.perClass[(int(v.n.base[v.router])+port)*v.n.classes+class])
}

// Flying is what is pending and has left the queue. The queue is as long as the
// time until it is empty.
func (v *view) Flying(port int) int {
	l := v.here(port)
	if v.n.lanes != nil {
		flying := int(l.flying)
		first := (int(v.n.base[v.router]) + port) * v.n.classes
		for i := range v.n.lanes[first : first+v.n.classes] {
			x := &v.n.lanes[first+i]
			for _, c := range x.credits[x.head:] {
				flying += int(c.flits)
			}
		}
		return min(flying, int(l.pending))
	}
	if l.free <= v.n.now || l.perByte == 0 {
		return int(l.pending)
	}
	queue := float64(l.free-v.n.now) / (l.perByte * float64(v.n.cfg.Width))
	return max(0, int(l.pending)-int(queue+0.999999))
}

// Ready: where queues have no end only the channel counts.
func (v *view) Ready(port, class int) bool {
	l := v.n.base[v.router] + int32(port)
	if v.n.links[l].free > v.n.now || v.n.shut(l) {
		return false
	}
	return v.n.lanes == nil || v.n.links[l].waiting == 0 && v.n.room(l*int32(v.n.classes)+int32(v.first+max(class, 0)), v.flits, v.n.now) == v.n.now
}

// Notice implements routing.View without the delay of a local latency.
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

// Rate counts flits on arrival at the other end.
func (v *view) Rate(port int) int {
	l := v.here(port)
	l.turn(v.n.now)
	return int(l.lastWindow)
}

// Capacity is what a buffer would hold that never stops its channel: the flits of
// a round trip.
func (v *view) Capacity(class topology.Class) int {
	if v.n.lanes != nil {
		return v.n.cfg.Buffer
	}
	l := v.n.cfg.link(class)
	rate := 1.0 // flits per cycle
	if l.Rate > 0 {
		rate = l.Rate / float64(v.n.cfg.Width)
	}
	return max(minCapacity, int(2*float64(l.Latency+v.n.cfg.Router)*rate))
}

// Endless implements routing.Endless.
func (v *view) Endless() bool { return v.n.lanes == nil }

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
