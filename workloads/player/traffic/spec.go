package traffic

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// Spec holds the keys of a traffic node.
type Spec struct {
	Pattern Pattern `yaml:"pattern" doc:"Who sends to whom: a name (causeway list patterns), a name with parameters, or a list of them with percent: a mix"`
	Load    float64 `yaml:"load" jsonschema:"minimum=0,maximum=1" doc:"Flits per terminal and cycle that are offered, replies left out"`
	Packet  int     `yaml:"packet" jsonschema:"minimum=1,maximum=65536" doc:"Flits of a packet, headers included"`
	Reply   int     `yaml:"reply" jsonschema:"minimum=0,maximum=65536" doc:"Flits of the packet that answers each packet; 0 is no answer"`
	Process Process `yaml:"process" doc:"When packets are created"`
	Changes Changes `yaml:"changes" doc:"What changes while the run goes on, in order of time: a list of at, and pattern or load"`
	Until   string  `yaml:"until" jsonschema:"enum=rules,enum=jobs" doc:"When it ends: rules, when enough is measured; jobs, when all workloads and programs of ranks of the system have ended, and all of that time is measured. Left out: jobs where there are some and rules are not given"`
	Rules   Rules   `yaml:"rules" doc:"How long is measured"`
	Search  Search  `yaml:"search" doc:"Search for the load that saturates the network, in place of one measurement"`
}

// Process is the random process that creates packets.
type Process struct {
	Name   string  `yaml:"name" jsonschema:"enum=bernoulli,enum=on_off" doc:"bernoulli tosses a coin per cycle; on_off does so in one of two states"`
	Alpha  float64 `yaml:"alpha" jsonschema:"minimum=0,maximum=1" doc:"on_off: chance per cycle to get on"`
	Beta   float64 `yaml:"beta" jsonschema:"minimum=0,maximum=1" doc:"on_off: chance per cycle to get off; the load is kept by sending more while on"`
	Queue  string  `yaml:"queue" jsonschema:"enum=endless,enum=none" doc:"endless: packets wait at their source, which is part of their latency; none: a terminal that cannot send creates nothing"`
	Length float64 `yaml:"length" jsonschema:"minimum=1" doc:"Mean number of packets in a row that a terminal creates for one destination, drawn anew for each row"`
}

// Rules says how long to measure, by the rules of booksim.Rules.
type Rules struct {
	Sample  int     `yaml:"sample" jsonschema:"minimum=1,maximum=1000000000" doc:"Cycles of a sample"`
	Warmup  int     `yaml:"warmup" jsonschema:"minimum=0" doc:"Samples that are thrown away"`
	Samples int     `yaml:"samples" jsonschema:"minimum=1" doc:"Most samples, warm-up included"`
	Change  float64 `yaml:"change" jsonschema:"minimum=0,maximum=1" doc:"Three samples in a row that change mean latency and accepted load by less end the measurement"`
	Count   string  `yaml:"count" jsonschema:"enum=created,enum=arrived" doc:"Packets that the means are over: created in the measured cycles, which are waited for, or arrived in them"`
	Limit   float64 `yaml:"limit" jsonschema:"minimum=0" doc:"Mean latency in cycles, packets under way included, beyond which the network is saturated; 0 is no limit"`
}

// Search holds the keys of the search for the saturation load.
type Search struct {
	Repeats   int     `yaml:"repeats" jsonschema:"minimum=0,maximum=100" doc:"Independent searches; 0 is no search, from 2 on there is a confidence interval"`
	Precision float64 `yaml:"precision" jsonschema:"minimum=0,maximum=0.5" doc:"Width of the interval of loads that ends a search, in flits per terminal and cycle; 0 is a fiftieth of the load"`
}

// DefaultSpec is uniform traffic at a tenth of a flit per cycle, measured by the
// rules of BookSim 2.0.
func DefaultSpec() Spec {
	return Spec{
		Pattern: Pattern{text: "uniform", parts: []part{{name: "uniform", weight: 1}}}, Load: .1, Packet: 1,
		Process: Process{Name: "bernoulli", Alpha: .02, Beta: .05, Queue: "endless", Length: 1},
		Rules:   Rules{Sample: 1000, Warmup: 3, Samples: 10, Change: .05, Count: "created", Limit: 500},
	}
}

