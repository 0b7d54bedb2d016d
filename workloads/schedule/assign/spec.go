package assign

import (
	"path"

	"github.com/causeway-sim/causeway/components/units"
)

// A Spec is the key assign of the mapping section.
type Spec struct {
	// Search chooses executors among those that Rules allow: the policy of the schedule during the
	// run, or a search before it.
	Search string `yaml:"search,omitempty" jsonschema:"enum=policy,enum=greedy,enum=dp,enum=exhaustive,enum=input_size" doc:"Who chooses among the cores that the rules leave: the schedule's policy during the run (the default); or a search before it"`
	// Objective is what the search minimises.
	Objective string `yaml:"objective,omitempty" jsonschema:"enum=time,enum=energy,enum=edp" doc:"What the search makes least, of a request alone: time (the default), energy or their product"`
	// Handover is the delay that the search assumes for an operand from another core.
	Handover units.Time `yaml:"handover,omitempty" doc:"Time that the search adds where an operand comes from another core; the run has that of its links"`
	// Like names the workload of the search; operators of the others follow it by their names.
	Like string `yaml:"like,omitempty" doc:"Workload that the search looks at; operators of the others go where those of the same name go"`
	// Rules come before the search.
	Rules []Rule `yaml:"rules,omitempty" doc:"Cores for operators by name, type or size; the first that matches holds"`
}

// A Rule restricts operators to cores.
type Rule struct {
	Match string      `yaml:"match,omitempty" doc:"Operator, by its name or a pattern with * and ?"`
	Type  string      `yaml:"type,omitempty" doc:"Type of the operators: conv, gemm, softmax, ..."`
	From  units.Bytes `yaml:"from,omitempty" doc:"Least bytes of the first operand"`
	Below units.Bytes `yaml:"below,omitempty" doc:"Bytes of the first operand that are too many; 0B: no limit"`
	Core  string      `yaml:"core" jsonschema:"required" doc:"Core or cores, as Core[0..3] or several with commas"`
}

// The searches.
const (
	ByPolicy  = "policy"
	ByGreedy  = "greedy"
	ByDynamic = "dp"
	ByAll     = "exhaustive"
	ByInput   = "input_size"
)

// Matches reports whether the rule applies to an operator.
func (r *Rule) Matches(op *Operator) bool {
	if r.Match != "" && r.Match != op.Name {
		if ok, _ := path.Match(r.Match, op.Name); !ok {
			return false
		}
	}
	return (r.Type == "" || r.Type == op.Type) && op.Input >= int64(r.From) && (r.Below == 0 || op.Input < int64(r.Below))
}
