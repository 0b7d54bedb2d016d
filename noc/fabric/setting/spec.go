package setting

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// Spec is a network at fidelity flit.
type Spec struct {
	network.Spec
	Router RouterSpec `yaml:"router" doc:"Routers; preset: booksim has those of BookSim 2.0"`
	// Packet is the most flits of a packet.
	Packet int `yaml:"packet" jsonschema:"minimum=0,maximum=65536" doc:"Most flits of a packet, longer messages go as several; 0 is no limit with wormhole flow control, and with virtual cut-through 8, or the depth of a buffer where that is given"`
	// VirtualNetworks keeps answers from waiting for requests ahead of them.
	VirtualNetworks int `yaml:"virtual_networks" jsonschema:"minimum=1,maximum=2" doc:"2: requests and answers have virtual channels of their own, so that no answer waits behind a request; 1: all share them"`
	// Timeout and Retries are of the senders of packets that a failed channel has lost.
	Timeout units.Latency `yaml:"timeout" doc:"With failed during the run: time after the entry of a packet at which its sender sends it again, if it was lost; left out, lost packets are reported and not sent again"`
	Retries int           `yaml:"retries" jsonschema:"minimum=1,maximum=255" doc:"How often a packet is sent again, with timeout"`
	// UnsafeVCMap lets a network run whose virtual channels may form a cycle.
	UnsafeVCMap bool `yaml:"unsafe_vc_map" doc:"Run in spite of a cycle of virtual channels: the result says so, and a deadlock ends the run"`
}

// RouterSpec says what routers are like. What is left out is the model's.
type RouterSpec struct {
	Model        string    `yaml:"model" doc:"Whose values hold for the keys that are left out: standard, booksim, whose values depend on the topology, or fogsim, which brings constants of routing and traffic as well where a dragonfly has no arrangement"`
	VCs          int       `yaml:"vcs" jsonschema:"minimum=0,maximum=32" doc:"Virtual channels per port; 0 is the model's, and never fewer than the routing needs"`
	Depth        int       `yaml:"depth" jsonschema:"minimum=0,maximum=65536" doc:"Flits per virtual channel; 0 is the model's: of standard 8, or what covers the longest round trip of a credit"`
	Shared       int       `yaml:"shared" jsonschema:"minimum=0,maximum=65536" doc:"Flits of each input port that its virtual channels share beyond depth, which stays their own; 0 is none. Queueing input only"`
	Speedup      int       `yaml:"speedup" jsonschema:"minimum=0,maximum=16" doc:"Allocation steps per cycle; 0 is the model's"`
	RoutingDelay *int      `yaml:"routing_delay" jsonschema:"minimum=0,maximum=1024" doc:"Cycles of the routing stage; 0 is lookahead routing"`
	CreditDelay  *int      `yaml:"credit_delay" jsonschema:"minimum=0,maximum=65536" doc:"Cycles a router takes to count a credit that has come"`
	Allocator    Allocator `yaml:"allocator" doc:"Matches virtual channels and switch inputs with outputs: a name of causeway list allocators"`
	Iterations   int       `yaml:"iterations" jsonschema:"minimum=0,maximum=64" doc:"Iterations of the allocators that have some; 0 is the model's"`
	Flow         Flow      `yaml:"flow" doc:"wormhole or virtual_cut_through"`
	InjectVC     InjectVC  `yaml:"inject_vc" doc:"Virtual channel that terminals use: round_robin, random or destination"`

	GlobalDepth   int      `yaml:"global_depth" jsonschema:"minimum=0,maximum=65536" doc:"Flits per virtual channel at the end of a global channel; 0 is as depth, or the model's"`
	TerminalDepth int      `yaml:"terminal_depth" jsonschema:"minimum=0,maximum=65536" doc:"Flits per virtual channel at the end of a terminal's channel; 0 is as depth, or the model's"`
	Queueing      Queueing `yaml:"queueing" doc:"input, or input_output: whole packets, with a queue after the switch as well"`
	InjectVCs     int      `yaml:"inject_vcs" jsonschema:"minimum=0,maximum=32" doc:"input_output: virtual channels from terminals; 0 is as vcs, or the model's"`
	OutputDepth   int      `yaml:"output_depth" jsonschema:"minimum=0,maximum=65536" doc:"input_output: flits of the queue after the switch; 0 is the model's"`
	CrossbarDelay *int     `yaml:"crossbar_delay" jsonschema:"minimum=0,maximum=1024" doc:"input_output: cycles to pass the switch"`
}

// models have the values of a router for a topology and routing.
var models = map[string]func(topology.Topology, routing.Algorithm) Config{
	"standard": Standard,
	"booksim":  BookSim,
	"fogsim":   FOGSim,
}

// Standard is a router without a model: two virtual channels per class of the
// routing, four at least, of eight flits, a routing stage and iSLIP; channels of one
// cycle. A node makes the buffers deeper where its channels are longer: one depth
// for all, as BookSim has it, that covers the longest round trip of a credit.
//
// assumption: the textbook router of Dally and Towles, chapter 16, with the sizes
// of an on-chip network.
func Standard(t topology.Topology, a routing.Algorithm) Config {
	c := Config{
		Topology: t, Routing: a, VCs: max(4, 2*a.Classes()), Depth: 8, Speedup: 1, RoutingDelay: 1,
		TerminalLatency: 1, LocalLatency: 1, GlobalLatency: 1,
		Allocator: ISLIP, Iterations: 1, Flow: Wormhole, InjectVC: RoundRobin,
	}
	if _, ok := a.(routing.OpportunisticAlgorithm); ok {
		c.Flow = CutThrough // the routing takes hops that it must not wait on
	}
	return c
}

