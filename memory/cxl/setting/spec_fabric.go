package setting

import (
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/topology"
)

// FabricSpec is the configuration of switches with port-based routing.
type FabricSpec struct {
	// Topology is that of the switches.
	Topology network.Topology `yaml:"topology" doc:"Topology of the switches by name, with its parameters (causeway list topologies): hosts and devices are its terminals, at most 4096"`
	// Routing fills the tables.
	Routing network.Routing `yaml:"routing" doc:"How tables are filled: shortest (default) takes a shortest way to each id, others are routing algorithms that need no virtual channels (causeway list routings)"`
	// Failed are the channels that are broken from the start.
	Failed []network.Failure `yaml:"failed" doc:"Channels between switches that are broken, in both directions: a list of router with port, or with to"`
	// Lost are links that are lost in the run.
	Lost []FabricLossSpec `yaml:"lost" doc:"Links that are lost during the run: a list of router with port, router with to, or terminal, each with at"`
	// Detect is the time until tables are filled again.
	Detect units.Latency `yaml:"detect" doc:"Time from the loss of a link until tables without it are in force"`
	// Latency is that of a message through a switch.
	Latency units.Latency `yaml:"latency" doc:"Way of a message through a switch"`
	// Link is every link to a device or a tree switch.
	Link LinkSpec `yaml:"link" doc:"The links to devices"`
	// Channel is every link between switches.
	Channel ChannelSpec `yaml:"channel" doc:"The links between switches"`
}

// ChannelSpec is the links between switches of a fabric.
type ChannelSpec struct {
	LinkSpec `yaml:",inline"`
	// Latency is that of each channel.
	Latency units.Latency `yaml:"latency" doc:"Time on the way"`
	// Global is the latency of channels between groups.
	Global units.Latency `yaml:"global_latency" doc:"Time on the way between groups of the topology; 0ns is that of the others"`
}

// At returns the latency of channels of a class.
func (s *ChannelSpec) At(c topology.Class) units.Latency {
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

// MaxIDs is the most hosts and devices of a fabric.
//
// Source: CXL 3.1, section 7.7: PBR identifiers have 12 bits.
const MaxIDs = 1 << 12
