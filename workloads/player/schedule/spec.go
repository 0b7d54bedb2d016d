package schedule

import (
	"slices"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/player/issue"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// Spec holds the keys of a schedule node.
type Spec struct {
	Policy   schedule.PolicyName `yaml:"policy" doc:"Scheduling policy by name (causeway list schedulers), with its parameters"`
	Grain    string              `yaml:"grain" jsonschema:"enum=model,enum=operator" doc:"What goes to one executor as a whole: a request of a model, or each operator for itself"`
	Ahead    int                 `yaml:"ahead" jsonschema:"minimum=1,maximum=1024" doc:"Operators that an executor has at most, the one under way included"`
	Drop     string              `yaml:"drop" jsonschema:"enum=none,enum=late" doc:"Requests that are given up: none, or those that have not begun when their deadline has passed"`
	Tick     units.Time          `yaml:"tick" doc:"Arrivals and lateness are noticed at multiples of it and whenever a request ends; 0s: as they come"`
	Switch   units.Time          `yaml:"switch" doc:"Time an executor takes to leave a request in the middle for one of another workload: what is saved and fetched again"`
	Batching schedule.Batching   `yaml:"batching" doc:"How requests of one model are carried out together; left out: one by one"`
	Score    ScoreSpec           `yaml:"score" doc:"Parameters of the metric score"`
	Loads    []string            `yaml:"workloads" doc:"Names of the workloads that it hands out; left out: those without requests that no other node may have (a workload may name cores that are linked to this one)"`
	Clock    units.Frequency     `yaml:"clock" doc:"Clock of the node, in whose cycles messages come and go"`
}

// ScoreSpec has the parameters of XRBench's score.
type ScoreSpec struct {
	Steepness float64      `yaml:"steepness" doc:"How fast the share of a request in the score falls around its deadline, per millisecond; 0: not at all"`
	Energy    units.Energy `yaml:"energy" doc:"Energy of a request at which its share in the score is 0"`
	Until     units.Time   `yaml:"until" doc:"Requests that ended or were given up later are not in the score; 0s: all are"`
}

// The rules of Drop.
const (
	dropNone = "none"
	dropLate = "late"
)

// DefaultSpec executes whole models in the order of arrival.
//
// assumption: one operator waits at each executor, as in a queue of two commands. The
// parameters of the score are XRBench's.
func DefaultSpec() Spec {
	o := schedule.DefaultOptions()
	return Spec{Drop: dropNone, Score: ScoreSpec{Steepness: 15, Energy: 1.5}, Policy: schedule.PolicyName{Choice: named.Choice{Name: "fcfs"}}, Grain: o.Grain, Ahead: o.Ahead, Batching: schedule.DefaultBatching(), Clock: units.Frequency{Clock: clock.GHz}}
}

// check returns an error for invalid keys; v is the mapping of the node.
func (s *Spec) check(v configs.Value) error {
	var errs configs.Errors
	if s.Grain != schedule.ByModel && s.Grain != schedule.ByOperator {
		errs.Add(v.Place("grain").Errorf([]string{schedule.ByModel, schedule.ByOperator}, "unknown grain %q", s.Grain))
	}
	if s.Ahead < 1 || s.Ahead > 1024 {
		errs.Add(v.Place("ahead").Errorf(nil, "is %d (want 1 to 1024)", s.Ahead))
	}
	if s.Drop != dropNone && s.Drop != dropLate {
		errs.Add(v.Place("drop").Errorf([]string{dropNone, dropLate}, "unknown rule %q", s.Drop))
	}
	if s.Tick > units.Second {
		errs.Add(v.Place("tick").Errorf(nil, "is %s (want at most 1s)", s.Tick))
	}
	if u := s.Score.Until; u > 10000*units.Second {
		errs.Add(v.Place("score").Place("until").Errorf(nil, "is %s (want at most 10000s)", u))
	}
	if k := s.Score.Steepness; !(k >= 0 && k <= 1e6) {
		errs.Add(v.Place("score").Place("steepness").Errorf(nil, "is %g (want 0 to 10^6 per ms)", k))
	}
	if e := s.Score.Energy; !(e > 0 && e < 1e9) {
		errs.Add(v.Place("score").Place("energy").Errorf(nil, "is %s (want more than 0J, below 1GJ)", e))
	}
	if s.Clock.IsZero() {
		errs.Add(v.Place("clock").Errorf(nil, "is missing"))
	}
	errs.Add(s.checkBatching(v.Get("batching")))
	if s.Switch > units.Second {
		errs.Add(v.Place("switch").Errorf(nil, "is %s (want at most 1s)", s.Switch))
	}
	return errs.Err()
}

// checkBatching returns an error for invalid keys of batching; v is its mapping.
func (s *Spec) checkBatching(v configs.Value) error {
	var errs configs.Errors
	b := &s.Batching
	rules := schedule.BatchingRules()
	switch {
	case b.On() && !slices.Contains(rules, b.Rule):
		errs.Add(v.Place("rule").Errorf(rules, "unknown rule %q", b.Rule))
	case !b.On() && v.Exists() && len(v.Keys()) > 0:
		errs.Add(v.Errorf(rules, "has no rule"))
	}
	if b.Max < 1 || b.Max > 64 {
		errs.Add(v.Place("max").Errorf(nil, "is %d (want 1 to 64)", b.Max))
	}
	if b.Memory > 1<<40 {
		errs.Add(v.Place("memory").Errorf(nil, "is %s (want at most 1TiB)", b.Memory))
	}
	if b.Weights > b.Memory {
		errs.Add(v.Place("weights").Errorf(nil, "is %s of a memory of %s (want no more)", b.Weights, b.Memory))
	}
	if b.Wait > 1000*units.Second {
		errs.Add(v.Place("wait").Errorf(nil, "is %s (want at most 1000s)", b.Wait))
	}
	if b.On() && s.Grain == schedule.ByOperator {
		errs.Add(v.Errorf(nil, "is not built for grain operator: the memory of an executor holds what its operators hand on (want grain: model)"))
	}
	if u, ok := s.Policy.Spec.(schedule.Urgency); b.On() && ok && u.Preempt {
		errs.Add(v.Errorf(nil, "is not built for a policy with preempt: true"))
	}
	if b.On() && s.Policy.Name == "latency_greedy" {
		errs.Add(v.Errorf(nil, "is not built for policy latency_greedy, which serves requests one by one"))
	}
	return errs.Err()
}

func init() {
	system.Register(system.Kind[Spec]{
		Name:    "schedule",
		Program: true,
		Doc:     "Shares executors out among workloads whose requests arrive over time, by a policy.",
		Source:  "none: a mechanism; the policies have theirs",
		Subject: system.OfServers, Headlines: headlines, Goal: goal,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			if err := s.check(v); err != nil {
				return nil, err
			}
			c := New(name, env.Engine, s)
			c.Chosen = issue.Chosen{Names: s.Loads, At: v.Get("workloads")}
			return c, nil
		},
	})
}
