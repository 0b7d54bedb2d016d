package cxl

import (
	"fmt"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// FabricSpec is what switches with port-based routing are like.
type FabricSpec struct {
	// Topology of the switches.
	Topology network.Topology `yaml:"topology" doc:"Topology of the switches by name, with its parameters (causeway list topologies): hosts and devices are its terminals, at most 4096"`
	// Routing fills the tables.
	Routing network.Routing `yaml:"routing" doc:"How tables are filled: shortest (default) takes a shortest way to each id, others are routing algorithms that need no virtual channels (causeway list routings)"`
	// Failed are the channels that are broken from the start.
	Failed []network.Failure `yaml:"failed" doc:"Channels between switches that are broken, in both directions: a list of router with port, or with to"`
	// Lost are links that are lost in the run.
	Lost []FabricLossSpec `yaml:"lost" doc:"Links that are lost during the run: a list of router with port, router with to, or terminal, each with at"`
	// Detect is the time until tables are filled again.
	Detect units.Latency `yaml:"detect" doc:"Time from the loss of a link until tables without it are in force"`
	// Latency of a message through a switch.
	Latency units.Latency `yaml:"latency" doc:"Way of a message through a switch"`
	// Link of every device, or switch, below.
	Link LinkSpec `yaml:"link" doc:"The links to devices"`
	// Channel between switches.
	Channel ChannelSpec `yaml:"channel" doc:"The links between switches"`
}

// ChannelSpec is what the links between switches of a fabric are like.
type ChannelSpec struct {
	LinkSpec `yaml:",inline"`
	// Latency of each.
	Latency units.Latency `yaml:"latency" doc:"Time on the way"`
	// Global is Latency of channels between groups.
	Global units.Latency `yaml:"global_latency" doc:"Time on the way between groups of the topology; 0ns is that of the others"`
}

// at is the latency of channels of a class.
func (s *ChannelSpec) at(c topology.Class) units.Latency {
	if c == topology.Global && !s.Global.IsZero() {
		return s.Global
	}
	return s.Latency
}

// DefaultFabric is one switch of eight ports.
//
// assumption: 70 ns a switch as in DefaultSwitch, links between switches of x16 at 64
// GT/s.
func DefaultFabric() FabricSpec {
	c := DefaultLink()
	c.Flit, c.Rate = "pbr", 64
	return FabricSpec{
		Topology: network.Topology{Name: "crossbar"}, Latency: DefaultSwitch().Latency,
		Link: DefaultLink(), Channel: ChannelSpec{LinkSpec: c},
	}
}

// maxIDs is the hosts and devices of a fabric.
//
// Source: CXL 3.1, section 7.7: PBR identifiers have 12 bits.
const maxIDs = 1 << 12

// PBR is switches of any topology with port-based routing: each sends a message on by
// the identifier of the host or device that it goes to.
type PBR struct {
	face
	junction
	spec      FabricSpec
	at        configs.Value
	net       topology.Topology
	algorithm routing.Algorithm // nil: shortest
	terminals []sim.Port
	names     []string // of terminals
	channels  []channel
	leaving   [][]leg // by router and port; -1: no channel
	table     *table
	count     pbrCount
	tables    uint64 // filled again after losses
	resumed   uint64 // messages that changed their way
}

// A channel is a link between two routers; it runs down from the first.
type channel struct{ router, port, to, back int }

// pbrCount is of ways that are in use.
type pbrCount struct{ ways, hops, longest uint64 }

// NewPBR makes the switches.
func NewPBR(name string, env *system.Env, s FabricSpec, v configs.Value) (*PBR, error) {
	var errs configs.Errors
	errs.Add(inTime(s.Latency, s.Detect, s.Channel.Latency, s.Channel.Global))
	if len(s.Lost) == 0 && !s.Detect.IsZero() {
		errs.Add(v.Get("detect").Errorf(nil, "has no effect: nothing is lost"))
	}
	shape := network.Spec{Topology: s.Topology, Routing: s.Routing, Failed: s.Failed}
	errs.Add(shape.Resolve(v, env.File))
	if err := errs.Err(); err != nil {
		return nil, err
	}
	if t, err := shape.Topology.Make(); err == nil && t.Terminals() > maxIDs {
		return nil, v.Get("topology").Errorf(nil, "%d terminals: a fabric has %d identifiers", t.Terminals(), maxIDs)
	}
	own := s.Routing.Name == "" || s.Routing.Name == "shortest"
	if own {
		shape.Routing = network.Routing{Name: "up_down"} // goes with every topology; not used
	}
	t, a, err := shape.Plan()
	if err != nil {
		return nil, err
	}
	p := &PBR{face: newFace(name, env), junction: junction{latency: ps(s.Latency)}, spec: s, at: v, net: t}
	if !own {
		if n := a.Classes(); n > 1 {
			return nil, v.Get("routing").Errorf(nil, "%s needs %d classes of virtual channels, a CXL link has one", s.Routing, n)
		}
		p.algorithm = a
	}
	p.terminals = p.fused(p, "Terminal", t.Terminals())
	for i := range p.terminals {
		p.names = append(p.names, fmt.Sprintf("terminal[%d]", i))
	}
	for r := range t.Routers() {
		for port := range t.Ports(r) {
			if to, back, ok := t.Peer(r, port); ok && (r < to || r == to && port < back) {
				p.channels = append(p.channels, channel{r, port, to, back})
			}
		}
	}
	p.newStats()
	return p, nil
}

// PortSpecs implements system.Node.
func (p *PBR) PortSpecs() []system.PortSpec {
	return []system.PortSpec{{Name: "terminal", Protocol: protocol, Role: system.Peers, Ports: p.terminals, Array: true, Optional: true, Fused: true, Clock: fine}}
}

// Through implements system.Transparent.
func (p *PBR) Through(port string) (exits []string, latency uint64) {
	i := index(port)
	return slices.Concat(p.names[:i], p.names[i+1:]), uint64(p.latency)
}

// Fuse implements system.Part.
func (p *PBR) Fuse(f *system.Fusion) error { return fuse(f) }

func (p *PBR) newStats() {
	g := p.stats
	g.Count("messages_down", stats.One, "Messages that passed a switch towards devices.", &p.down)
	g.Count("messages_up", stats.One, "Messages that passed a switch towards hosts.", &p.up)
	g.Value("hops_mean", stats.One, "Mean number of switches between a host and a device, all pairs that see each other.", func() (float64, bool) {
		return float64(p.count.hops) / float64(max(p.count.ways, 1)), p.count.ways > 0
	})
	g.Count("hops_max", stats.One, "Switches between a host and a device, at most.", &p.count.longest)
	if len(p.spec.Lost) > 0 {
		g.Count("tables_filled_again", stats.One, "Times that tables were filled again after a loss.", &p.tables)
		g.Count("messages_resumed", stats.One, "Messages that went on by new tables from the switch where they were.", &p.resumed)
	}
	sum := func(read func(h *hop, d int) uint64) uint64 {
		n := uint64(0)
		for _, c := range p.channels {
			h := p.fabric.links[p.leaving[c.router][c.port].link()]
			n += read(h, 0) + read(h, 1)
		}
		return n
	}
	g.Value("channel_flits", stats.Flit, "Flits of messages between switches, each counted once.", func() (float64, bool) {
		return float64(sum(func(h *hop, d int) uint64 { return h.Count[d].Flits })), p.fabric != nil && len(p.channels) > 0
	})
	g.Value("channel_messages", stats.One, "Messages between switches.", func() (float64, bool) {
		return float64(sum(func(h *hop, d int) (n uint64) {
			for _, m := range h.Count[d].Messages {
				n += m
			}
			return n
		})), p.fabric != nil && len(p.channels) > 0
	})
	g.Check("all credits of the channels are back", func() error {
		for _, c := range p.channels {
			h := p.fabric.links[p.leaving[c.router][c.port].link()]
			if err := h.settled(); err != nil && !h.dead {
				return fmt.Errorf("channel %d - %d: %w", c.router, c.to, err)
			}
		}
		return nil
	})
}
