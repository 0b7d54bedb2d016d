package serve

import (
	"strings"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/tiering/placement"
	"github.com/causeway-sim/causeway/workloads/serving"
)

// Spec holds the keys of a serve node.
type Spec struct {
	serving.Batching `yaml:",inline"`
	Blocks           int              `yaml:"blocks" jsonschema:"minimum=0,maximum=16777216" doc:"Blocks in all; 0: as kv_memory says"`
	Memory           units.Bytes      `yaml:"kv_memory" doc:"Memory for keys and values, of each chip; 0B: as much as all requests need together"`
	Share            float64          `yaml:"kv_share" jsonschema:"minimum=0,maximum=1" doc:"Share of the memory of each chip for weights and for keys and values together, in place of blocks and kv_memory (workload.deployment); 0: memory limits nothing"`
	Tiers            []TierSpec       `yaml:"kv_tiers" doc:"Parts of the memory for keys and values by ranges of the memory section, the default one first, in place of blocks, kv_memory and a placement rule"`
	First            string           `yaml:"kv_first" doc:"The default one of kv_tiers, which blocks go to first, in place of the first"`
	Policy           placement.Choice `yaml:"kv_policy" doc:"Which block of kv_tiers lies where: a placement policy by name, with its keys"`
	Interval         int              `yaml:"kv_interval" jsonschema:"minimum=1,maximum=1048576" doc:"Steps between two decisions of kv_policy"`
	Moves            int              `yaml:"kv_moves" jsonschema:"minimum=0,maximum=1048576" doc:"Blocks that move at each decision at most"`
	Host             HostSpec         `yaml:"host" doc:"Host memory that sequences wait in (a preemption that swaps)"`
	Replicas         int              `yaml:"replicas" jsonschema:"minimum=1,maximum=1024" doc:"Servers with memory of their own that step together, as data-parallel ranks do that share experts; a request goes to the one with the fewest (by the rules of vllm those that wait count four times)"`
	Instances        InstancesSpec    `yaml:"instances" doc:"Prefill and decode on chips of their own: how many servers do each, and how keys and values get from one to the other"`
	Graphs           int              `yaml:"graphs" jsonschema:"minimum=0,maximum=65536" doc:"Tokens of the largest step that is recorded as a graph: smaller ones are padded to 1, 2, 4, a multiple of 8, above 256 of 16; 0: none"`
	Exchange         ExchangeSpec     `yaml:"exchange" doc:"How tokens get to the experts of other replicas and back"`
	Patience         units.Time       `yaml:"patience" doc:"A client whose first token has not come by then goes away; 0s: never"`
	Failures         []FailureSpec    `yaml:"failures" doc:"Times at which the server loses its memory and the step under way; sequences that ran are computed again"`
	Overhead         units.Time       `yaml:"overhead" doc:"Time of the server for each step in which no operator is under way"`
	Front            units.Time       `yaml:"front" doc:"Time of the front end from the arrival of a request until the scheduler has it: HTTP, tokenisation, messages between processes"`
	Launch           units.Time       `yaml:"launch" doc:"Time of the host to launch the kernels of a layer, which a step that is not recorded as a graph takes at least for each layer (graphs; times: planned)"`
	Startup          []units.Time     `yaml:"startup" doc:"What the first steps take besides, one after the other: kernels are compiled and libraries loaded at their first use (times: planned)"`
	Times            string           `yaml:"times" jsonschema:"enum=issued,enum=planned" doc:"issued: operators are issued to executors; planned: a step takes what its operators take on executors that do nothing else"`
	From             string           `yaml:"latency_from" jsonschema:"enum=arrival,enum=queued" doc:"What latencies are counted from: the arrival, or when the server took the request in between two steps"`
	Target           TargetSpec       `yaml:"target" doc:"What a request must meet to count in goodput"`
	Loads            []string         `yaml:"workloads" doc:"Name of the workload that it serves; left out: the one with requests that no other node may have (a workload may name cores that are linked to this one)"`
	Clock            units.Frequency  `yaml:"clock" doc:"Clock of the node, in whose cycles messages come and go"`
}

// TierSpec is memory for keys and values in a tier.
type TierSpec struct {
	Tier    string      `yaml:"tier" jsonschema:"required" doc:"Range of the memory section"`
	Memory  units.Bytes `yaml:"memory" doc:"For keys and values, of each chip; 0B: as much as all requests need together"`
	Latency units.Time  `yaml:"latency" doc:"Of a read that waits for no other, for policies that compare latencies, until reads there have been measured; 0s: that of the slowest other tier"`
}

// FailureSpec is a failure of the server, after which its memory is empty.
type FailureSpec struct {
	At  units.Time `yaml:"at" doc:"When, from the start of the run"`
	For units.Time `yaml:"for" doc:"How long it takes until it serves again"`
}

