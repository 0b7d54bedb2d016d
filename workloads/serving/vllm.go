package serving

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
)

// vllm has prompts and tokens in one step: running sequences take theirs first, and chunks of
// prompts get what is left of the budget.
type vllm struct{}

func (vllm) Compose(e *Engine, s *Step, now units.Time) (budget int, short bool) {
	budget, short = e.advance(s, e.spec.Tokens, true, true)
	if !short || s.Tokens == 0 && e.under == 0 { // after a preemption only a step without tokens admits
		budget = e.take(s, budget, now)
	}
	return budget, short
}

func (vllm) Traits() Traits { return Traits{Weight: 4} }

func init() {
	AllRules.Add(registry.Entry[func(any) Rules]{
		Name:   "vllm",
		Doc:    "Running sequences take their tokens first, prompts go in chunks of what is left of a step's tokens.",
		Source: "vLLM, version 1, v1/core/sched/scheduler.py; https://docs.vllm.ai",
		New:    func(any) Rules { return vllm{} },
	})
}
