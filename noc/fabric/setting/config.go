package setting

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/noc/allocator"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A Flow says how much room a packet needs before it enters a virtual channel.
type Flow string

// The flow controls.
const (
	Wormhole   Flow = "wormhole"            // none: flits wait for credits one by one
	CutThrough Flow = "virtual_cut_through" // the whole packet
)

// An InjectVC says which virtual channel a terminal uses for a packet.
type InjectVC string

// The choices of a terminal.
const (
	RoundRobin InjectVC = "round_robin" // the next one that is free and has room
	Random     InjectVC = "random"      // one drawn; the packet waits for it
	ByDst      InjectVC = "destination" // terminals in as many equal parts as there are channels
)

// A Queueing says where packets wait in a router.
type Queueing string

// The routers. The input-output-queued one moves whole packets: see ioq.
const (
	Input       Queueing = "input"        // before the switch
	InputOutput Queueing = "input_output" // before it, and in a bounded queue after it
)

// An Allocator is the name of an entry of allocator.All. It matches input with output
// virtual channels, and input with output ports.
type Allocator string

// The allocators of the models below.
const (
	InputFirst Allocator = "separable_input_first"
	ISLIP      Allocator = "islip"
)

// A Config describes a network. Latencies and delays are in cycles.
type Config struct {
	Topology topology.Topology
	Routing  routing.Algorithm

	VCs                                          int // virtual channels per port, at least the classes of the routing
	Depth                                        int // flits per virtual channel
	Shared                                       int // flits per input port that its virtual channels share beyond Depth
	Networks                                     int // virtual networks, each with its share of the virtual channels; 0 is 1
	Speedup                                      int // allocation steps per cycle
	RoutingDelay                                 int // cycles of the routing stage; 0 is lookahead: the router before has routed
	CreditDelay                                  int // cycles a router takes to count a credit that has come
	TerminalLatency, LocalLatency, GlobalLatency int // of the channels

	// Depths of global and terminal channels, where they differ; 0 is Depth.
	GlobalDepth, TerminalDepth int

	// Cycles per flit of the channels of a class, to 1/65536; 0 is 1. More is a
	// taper.
	TerminalInterval, LocalInterval, GlobalInterval float64

	Queueing      Queueing // "" is Input
	InjectVCs     int      // virtual channels from terminals, of an input_output router; 0 is VCs
	OutputDepth   int      // flits of the queue after the switch, of an input_output router
	CrossbarDelay int      // cycles to pass the switch, of an input_output router

	// Outages are channels that fail during the run. Ways around them have virtual channels
	// beyond VCs.
	Outages []topology.Outage

	Allocator  Allocator
	Iterations int // of the allocators, and of the switch of an input_output router
	Flow       Flow
	InjectVC   InjectVC
	Seed       uint64
}

// BookSim is the router of BookSim 2.0: for a dragonfly as examples/dragonflyconfig
// sets it, else with its defaults. A torus has channels of 2 cycles.
func BookSim(t topology.Topology, a routing.Algorithm) Config {
	c := Config{
		Topology: t, Routing: a, VCs: 4, Depth: 8, Speedup: 1, RoutingDelay: 1, CreditDelay: 0,
		TerminalLatency: 1, LocalLatency: 1, GlobalLatency: 1,
		Allocator: ISLIP, Iterations: 1, Flow: Wormhole, InjectVC: RoundRobin, Seed: 1,
	}
	if _, ok := a.(routing.OpportunisticAlgorithm); ok {
		c.Flow = CutThrough
	}
	switch t := topology.Intact(t).(type) {
	case topology.Dragonfly:
		c.VCs, c.Depth, c.Speedup, c.RoutingDelay, c.CreditDelay = a.Classes(), 256, 2, 0, 2
		c.LocalLatency, c.GlobalLatency, c.Allocator, c.InjectVC = 10, 100, InputFirst, Random
	case *topology.Grid:
		if t.Wraps() {
			c.LocalLatency = 2
		}
	}
	return c
}

