package serving

import (
	"fmt"

	"github.com/causeway-sim/causeway/memory/tiering/placement"
)

// Spec says how an Engine makes batches.
type Spec struct {
	Tokens    int    // of a step at most
	Sequences int    // that run at once at most
	Block     int    // tokens of a block
	Blocks    []int  // by tier; empty: as many as all requests need together
	Chunked   bool   // a prompt may be computed in several steps
	Prefix    bool   // blocks with the same tokens are shared
	Whole     bool   // a request is admitted when there are blocks for all of its prompt
	Preempt   string // Recompute or Swap
	Host      int    // blocks of host memory, for Swap
	Ahead     int    // steps that are scheduled before the first of them has ended, less one
	// Policy says which tier a new block comes from, and which blocks move when; nil: the
	// first tier with free blocks, and none moves. Every so many steps it is asked, and it
	// moves at most so many blocks then.
	Policy placement.Policy
	Every  int
	Moves  int
	// Bytes is those of a block, for policies that count them.
	Bytes uint64
}

// TokensAnswered is the metric of a server that counts tokens of answers.
const TokensAnswered = "tokens_answered"

// The ways to make room.
const (
	Recompute = "recompute" // the entries are computed again
	Swap      = "swap"      // the entries wait in host memory
)

// DefaultSpec is that of a vLLM server, with as much memory as it takes.
func DefaultSpec() Spec {
	return Spec{Tokens: 2048, Sequences: 256, Block: 16, Chunked: true, Prefix: true, Whole: true, Preempt: Recompute, Ahead: 1}
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
	if s.Policy != nil && (s.Every < 1 || s.Moves < 0) {
		return fmt.Errorf("serving: %d blocks move every %d steps (want 0 or more, every step or less often)", s.Moves, s.Every)
	}
	if s.Preempt != Recompute && s.Preempt != Swap {
		return fmt.Errorf("serving: preemption %q (want one of: %s, %s)", s.Preempt, Recompute, Swap)
	}
	return nil
}

// MaxBlocks bounds the blocks of a tier, 40 bytes each.
const MaxBlocks = 1 << 24