// DefaultSpec is a mesh of 8 x 8 of standard routers.
func DefaultSpec() Spec {
	return Spec{Spec: network.DefaultSpec(), Router: RouterSpec{Model: "standard"}, VirtualNetworks: 1, Retries: retries}
}

// Config is what the spec comes to for a topology and routing.
func (s *Spec) Config(t topology.Topology, a routing.Algorithm, seed uint64) (Config, error) {
	model, ok := models[s.Router.Model]
	if !ok {
		names := make([]string, 0, len(models))
		for name := range models {
			names = append(names, name)
		}
		slices.Sort(names)
		return Config{}, &KeyError{"model", names, fmt.Sprintf("unknown model of a router %q", s.Router.Model)}
	}
	c, r := model(t, a), &s.Router
	c.Seed = seed
	for _, x := range []struct {
		to   *int
		from int
	}{
		{&c.VCs, r.VCs}, {&c.Depth, r.Depth}, {&c.Speedup, r.Speedup}, {&c.Iterations, r.Iterations},
		{&c.GlobalDepth, r.GlobalDepth}, {&c.TerminalDepth, r.TerminalDepth}, {&c.InjectVCs, r.InjectVCs}, {&c.OutputDepth, r.OutputDepth},
		{&c.TerminalLatency, s.cycles(topology.Terminal)}, {&c.LocalLatency, s.cycles(topology.Local)}, {&c.GlobalLatency, s.cycles(topology.Global)},
	} {
		if x.from != 0 {
			*x.to = x.from
		}
	}
	c.TerminalInterval, c.LocalInterval, c.GlobalInterval = s.interval(s.Terminal), s.interval(s.Local), s.interval(s.Global)
	if r.RoutingDelay != nil {
		c.RoutingDelay = *r.RoutingDelay
	}
	if r.CrossbarDelay != nil {
		c.CrossbarDelay = *r.CrossbarDelay
	}
	if r.CreditDelay != nil {
		c.CreditDelay = *r.CreditDelay
	}
	set(&c.Allocator, r.Allocator)
	set(&c.Flow, r.Flow)
	set(&c.Queueing, r.Queueing)
	set(&c.InjectVC, r.InjectVC)
	if err := r.idle(&c); err != nil {
		return c, err
	}
	c.Shared, c.Networks = r.Shared, max(1, s.VirtualNetworks)
	n := a.Classes() * c.Networks
	if r.VCs == 0 {
		c.VCs = max(c.VCs, n)
	}
	if c.VCs < n {
		what := ""
		if c.Networks > 1 {
			what = fmt.Sprintf(" in each of %d virtual networks", c.Networks)
		}
		return c, &KeyError{"vcs", nil, fmt.Sprintf("is %d, but the routing needs %d classes of virtual channels%s on this topology", c.VCs, a.Classes(), what)}
	}
	if s.covers() && c.Validate() == nil {
		c.Depth = c.cover(s.Most())
	}
	return c, c.Validate()
}

// covers reports whether the depth of buffers follows from the channels.
func (s *Spec) covers() bool { return s.Router.Model == "standard" && s.Router.Depth == 0 }

// Most is the flits of a packet, where none may be longer.
func (s *Spec) Most() int {
	if s.Packet == 0 && s.covers() {
		return leastDepth
	}
	return s.Packet
}

func set[T ~string](to *T, from T) {
	if from != "" {
		*to = from
	}
}

// cycles is the latency of a class of channels, 0 if it is the model's.
func (s *Spec) cycles(class topology.Class) int {
	l := s.Channel(class).Latency
	if l.IsZero() {
		return 0
	}
	return max(1, int(l.In(s.Clock.Clock)))
}

// IntervalOf is the cycles per flit of a channel.
func (s *Spec) interval(c network.Channel) float64 {
	if c.Bandwidth == 0 {
		return 0
	}
	return max(1, float64(s.Full())/float64(c.Bandwidth))
}

// CheckKeys reports what the spec asks for and the model does not have.
func (s *Spec) CheckKeys(v configs.Value) error {
	var errs configs.Errors
	errs.Add(s.Spec.Check(v))
	for _, x := range []struct {
		key string
		c   network.Channel
	}{{"terminal", s.Terminal}, {"local", s.Local}, {"global", s.Global}} {
		switch b, full := x.c.Bandwidth, s.Full(); {
		case b > full:
			errs.Add(v.Get(x.key).Get("bandwidth").Errorf(nil, "is %s, but a channel carries at most a flit per cycle: width times clock is %s", b, full))
		case b != 0 && float64(full)/float64(b) > MaxInterval:
			errs.Add(v.Get(x.key).Get("bandwidth").Errorf(nil, "is %s, less than a flit in %d cycles: width times clock is %s", b, MaxInterval, full))
		}
	}
	errs.Add(s.checkResend(v))
	return errs.Err()
}

// A KeyError is about a key of the router.
type KeyError struct {
	Key  string
	Want []string // names that are allowed; nil: any value but this one
	Text string
}

func (e *KeyError) Error() string {
	if e.Want == nil {
		return "router " + e.Key + " " + e.Text
	}
	return fmt.Sprintf("router %s: %s (want one of: %s)", e.Key, e.Text, strings.Join(e.Want, ", "))
}