// HostSpec is memory of the host.
type HostSpec struct {
	Memory    units.Bytes     `yaml:"memory" doc:"For keys and values"`
	Bandwidth units.Bandwidth `yaml:"bandwidth" doc:"In each direction, between it and the memory of the executors"`
}

// ExchangeSpec is the cost of gathering the tokens of all replicas before the experts of a layer,
// and of summing the results after them.
type ExchangeSpec struct {
	Overhead  units.Time      `yaml:"overhead" doc:"Time of each of the two"`
	Bandwidth units.Bandwidth `yaml:"bandwidth" doc:"Of the bytes that a replica gets from the others; 0B/s takes no time"`
}

// TargetSpec is the latency target of a request; 0s is no target.
type TargetSpec struct {
	TTFT units.Time `yaml:"ttft" doc:"Time to the first token at most"`
	TPOT units.Time `yaml:"tpot" doc:"Mean time for each token after the first at most"`
}

const (
	issued  = "issued"
	planned = "planned"

	fromArrival = "arrival"
	fromQueued  = "queued"
)

// DefaultSpec has the limits of a vLLM server.
//
// assumption: no time of the server's own, since the step under way hides it.
func DefaultSpec() Spec {
	return Spec{
		Batching: serving.DefaultSpec().Batching,
		Policy:   placement.Choice{Name: "static"}, Interval: 1, Moves: 64, Replicas: 1, Times: issued, From: fromArrival, Clock: units.Frequency{Clock: clock.GHz},
	}
}

// check returns an error for invalid keys; v is the mapping of the node.
func (s *Spec) check(v configs.Value) error {
	var errs configs.Errors
	s.checkBatch(v, &errs)
	for _, x := range []struct {
		key, value string
		want       []string
	}{{"times", s.Times, []string{issued, planned}}, {"latency_from", s.From, []string{fromArrival, fromQueued}}} {
		if x.value != x.want[0] && x.value != x.want[1] {
			errs.Add(v.Place(x.key).Errorf(x.want, "unknown value %q", x.value))
		}
	}
	if b, m := v.Get("blocks"), v.Get("kv_memory"); s.Blocks > 0 && s.Memory > 0 {
		errs.Add(b.Errorf(nil, "has no effect with kv_memory: %s; one of them must go", m.Text()))
	}
	if x := v.Place("kv_share"); s.Share < 0 || s.Share > 1 {
		errs.Add(x.Errorf(nil, "is %g (want 0 to 1)", s.Share))
	} else if s.Share > 0 && (s.Blocks > 0 || s.Memory > 0 || len(s.Tiers) > 0) {
		errs.Add(x.Errorf(nil, "has no effect with blocks, kv_memory or kv_tiers; one of them must go"))
	}
	s.checkReplicas(v, &errs)
	s.checkTiers(v, &errs)
	s.checkInstances(v, &errs)
	if s.Graphs < 0 || s.Graphs > 65536 {
		errs.Add(v.Place("graphs").Errorf(nil, "is %d (want 0 to 65536)", s.Graphs))
	}
	s.checkMemory(v, &errs)
	s.checkPatience(v, &errs)
	s.checkFailures(v, &errs)
	s.checkStartup(v, &errs)
	if s.Overhead > units.Second {
		errs.Add(v.Place("overhead").Errorf(nil, "is %s (want at most 1s)", s.Overhead))
	}
	if s.Front > 10*units.Second {
		errs.Add(v.Place("front").Errorf(nil, "is %s (want at most 10s)", s.Front))
	}
	if s.Clock.IsZero() {
		errs.Add(v.Place("clock").Errorf(nil, "clock is missing"))
	}
	return errs.Err()
}

// checkBatch reports sizes that no step can have.
func (s *Spec) checkBatch(v configs.Value, errs *configs.Errors) {
	for _, x := range []struct {
		key string
		n   int
		max int
	}{{"tokens", s.Tokens, serving.MaxTokens}, {"sequences", s.Sequences, serving.MaxTokens}, {"block", s.Block, 65536}} {
		if x.n < 1 || x.n > x.max {
			errs.Add(v.Place(x.key).Errorf(nil, "is %d (want 1 to %d)", x.n, x.max))
		}
	}
	if s.Lag < 0 || s.Lag > 65536 {
		errs.Add(v.Place("lag").Errorf(nil, "is %d (want 0 to 65536)", s.Lag))
	}
	if s.Ahead < 0 || s.Ahead > 1 {
		errs.Add(v.Place("ahead").Errorf(nil, "is %d (want 0 or 1)", s.Ahead))
	}
}

// checkReplicas reports replicas that cannot be, and what they exchange.
func (s *Spec) checkReplicas(v configs.Value, errs *configs.Errors) {
	if s.Replicas < 1 || s.Replicas > 1024 {
		errs.Add(v.Place("replicas").Errorf(nil, "is %d (want 1 to 1024)", s.Replicas))
	} else if s.Replicas > 1 && s.Times == issued {
		errs.Add(v.Get("replicas").Errorf(nil, "has no effect with times: %s (used by: %s)", issued, planned))
	}
	if x := v.Get("exchange"); x.Exists() && s.Replicas == 1 {
		errs.Add(x.Errorf(nil, "has no effect with one replica"))
	}
	if s.Exchange.Overhead > units.Second {
		errs.Add(v.Place("exchange").Place("overhead").Errorf(nil, "is %s (want at most 1s)", s.Exchange.Overhead))
	}
}