// check reports what does not go together.
func (s *Spec) check(v configs.Value) error {
	var errs configs.Errors
	if s.Rules.Samples <= s.Rules.Warmup {
		errs.Add(v.Get("rules").Errorf(nil, "samples is %d, which leaves none after the %d of the warm-up", s.Rules.Samples, s.Rules.Warmup))
	}
	if s.Load > 1 || s.Load < 0 {
		errs.Add(v.Get("load").Errorf(nil, "is %g (want 0 to 1)", s.Load))
	}
	s.checkProcess(v, &errs)
	switch x := v.Get("until"); {
	case s.Until == untilJobs && v.Get("rules").Exists():
		errs.Add(v.Get("rules").Errorf(nil, "has no effect with until: jobs"))
	case s.Until == untilJobs && s.Search.Repeats > 0:
		errs.Add(v.Get("search").Errorf(nil, "has no effect with until: jobs"))
	case s.Until != "" && s.Until != untilJobs && s.Until != untilRules:
		errs.Add(x.Errorf([]string{untilRules, untilJobs}, "unknown value %q", s.Until))
	}
	s.checkSearch(v, &errs)
	return errs.Err()
}

// checkProcess reports keys of the process that have no effect, and loads that it cannot offer.
func (s *Spec) checkProcess(v configs.Value, errs *configs.Errors) {
	for _, key := range []string{"alpha", "beta"} {
		if x := v.Get("process").Get(key); x.Exists() && s.Process.Name != "on_off" {
			errs.Add(x.Errorf(nil, "has no effect on process %s (used by: on_off)", s.Process.Name))
		}
	}
	loads := []float64{s.Load}
	for _, c := range s.Changes.list {
		if c.load >= 0 {
			loads = append(loads, c.load)
		}
	}
	for _, load := range loads {
		if _, ok := s.process(load); !ok && s.Search.Repeats == 0 {
			errs.Add(v.Get("process").Errorf(nil, "a load of %g needs more than one packet per cycle while on (raise alpha or lower beta)", load))
			break
		}
	}
	if s.Process.Name == "on_off" && s.Process.Alpha == 0 {
		errs.Add(v.Get("process").Get("alpha").Errorf(nil, "is 0: no terminal ever gets on"))
	}
}

// checkSearch reports keys that a search for saturation leaves without effect, and the reverse.
func (s *Spec) checkSearch(v configs.Value, errs *configs.Errors) {
	if s.Search.Repeats > 0 && len(s.Changes.list) > 0 {
		errs.Add(v.Get("changes").Errorf(nil, "has no effect on a search: search.repeats is %d", s.Search.Repeats))
	}
	if s.Search.Repeats > 0 && v.Get("load").Exists() {
		errs.Add(v.Get("load").Errorf(nil, "has no effect on a search: search.repeats is %d (null takes a key away)", s.Search.Repeats))
	}
	if x := v.Get("search").Get("precision"); x.Exists() && s.Search.Repeats == 0 {
		errs.Add(x.Errorf(nil, "has no effect without a search (search.repeats is 0)"))
	}
}

func init() {
	system.Register(system.Kind[Spec]{
		Name:    "traffic",
		Program: true,
		Doc:     "Synthetic traffic: drives the terminals of a network, all of them or those that are free, and measures latency and accepted load.",
		Source:  "Dally and Towles, Principles and Practices of Interconnection Networks, 2004, chapters 23 and 24; rules of measurement of BookSim 2.0",
		Subject: system.OfTraffic, Headlines: headlines, Goal: goal, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			if err := s.check(v); err != nil {
				return nil, err
			}
			if err := s.read(env); err != nil {
				return nil, err
			}
			c := New(name, env.Engine, s, env.Seed)
			c.at = v
			return c, nil
		},
	})
}

func (s *Spec) String() string { return fmt.Sprintf("%s at %g", s.Pattern, s.Load) }
