package serving

import (
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/units"
)

// BatchWaiting is the spec of trtllm.
type BatchWaiting struct {
	Wait    int     `yaml:"wait" jsonschema:"minimum=0,maximum=65536" doc:"Steps that prompts wait for more tokens at most while others have theirs (batch_wait_timeout_iters); 0: they do not"`
	Balance int     `yaml:"balance" jsonschema:"minimum=0,maximum=65536" doc:"Prompts wait until each group of chips that attends to requests of its own has one, or until so many steps had no such prompts (attention_dp_config, timeout_iters); 0: they do not wait"`
	Share   float64 `yaml:"share" jsonschema:"minimum=0,maximum=1" doc:"Share of a step's tokens from which on prompts wait no longer (batch_wait_max_tokens_ratio)"`
}

// trtllm batches in flight: sequences that have their first token come first, and prompts are added
// whole as far as the budget goes. A request is admitted when there are blocks for all of its
// tokens and those of the running ones, so that none loses its blocks.
type trtllm struct {
	BatchWaiting
	waited int // steps in which prompts waited
}

func (r *trtllm) Compose(e *Engine, s *Step, now units.Time) (budget int, short bool) {
	budget, short = e.advance(s, e.spec.Tokens, false, true)
	if e.balance || s.Tokens > 0 && r.waits(e, budget) {
		r.waited++
		return budget, short
	}
	r.waited = 0
	budget, _ = e.advance(s, budget, true, false)
	budget = e.take(s, budget, now)
	return budget, short
}

// waits reports whether prompts wait for more of them.
func (r *trtllm) waits(e *Engine, budget int) bool {
	if r.waited >= r.Wait {
		return false
	}
	tokens, some := e.spec.Tokens-budget, false
	for _, q := range e.waiting {
		n := q.known() - q.Computed
		if n > budget {
			break
		}
		tokens, budget, some = tokens+n, budget-n, true
	}
	return some && float64(tokens) < r.Share*float64(e.spec.Tokens)
}

func (r *trtllm) Traits() Traits { return Traits{Keeps: true, Single: true, Balance: r.Balance} }

func init() {
	AllRules.Add(registry.Entry[func(any) Rules]{
		Name:   "trtllm",
		Doc:    "In-flight batching: sequences after their first token, then whole prompts; blocks for all tokens of a request are there when it begins.",
		Source: "TensorRT-LLM, tensorrt_llm/_torch/pyexecutor (py_executor.py: batch waiting; capacity scheduler guaranteed_no_evict); https://nvidia.github.io/TensorRT-LLM",
		Spec:   BatchWaiting{Share: 1},
		New: func(spec any) Rules {
			b, _ := spec.(BatchWaiting)
			return &trtllm{BatchWaiting: b}
		},
	})
}