// checkMemory reports host memory that is missing or not used, and memory that is too large.
func (s *Spec) checkMemory(v configs.Value, errs *configs.Errors) {
	if h := v.Get("host"); s.Preempt.New().Swaps() {
		if s.Host.Memory == 0 || s.Host.Bandwidth == 0 {
			errs.Add(v.Place("host").Errorf(nil, "host is missing: preemption: %s needs host: {memory: 64GiB, bandwidth: 25GB/s}", s.Preempt))
		}
	} else if h.Exists() {
		errs.Add(h.Errorf(nil, "has no effect with preemption: %s (used by: %s)", s.Preempt, strings.Join(serving.Swapping(), ", ")))
	}
	for _, x := range []struct {
		at configs.Value
		b  units.Bytes
	}{{v.Place("kv_memory"), s.Memory}, {v.Place("host").Place("memory"), s.Host.Memory}} {
		if x.b > 1<<50 {
			errs.Add(x.at.Errorf(nil, "is %s (want at most 1PiB)", x.b))
		}
	}
}

// checkStartup reports steps that take too long, or do not go by their times.
func (s *Spec) checkStartup(v configs.Value, errs *configs.Errors) {
	if len(s.Startup) > 0 && s.Times == issued {
		errs.Add(v.Get("startup").Errorf(nil, "has no effect with times: %s (used by: %s)", issued, planned))
	}
	if x := v.Get("launch"); x.Exists() && s.Times == issued {
		errs.Add(x.Errorf(nil, "has no effect with times: %s (used by: %s)", issued, planned))
	}
	if s.Launch > units.Second {
		errs.Add(v.Place("launch").Errorf(nil, "is %s (want at most 1s)", s.Launch))
	}
	if x := v.Get("preemption"); x.Exists() && s.Rules.New().Traits().Keeps {
		errs.Add(x.Errorf(nil, "has no effect with rules: %s, by which no running sequence loses its blocks", s.Rules))
	}
	for i, t := range s.Startup {
		if t > 1000*units.Second {
			errs.Add(v.Get("startup").Items()[i].Errorf(nil, "is %s (want at most 1000s)", t))
		}
	}
}

// checkPatience reports targets of times to a token that are above 10000 s.
func (s *Spec) checkPatience(v configs.Value, errs *configs.Errors) {
	for _, x := range []struct {
		key string
		t   units.Time
	}{{"ttft", s.Target.TTFT}, {"tpot", s.Target.TPOT}} {
		if x.t > 10000*units.Second {
			errs.Add(v.Place("target").Place(x.key).Errorf(nil, "is %s (want at most 10000s)", x.t))
		}
	}
	if s.Patience > 10000*units.Second {
		errs.Add(v.Place("patience").Errorf(nil, "is %s (want at most 10000s)", s.Patience))
	}
}

// checkFailures reports failures that come too late, or before the server is back from the
// one before.
func (s *Spec) checkFailures(v configs.Value, errs *configs.Errors) {
	for i, f := range s.Failures {
		at := v.Get("failures").Items()[i]
		if f.At > 10000*units.Second || f.For > 10000*units.Second {
			errs.Add(at.Errorf(nil, "is at %s for %s (want at most 10000s each)", f.At, f.For))
		}
		if f.At == 0 && f.For == 0 {
			errs.Add(at.Errorf(nil, "is at 0s for 0s, when there is nothing to lose (want at, or for, as in {at: 10s, for: 2s})"))
		}
		if i > 0 && f.At < s.Failures[i-1].At+s.Failures[i-1].For {
			errs.Add(at.Errorf(nil, "is at %s, before the server is back from the failure at %s", f.At, s.Failures[i-1].At))
		}
	}
}

func init() {
	system.Register(system.Kind[Spec]{
		Name:    "serve",
		Program: true,
		Doc:     "Serves requests of a language model: continuous batches, paged keys and values.",
		Source:  "Kwon et al., Efficient memory management for LLM serving with PagedAttention, SOSP 2023; scheduler of vLLM, version 1",
		Subject: system.OfServers, Headlines: headlines, Goal: goal, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			if err := s.check(v); err != nil {
				return nil, err
			}
			return newComp(name, env.Engine, s, v), nil
		},
	})
}

// MakeBuilder returns a builder with the values of DefaultSpec.
func MakeBuilder() system.Builder[Spec, *Comp] {
	return system.NewBuilder(DefaultSpec(), func(env *system.Env, name string, s Spec) (*Comp, error) {
		return New(name, env.Engine, s), nil
	})
}