// FOGSim is the router of FOGSim 2021 as its testParameters.txt sets it, with the
// virtual channels that the routing needs.
func FOGSim(t topology.Topology, a routing.Algorithm) Config {
	return Config{
		Topology: t, Routing: a, VCs: max(2, a.Classes()), Depth: 32, GlobalDepth: 256, TerminalDepth: 1000, Speedup: 2,
		TerminalLatency: 1, LocalLatency: 10, GlobalLatency: 100,
		Queueing: InputOutput, InjectVCs: 3, OutputDepth: 32, CrossbarDelay: 3,
		Allocator: InputFirst, Iterations: 2, Flow: CutThrough, InjectVC: ByDst, Seed: 1,
	}
}

// MaxInterval bounds the cycles per flit, so that the time wheel stays small.
const MaxInterval = 256

// MaxVCs fits the virtual channels of a port into one word.
const MaxVCs = 32

// maxDepth bounds the flits of a buffer.
const maxDepth = 1 << 16

func (c *Config) Validate() error {
	var bad []string
	in := func(key string, v, lo, hi int) {
		if v < lo || v > hi {
			bad = append(bad, fmt.Sprintf("%s is %d (want %d to %d)", key, v, lo, hi))
		}
	}
	in("vcs", c.VCs, 1, MaxVCs)
	in("virtual networks", c.Networks, 0, MaxVCs)
	if n := c.Routing.Classes() * c.NetworkCount(); c.VCs < n {
		bad = append(bad, fmt.Sprintf("vcs is %d, the routing needs %d", c.VCs, n))
	}
	in("depth", c.Depth, 1, maxDepth)
	in("global depth", c.GlobalDepth, 0, maxDepth)
	in("terminal depth", c.TerminalDepth, 0, maxDepth)
	in("shared", c.Shared, 0, maxDepth)
	for _, x := range []struct {
		key string
		v   float64
	}{{"terminal", c.TerminalInterval}, {"local", c.LocalInterval}, {"global", c.GlobalInterval}} {
		if x.v != 0 && !(x.v >= 1 && x.v <= MaxInterval) {
			bad = append(bad, fmt.Sprintf("%s interval is %g cycles per flit (want 1 to %d)", x.key, x.v, MaxInterval))
		}
	}
	bad = append(bad, c.queueing()...)
	in("speedup", c.Speedup, 1, 16)
	in("routing_delay", c.RoutingDelay, 0, 1<<10)
	in("credit_delay", c.CreditDelay, 0, 1<<16)
	in("terminal latency", c.TerminalLatency, 1, 1<<16)
	in("local latency", c.LocalLatency, 1, 1<<16)
	in("global latency", c.GlobalLatency, 1, 1<<16)
	in("iterations", c.Iterations, 1, 64)
	if all := allocator.All.Names(); !slices.Contains(all, string(c.Allocator)) {
		bad = append(bad, fmt.Sprintf("allocator %q (want one of: %s)", c.Allocator, strings.Join(all, " ")))
	}
	if all := []Flow{Wormhole, CutThrough}; !slices.Contains(all, c.Flow) {
		bad = append(bad, fmt.Sprintf("flow %q (want one of: %s)", c.Flow, strings.Trim(fmt.Sprint(all), "[]")))
	}
	if _, ok := c.Routing.(routing.OpportunisticAlgorithm); ok && c.Flow != CutThrough {
		bad = append(bad, fmt.Sprintf("flow %q (the routing takes hops that it must not wait on: want %s)", c.Flow, CutThrough))
	}
	if all := []InjectVC{RoundRobin, Random, ByDst}; !slices.Contains(all, c.InjectVC) {
		bad = append(bad, fmt.Sprintf("inject_vc %q (want one of: %s)", c.InjectVC, strings.Trim(fmt.Sprint(all), "[]")))
	}
	ports := 0
	for r := range c.Topology.Routers() {
		ports = max(ports, c.Topology.Ports(r))
	}
	if ports*c.VCs > 1<<15 {
		bad = append(bad, fmt.Sprintf("%d ports of %d virtual channels (want at most %d together)", ports, c.VCs, 1<<15))
	}
	if bad == nil {
		return nil
	}
	return fmt.Errorf("fabric: %s", strings.Join(bad, "; "))
}

