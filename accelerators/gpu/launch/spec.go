package launch

import (
	"maps"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
)

// Modes of launching.
const (
	Eager = "eager" // one by one
	Graph = "graph" // all at once
)

var modes = []string{Eager, Graph}

// Spec is the key launch: a mode alone, or a mapping of the mode and times by type of operator.
type Spec struct {
	Mode string `yaml:"mode"`
	// Times are those before a kernel's work begins, as a node of a graph. Types that are not
	// named have that of other, and without other the gap alone.
	Times map[string]units.Latency `yaml:"times"`
}

// other names all types that have no time of their own.
const other = "other"

// UnmarshalConfig implements configs.Unmarshaler.
func (s *Spec) UnmarshalConfig(v configs.Value) error {
	if v.Kind() != configs.Map {
		return s.mode(v)
	}
	if len(v.Keys()) == 0 {
		return v.Errorf(modes, "is an empty mapping, which says nothing")
	}
	if v.Get(other).Exists() {
		s.Times = nil
	}
	s.Times = maps.Clone(s.Times)
	if s.Times == nil {
		s.Times = map[string]units.Latency{}
	}
	var errs configs.Errors
	for _, k := range v.Keys() {
		x := v.Get(k)
		if k == "mode" {
			errs.Add(s.mode(x))
			continue
		}
		if kind := x.Kind(); kind == configs.Map || kind == configs.List || kind == configs.Null {
			errs.Add(x.Errorf(nil, "is no latency (want a time such as 2us, or cycles)"))
			continue
		}
		t, err := units.ParseLatency(x.Text())
		errs.Add(x.Locate(err))
		s.Times[k] = t
	}
	return errs.Err()
}

func (s *Spec) mode(v configs.Value) error {
	switch m := v.Text(); m {
	case Eager, Graph:
		s.Mode = m
		return nil
	default:
		return v.Errorf(modes, "is no way to launch kernels: %q", m)
	}
}

// String is the default in lists of keys.
func (s Spec) String() string { return s.Mode }

func init() {
	latency := schema.Of(struct {
		Times map[string]units.Latency `yaml:"times"`
	}{})["properties"].(schema.Schema)["times"].(schema.Schema)["additionalProperties"]
	words := []any{Eager, Graph}
	schema.Register[Spec](schema.Schema{
		"anyOf": []any{
			schema.Schema{"type": "string", "enum": words},
			schema.Schema{"type": "object", "properties": schema.Schema{"mode": schema.Schema{"type": "string", "enum": words}}, "additionalProperties": latency},
		},
		"title": "eager, graph, or a mapping of mode and latencies by type of operator", "examples": []any{Graph},
	})
}

// Cost is what launching costs the host and the GPU.
type Cost struct {
	Launch units.Latency `yaml:"launch" jsonschema:"description=Time in which the host launches one kernel (launch: eager)"`
	Stream units.Latency `yaml:"stream" jsonschema:"description=Gap between kernels that wait in the stream (launch: eager)"`
	Graph  units.Latency `yaml:"graph" jsonschema:"description=Gap between nodes of a graph of kernels (launch: graph)"`
	Call   units.Latency `yaml:"call" jsonschema:"description=Time of a call of a framework on the host; for which the GPU waits between two steps of training (workload.training.megatron)"`
}

// Measured is the gap in the tables that constants of kernels were fitted on: that of a graph.
//
// A kernel of 2.9 us took 3.8 us when launched one by one and 3.4 us as a node of a graph: NVIDIA
// Technical Blog, Getting started with CUDA graphs, 2019. That the tables come from graphs is seen
// in them: products of a GB200 take 2.1 us and more, less than a host needs to launch one.
var Measured = units.InTime(500 * units.Nanosecond)

// DefaultCost has 4 to 6 us for a launch of the host, by measurement of pegainfer, From launch
// overhead to CUDA graph, 2026 (RTX 5070 Ti), where a framework's own part is small; PyTorch's
// dispatcher adds to it. A call is F.linear of PyTorch on the host of an H100 DGX (Xeon 8480C):
// NVIDIA/TransformerEngine, issue 2053, where a GB200 takes 37.08 us.
//
// assumption: all calls take as long as that one.
func DefaultCost() Cost {
	return Cost{Launch: units.InTime(5 * units.Microsecond), Stream: units.InTime(900 * units.Nanosecond), Graph: Measured, Call: units.InTime(13480 * units.Nanosecond)}
}

// Gap is the time between two kernels in a mode.
func (c *Cost) Gap(mode string) units.Latency {
	if mode == Eager {
		return c.Stream
	}
	return c.Graph
}

// Check reports costs in the mapping at that the mode does not pay. said reports whether a key was meant for this mode.
func Check(mode string, at configs.Value, said func(configs.Value) bool, errs *configs.Errors) {
	unused := map[string][]string{Eager: {"graph"}, Graph: {"launch", "stream"}}
	used := map[string]string{Eager: Graph, Graph: Eager}
	for _, key := range unused[mode] {
		if x := at.Get(key); said(x) {
			errs.Add(x.Errorf(nil, "has no effect with launch: %s (used by: %s)", mode, used[mode]))
		}
	}
}
