package transport

import (
	"math/bits"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// view implements routing.View at one router.
type view struct {
	routing.Blind // what queues do not know
	n             *Network
	told          routing.Notifier // the algorithm, if it is one
	router        int32
	choice        uint64 // state of the packet's random choices
}

func newView(n *Network) view {
	v := view{n: n}
	v.told, _ = n.cfg.Routing.(routing.Notifier)
	return v
}

// golden is 2^64 over the golden ratio, SplitMix64's step.
const golden = 0x9e3779b97f4a7c15

// mix is the finalizer of SplitMix64: every bit of x changes half of the result.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// at moves the view to the router of a packet. Its choices there are a hash of the flow, of the
// direction, of the entropy and of the router.
func (v *view) at(k *packet) {
	key := v.n.flows[k.flow].key + uint64(k.entropy)*golden
	if k.kind > trimmed {
		key = ^key
	}
	v.router, v.choice = k.at, mix(key)+uint64(k.at+1)*golden
}

// Intn implements routing.View.
func (v *view) Intn(n int) int {
	v.choice += golden
	hi, _ := bits.Mul64(mix(v.choice), uint64(n))
	return int(hi)
}

func (v *view) Router() int                { return int(v.router) }
func (v *view) Queue(port int) int         { return v.Remote(int(v.router), port) }
func (v *view) QueueClass(port, _ int) int { return v.Remote(int(v.router), port) }

// Remote is the flits that wait at a port or leave through it.
func (v *view) Remote(router, port int) int {
	x := &v.n.links[v.n.base[router]+int32(port)]
	waits := x.control.bytes + x.data.bytes
	if x.sending != 0 {
		waits += int64(x.size)
	}
	return int((waits + int64(v.n.cfg.Width) - 1) / int64(v.n.cfg.Width))
}

// Ready implements routing.View.
func (v *view) Ready(port, _ int) bool {
	x := &v.n.links[v.n.base[v.router]+int32(port)]
	return x.sending == 0 && !x.paused && x.data.first == 0
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

// Capacity is the flits of a queue; without a limit those of a round trip.
func (v *view) Capacity(class topology.Class) int {
	c := &v.n.cfg
	if c.Size > 0 {
		return max(1, c.Size/c.Width)
	}
	l, rate := c.link(class), 1.0
	if l.Rate > 0 {
		rate = l.Rate / float64(c.Width)
	}
	return max(1, int(2*float64(l.Latency+c.Router)*rate))
}

// Endless implements routing.Endless.
func (v *view) Endless() bool { return v.n.cfg.Size == 0 }

// Latency implements routing.View.
func (v *view) Latency(class topology.Class) int { return v.n.cfg.link(class).Latency + v.n.cfg.Router }