// queueing checks what belongs to one router only.
func (c *Config) queueing() (bad []string) {
	switch c.Queueing {
	case "", Input:
		if c.InjectVCs != 0 || c.OutputDepth != 0 || c.CrossbarDelay != 0 || c.GlobalDepth != 0 || c.TerminalDepth != 0 {
			bad = append(bad, "inject_vcs, output_depth, crossbar_delay, global depth and terminal depth go with queueing input_output")
		}
	case InputOutput:
		if c.Shared != 0 {
			bad = append(bad, fmt.Sprintf("shared is %d (goes with queueing input)", c.Shared))
		}
		if c.InjectVCs != 0 && c.InjectVCs < c.NetworkCount() {
			bad = append(bad, fmt.Sprintf("inject_vcs is %d, for %d virtual networks", c.InjectVCs, c.NetworkCount()))
		}
		if c.InjectVCs < 0 || c.InjectVCs > MaxVCs {
			bad = append(bad, fmt.Sprintf("inject_vcs is %d (want 0 to %d)", c.InjectVCs, MaxVCs))
		}
		if c.OutputDepth < 1 || c.OutputDepth > 1<<16 {
			bad = append(bad, fmt.Sprintf("output_depth is %d (want 1 to %d)", c.OutputDepth, 1<<16))
		}
		if c.CrossbarDelay < 0 || c.CrossbarDelay > 1<<10 {
			bad = append(bad, fmt.Sprintf("crossbar_delay is %d (want 0 to %d)", c.CrossbarDelay, 1<<10))
		}
		if c.Flow != CutThrough {
			bad = append(bad, fmt.Sprintf("flow %q (queueing input_output moves whole packets: want %s)", c.Flow, CutThrough))
		}
	default:
		bad = append(bad, fmt.Sprintf("queueing %q (want one of: %s %s)", c.Queueing, Input, InputOutput))
	}
	return bad
}

// NetworkCount is the number of virtual networks.
func (c *Config) NetworkCount() int { return max(c.Networks, 1) }

// DepthOf is the room at the far end of one virtual channel of a class of channels.
func (c *Config) DepthOf(class topology.Class) int {
	d := c.Depth
	switch {
	case class == topology.Global && c.GlobalDepth > 0:
		d = c.GlobalDepth
	case class == topology.Terminal && c.TerminalDepth > 0:
		d = c.TerminalDepth
	}
	return d
}

// Largest is the longest packet that virtual cut-through lets pass.
func (c *Config) Largest() int {
	n := min(c.Depth, c.DepthOf(topology.Global), c.DepthOf(topology.Terminal))
	if c.Queueing == InputOutput {
		n = min(n, c.OutputDepth)
	}
	return n
}

// IntervalOf is the ticks per flit of the channels of a class.
func (c *Config) IntervalOf(class topology.Class) int64 {
	n := c.LocalInterval
	switch class {
	case topology.Terminal:
		n = c.TerminalInterval
	case topology.Global:
		n = c.GlobalInterval
	}
	return int64(max(n, 1)*Tick + .5)
}

// A channel's time is kept in ticks, parts of a cycle: 25 GB/s through a channel
// of 32 B at 1 GHz is a flit every 1.28 cycles.
const (
	TickBits = 16
	Tick     = 1 << TickBits
)

// Whole is the first cycle that does not begin before a time in ticks.
func Whole(ticks int64) int64 { return (ticks + Tick - 1) >> TickBits }

// After is the end, in ticks, of something that takes a time and begins in cycle
// now or, if the channel was still busy in a part of the cycle before, then.
func After(now, busy, time int64) int64 {
	if busy <= (now-1)<<TickBits {
		busy = now << TickBits
	}
	return busy + time
}

// LatencyOf is that of the channels of a class.
func (c *Config) LatencyOf(class topology.Class) int {
	switch class {
	case topology.Terminal:
		return c.TerminalLatency
	case topology.Global:
		return c.GlobalLatency
	}
	return c.LocalLatency
}
