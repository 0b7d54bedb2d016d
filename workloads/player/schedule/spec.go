package schedule

import (
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// Spec says how operators are handed out.
type Spec struct {
	Policy schedule.PolicyName `yaml:"policy" doc:"Scheduling policy by name (causeway list schedulers), with its parameters"`
	Grain  string              `yaml:"grain" jsonschema:"enum=model,enum=operator" doc:"What goes to one executor as a whole: a request of a model, or each operator for itself"`
	Ahead  int                 `yaml:"ahead" jsonschema:"minimum=1,maximum=1024" doc:"Operators that an executor has at most, the one under way included"`
	Clock  units.Frequency     `yaml:"clock" doc:"Clock of the node, in whose cycles messages come and go"`
}

// DefaultSpec serves whole models in the order of arrival.
//
// assumption: one operator waits at each executor, as in a queue of two commands.
func DefaultSpec() Spec {
	o := schedule.DefaultOptions()
	return Spec{Policy: schedule.PolicyName{Named: schedule.Named{Name: "fcfs"}}, Grain: o.Grain, Ahead: o.Ahead, Clock: units.Frequency{Clock: clock.GHz}}
}

// check reports what no node can be; v is its mapping.
func (s *Spec) check(v configs.Value) error {
	var errs configs.Errors
	if s.Grain != schedule.ByModel && s.Grain != schedule.ByOperator {
		errs.Add(v.Place("grain").Errorf([]string{schedule.ByModel, schedule.ByOperator}, "unknown grain %q", s.Grain))
	}
	if s.Ahead < 1 || s.Ahead > 1024 {
		errs.Add(v.Place("ahead").Errorf(nil, "is %d (want 1 to 1024)", s.Ahead))
	}
	if s.Clock.IsZero() {
		errs.Add(v.Place("clock").Errorf(nil, "is missing"))
	}
	return errs.Err()
}

func init() {
	system.Register(system.Kind[Spec]{
		Name:    "schedule",
		Doc:     "Shares executors out among workloads whose requests arrive over time, by a policy.",
		Source:  "none: a mechanism; the policies have theirs",
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			if err := s.check(v); err != nil {
				return nil, err
			}
			return New(name, env.Engine, s), nil
		},
	})
}
