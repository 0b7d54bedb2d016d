package serving

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/memory/tiering/placement"
)

// Batching holds the keys of a server that an Engine reads. Node kind serve embeds them in its
// keys.
type Batching struct {
	Tokens    int            `yaml:"tokens" jsonschema:"minimum=1,maximum=16777216" doc:"Tokens of a step at most, for each group of chips that attends to requests of its own (workload.deployment.data)"`
	Sequences int            `yaml:"sequences" jsonschema:"minimum=1,maximum=16777216" doc:"Sequences that run at once at most"`
	Block     int            `yaml:"block" jsonschema:"minimum=1,maximum=65536" doc:"Tokens of a block of keys and values"`
	Chunked   bool           `yaml:"chunked_prefill" doc:"A prompt may be computed in several steps"`
	Prefix    bool           `yaml:"prefix_cache" doc:"Blocks with the same tokens are shared, and kept until their place is needed"`
	Whole     bool           `yaml:"reserve_prompt" doc:"A request is admitted when there are blocks for all of its prompt, not for the first chunk alone"`
	Admit     AdmissionName  `yaml:"admission" doc:"Which waiting request is admitted next: a policy by name (causeway list admissions)"`
	Preempt   PreemptionName `yaml:"preemption" doc:"Which running sequence loses its blocks when one is missing, and what becomes of its entries: a policy by name (causeway list preemptions)"`
	Rules     RulesName      `yaml:"rules" doc:"How steps are composed: the rules of an engine by name, with their keys (causeway list rules)"`
	Lag       int            `yaml:"lag" jsonschema:"minimum=0,maximum=65536" doc:"Steps from the arrival of a request until the scheduler knows of it, while others run; 0: at once"`
	Ahead     int            `yaml:"ahead" jsonschema:"minimum=0,maximum=1" doc:"1: a step is scheduled when the one before it begins; 0: when it has ended"`
}

// Spec holds the parameters of an Engine.
type Spec struct {
	Batching
	Blocks []int // by tier; empty: as many as all requests together need
	Host   int   // blocks of host memory, for policies that swap
	// Policy chooses the tier of a new block, and the blocks that move; nil: the first tier with
	// free blocks, without moves. It is called every Every steps and moves at most Moves blocks.
	Policy placement.Policy
	Every  int
	Moves  int
	// Bytes is the size of a block, for policies that count bytes.
	Bytes uint64
}

// TokensAnswered is the name of the metric that counts tokens of answers.
const TokensAnswered = "tokens_answered"

// DefaultSpec has the defaults of a vLLM server, and enough blocks for all requests.
func DefaultSpec() Spec {
	return Spec{Batching: Batching{
		Tokens: 2048, Sequences: 256, Block: 16, Chunked: true, Prefix: true, Whole: true,
		Admit: AdmissionName{named.Choice{Name: "fcfs"}}, Preempt: PreemptionName{named.Choice{Name: "recompute"}}, Rules: RulesName{named.Choice{Name: "vllm"}}, Ahead: 1,
	}}
}

func (s *Spec) check() error {
	for _, x := range []struct {
		name string
		n    int
	}{{"tokens of a step", s.Tokens}, {"sequences", s.Sequences}, {"tokens of a block", s.Block}} {
		if x.n < 1 || x.n > MaxTokens {
			return fmt.Errorf("serving: %d %s (want 1 to %d)", x.n, x.name, MaxTokens)
		}
	}
	for _, n := range s.Blocks {
		if n < 0 || n > MaxBlocks {
			return fmt.Errorf("serving: %d blocks (want 0 to %d)", n, MaxBlocks)
		}
	}
	if s.Ahead < 0 || s.Ahead > 1 {
		return fmt.Errorf("serving: %d steps ahead (want 0 or 1)", s.Ahead)
	}
	if s.Lag < 0 || s.Lag > 65536 {
		return fmt.Errorf("serving: requests lag %d steps (want 0 to 65536)", s.Lag)
	}
	if s.Policy != nil && (s.Every < 1 || s.Moves < 0) {
		return fmt.Errorf("serving: %d blocks move every %d steps (want 0 or more, every step or less often)", s.Moves, s.Every)
	}
	if s.Admit.New() == nil {
		return fmt.Errorf("serving: admission %q (want one of: %s)", s.Admit, strings.Join(Admissions.Names(), ", "))
	}
	if s.Rules.New() == nil {
		return fmt.Errorf("serving: rules %q (want one of: %s)", s.Rules, strings.Join(AllRules.Names(), ", "))
	}
	if s.Preempt.New() == nil {
		return fmt.Errorf("serving: preemption %q (want one of: %s)", s.Preempt, strings.Join(Preemptions.Names(), ", "))
	}
	return nil
}

// MaxBlocks bounds the blocks of a tier, 40 bytes each.
const MaxBlocks = 1 << 24
