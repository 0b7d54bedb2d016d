package channel

import (
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/routing/deadlock"
	"github.com/causeway-sim/causeway/noc/topology"
)

// Spec has the keys that fidelities packet and flow share.
type Spec struct {
	network.Spec
	Router    RouterSpec `yaml:"router" doc:"Routers"`
	Switching Switching  `yaml:"switching" doc:"cut_through: a packet goes on when its head has come; store_and_forward: when all of it has"`
	Reduce    bool       `yaml:"reduce" doc:"Routers add up what the ranks of an all_reduce send (algorithm in_network): on the way to a root, which spreads the sum; adding takes no time of its own"`
	Rounding  Rounding   `yaml:"rounding" doc:"Time of a packet on a channel, bytes over bandwidth: exact, or down to whole cycles"`
	// Skip is what is found and not simulated again.
	Skip network.Skip `yaml:"skip" jsonschema:"enum=off,enum=exact" doc:"Ranks of a parallel program that do the same at the same times: off simulates all of them; exact finds sets of equal ones and simulates one of each, with the same results to the byte. Where there are none it says why, and simulates all"`
}

// RouterSpec is the configuration of routers.
type RouterSpec struct {
	Latency units.Latency `yaml:"latency" doc:"Time from a packet's arrival at a router to its departure"`
}

// Switching is when a packet is forwarded.
type Switching string

// Rounding is the rounding of a packet's time on a channel.
type Rounding string

// The values of Switching and Rounding.
const (
	CutThrough      Switching = "cut_through"
	StoreAndForward Switching = "store_and_forward"

	Exact Rounding = "exact"
	Down  Rounding = "down"
)

// DefaultSpec agrees with fidelity flit in an empty network: routers of four stages (routing,
// virtual-channel allocation, switch allocation, traversal), channels of one cycle.
func DefaultSpec() Spec {
	return Spec{
		Spec: network.DefaultSpec(), Router: RouterSpec{Latency: units.InCycles(4)},
		Switching: CutThrough, Rounding: Exact, Skip: network.SkipOff,
	}
}

// Check returns errors of impossible values, at their places in the node v.
func (s *Spec) Check(v configs.Value) error {
	var errs configs.Errors
	errs.Add(s.Spec.Check(v))
	if s.Switching != CutThrough && s.Switching != StoreAndForward {
		errs.Add(v.Get("switching").Errorf([]string{string(CutThrough), string(StoreAndForward)}, "unknown switching %q", s.Switching))
	}
	if s.Rounding != Exact && s.Rounding != Down {
		errs.Add(v.Get("rounding").Errorf([]string{string(Exact), string(Down)}, "unknown rounding %q", s.Rounding))
	}
	if !slices.Contains(network.Skips(), string(s.Skip)) {
		errs.Add(v.Get("skip").Errorf(network.Skips(), "unknown skip %q", s.Skip))
	}
	if n := s.Router.Latency.In(s.Clock.Clock); n > 1<<16 {
		errs.Add(v.Get("router").Get("latency").Errorf(nil, "is %d cycles (want at most %d)", n, 1<<16))
	}
	return errs.Err()
}

// Comp is a network node with a Core of this package.
type Comp struct {
	*network.Comp
	core *Core
}

// Network returns the simulated network.
func (c *Comp) Network() *Network { return c.core.Network }

// Packets configures how messages are cut into packets.
type Packets struct {
	Bytes  int  // of the largest, 0 is no limit
	Header int  // header bytes per packet
	Fill   bool // pad packets to Bytes
	Buffer int  // flits per channel and class that a router holds, 0 is no limit
	// Cover sets Buffer to Config.Cover if the routing senses queues, packets have a limit, and
	// the classes are free of cycles.
	Cover bool
	// Express is as in Config.
	Express int
	// Networks is 2 if answers have separate buffers.
	Networks int
}

// budget bounds the decisions that are followed before a run, some seconds' worth.
const budget = 10_000_000

// NewComp makes a node. The name must be valid for Akita. The error is that of New, or of classes
// that may deadlock.
func NewComp(name string, e sim.Engine, s Spec, k Packets, seed uint64) (*Comp, error) {
	t, a, err := s.Plan()
	if err != nil {
		return nil, err
	}
	var proof *deadlock.Proof
	cover := k.Cover && k.Bytes > 0 && routing.Adapts(t, a)
	if k.Buffer > 0 || cover {
		if proof, err = deadlock.Check(t, a, budget); err != nil {
			return nil, err
		}
		switch {
		case proof.Cycle == nil:
		case cover:
			cover = false
		default:
			return nil, fmt.Errorf("virtual channels form a cycle, and packets may block each other forever: %s (buffer: 0 blocks nothing)", proof)
		}
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never fails, see hash.Hash
	cfg := Config{
		Topology: t, Routing: a,
		Terminal: s.Link(topology.Terminal), Local: s.Link(topology.Local), Global: s.Link(topology.Global),
		Router: int(s.Router.Latency.In(s.Clock.Clock)), Packet: k.Bytes, Header: k.Header, Fill: k.Fill, Buffer: k.Buffer, Express: k.Express, Reduce: s.Reduce, Width: int(s.Width), Networks: k.Networks,
		Store: s.Switching == StoreAndForward, Whole: s.Rounding == Down, Seed: seed ^ h.Sum64(),
	}
	if cover {
		cfg.Buffer = cfg.Cover()
	}
	if cfg.Outages, err = s.Outages(t); err != nil {
		return nil, err
	}
	n, err := New(cfg)
	if err != nil {
		return nil, err
	}
	c := &Comp{Comp: network.New(name, e, s.Spec, t)}
	c.SetSkip(s.Skip)
	c.core = NewCore(n, c.Comp)
	c.Use(c.core, n.declare)
	switch {
	case proof == nil:
	case proof.Cycle != nil:
		c.Assume(fmt.Sprintf("%s: queues have no end, because virtual channels form a cycle: %s", name, proof))
	case !proof.Complete:
		c.Assume(fmt.Sprintf("%s: not checked whether the virtual channels are free of cycles: %s", name, proof))
	}
	return c, nil
}

// Link returns what the channels of a class are like. Without a latency they have a
// cycle, as those of the other fidelities do.
func (s *Spec) Link(class topology.Class) Link {
	c := s.Channel(class)
	l := Link{Latency: 1, Rate: float64(s.Width)}
	if !c.Latency.IsZero() {
		l.Latency = int(c.Latency.In(s.Clock.Clock))
	}
	if c.Bandwidth != 0 {
		k := s.Clock.Clock // a cycle is num/den seconds
		l.Rate = float64(c.Bandwidth) / 8 * float64(k.Num()) / float64(k.Den())
	}
	return l
}

// Located makes a node; an error without a place gets that of the node v.
func Located[C system.Node](v configs.Value, make func() (C, error)) (system.Node, error) {
	c, err := make()
	if err == nil {
		return c, nil
	}
	if configs.PosOf(err) == (configs.Pos{}) {
		err = v.Errorf(nil, "%s", err)
	}
	return nil, err
}
