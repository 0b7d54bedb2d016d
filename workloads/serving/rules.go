package serving

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
)

// Rules are those by which an engine composes its steps. Each Engine has its own Rules, which may
// keep state; what they do must depend on the sequence of calls only.
type Rules interface {
	// Compose adds parts to an empty step. It returns the tokens that the step could have
	// besides, and whether a sequence lacked blocks.
	Compose(e *Engine, s *Step, now units.Time) (budget int, short bool)
	// Traits are what else differs from engine to engine.
	Traits() Traits
}

// Traits are what else differs from engine to engine.
type Traits struct {
	Keeps  bool // no running sequence loses its blocks
	Polls  bool // a request is seen when the rules say so, not when it arrives
	Single bool // steps with prompts are not recorded as graphs
	// Weight is how many running sequences one that waits counts for where a request is given to
	// one of several engines; 0: one.
	Weight int
	// Balance lets prompts wait until each of the engines that step together has one, but for one
	// step in so many; 0: they do not wait.
	Balance int
}

// Rules are those that the engine goes by.
func (e *Engine) Rules() Rules { return e.rules }

// Prompts reports whether a step computes more than one token of some sequence, or a first token.
func (s *Step) Prompts() bool { return s.prompts }

// Waits reports whether a prompt has tokens to compute that the scheduler knows of, and whether
// sequences run that have their first token.
func (e *Engine) Waits() (prompts, decodes bool) {
	e.reveal()
	prompts = e.ready() > 0
	for _, q := range e.running {
		if q.inPrompt() && q.known() > q.Computed {
			prompts = true
		} else {
			decodes = true
		}
	}
	return prompts, decodes
}

// Hold lets prompts wait in the steps to come, by rules that balance engines.
func (e *Engine) Hold(on bool) { e.balance = on }

// AllRules are the rules of engines by name. The value of an entry makes rules from the parameters
// that the entry's Spec declares.
var AllRules = registry.New[func(spec any) Rules]("rules")

// RulesName names one of AllRules.
type RulesName struct{ named.Choice }

// UnmarshalConfig implements configs.Unmarshaler.
func (n *RulesName) UnmarshalConfig(v configs.Value) (err error) {
	n.Choice, err = named.Read(v, "rules", AllRules)
	return err
}

// New makes the rules; nil where there are none of that name.
func (n RulesName) New() Rules {
	if e, ok := AllRules.Entry(n.Name); ok {
		return e.New(n.Spec)
	}
	return nil
}

func init() {
	schema.RegisterFunc[RulesName](func() schema.Schema { return named.Schema("the rules of an engine", AllRules) })
}
