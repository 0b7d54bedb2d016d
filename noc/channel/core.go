package channel

import (
	"fmt"
	"sync/atomic"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/topology"
)

// Depth is the messages that a terminal injects at a time; more wait on the link.
//
// assumption: enough for a rank to keep all ports of its router busy. The packets
// of these messages take turns.
const Depth = 64

// A Core is a Network as the core of a network node.
type Core struct {
	Network *Network
	shell   *network.Comp
	held    []int32 // terminals to be let go in the next Advance
	arrived func(Arrival)
	parted  atomic.Bool // see Stranded
}

var _ network.Core = (*Core)(nil)

// NewCore joins a network and a shell of the same topology.
func NewCore(n *Network, shell *network.Comp) *Core {
	k := &Core{Network: n, shell: shell}
	k.arrived = func(a Arrival) {
		k.shell.Arrive(a.ID, a.Injected, a.Hops)
	}
	return k
}

// Room implements network.Core.
func (k *Core) Room(terminal int) bool { return k.Network.Waiting(terminal) < Depth }

// Take implements network.Core.
func (k *Core) Take(cycle uint64, m network.Message) {
	k.Network.Send(Message{ID: m.ID, Src: m.Src, Dst: m.Dst, Bytes: int64(m.Bytes), Sum: m.Sum, Network: min(m.Class, max(1, k.Network.cfg.Networks)-1)}, cycle)
}

// Advance implements network.Core.
func (k *Core) Advance(cycle uint64) (uint64, error) {
	for _, t := range k.held {
		k.Network.Hold(int(t), false, cycle)
	}
	k.held = k.held[:0]
	next := k.Network.Advance(cycle, k.arrived)
	if k.Network.stranded() {
		k.parted.Store(true)
	}
	if f := k.Network.folded; f != nil && f.unequal != nil {
		return next, f.unequal
	}
	return next, nil
}

// Stranded implements network.UndeliveredReporter.
func (k *Core) Stranded() bool { return k.parted.Load() }

// Hold implements network.Core.
func (k *Core) Hold(terminal int, on bool) {
	if on {
		k.Network.Hold(terminal, true, 0)
	} else {
		k.held = append(k.held, int32(terminal))
	}
}

// Limit implements network.Core.
func (k *Core) Limit(terminal int, rate float64) bool {
	n := k.Network
	r, p := n.cfg.Topology.Home(terminal)
	for _, l := range []int32{n.base[r] + int32(p), n.first + int32(terminal)} {
		n.links[l].perByte = Tick / rate
	}
	return true
}

// Nominal implements network.Core: the mean over the shortest routes between some terminals and
// all others.
func (k *Core) Nominal() uint64 { return k.Network.unloaded() }

// Waiting implements network.Core.
func (k *Core) Waiting() []engine.Wait {
	var out []engine.Wait
	for t := range k.Network.nics {
		if n := k.Network.Held(t); n > 0 {
			out = append(out, engine.Wait{Who: k.shell.Name(), For: fmt.Sprintf("%s.terminal[%d]", k.shell.Name(), t), Why: fmt.Sprintf("%d packets wait before a terminal that takes none", n)})
		}
	}
	for _, w := range k.Network.blocked() {
		w.Who, w.For = k.shell.Name(), k.shell.Name()+"."+w.For
		out = append(out, w)
	}
	return out
}

// Check implements network.Core.
func (k *Core) Check() error { return k.Network.Check() }

// unloaded is the mean time of a message of a flit in an empty network, from up
// to 16 terminals to all others by shortest ways, in cycles.
func (n *Network) unloaded() uint64 {
	t := n.cfg.Topology
	ends := make([]int, t.Routers())
	for i := range t.Terminals() {
		r, _ := t.Home(i)
		ends[r]++
	}
	width := func(c topology.Class) float64 {
		if r := n.cfg.link(c).Rate; r > 0 {
			return float64(n.cfg.Width) / r
		}
		return 0
	}
	var sum, count float64
	for from := 0; from < t.Terminals(); from += max(1, t.Terminals()/16) {
		home, _ := t.Home(from)
		for r, d := range n.distances(home) {
			if d >= 0 {
				sum += float64(ends[r]) * (float64(d+2*n.cfg.Terminal.Latency+n.cfg.Router) + width(topology.Terminal))
				count += float64(ends[r])
			}
		}
	}
	return uint64(sum/count + 0.5)
}

// distances are the least cycles from a router to all others, -1 where no way
// leads.
func (n *Network) distances(from int) []int {
	t := n.cfg.Topology
	out := make([]int, t.Routers())
	for i := range out {
		out[i] = -1
	}
	out[from] = 0
	for todo := []int{from}; len(todo) > 0; {
		var next []int
		for _, r := range todo {
			for p := range t.Ports(r) {
				to, _, ok := t.Peer(r, p)
				if !ok {
					continue
				}
				if d := out[r] + n.cfg.link(t.Class(r, p)).Latency + n.cfg.Router; out[to] < 0 || d < out[to] {
					out[to] = d
					next = append(next, to)
				}
			}
		}
		todo = next
	}
	return out
}
