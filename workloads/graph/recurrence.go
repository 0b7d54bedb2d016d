package graph

import (
	"slices"
	"strings"
)

// A Recurrence processes the tokens of sequences in order. Each sequence has a state, read at the
// begin and written at the end. Kernels may process chunks of tokens if the result is equal.
//
// In: the tokens, the state (Size x State of each head), and other operands. Out: the result,
// Heads x Size for each token, and the new state.
//
// Sources: Dao, Gu, Transformers are SSMs, arXiv 2405.21060, section 6 (state_space: Mamba-2); Yang
// et al., Gated delta networks, arXiv 2412.06464, section 3 (delta_rule). A causal_conv1d has Heads
// channels of Size 1, and its state is the State tokens before.
type Recurrence struct {
	Func            string // one of Recurrences
	Batch, Sequence int
	Heads, Size     int
	State           int
}

// recurrences are, by function, the operations of the vector unit on a state's element per token
// if tokens are worked on one by one.
var recurrences = map[string]int64{
	"causal_conv1d": 2, // multiply, add
	"state_space":   5, // decay, outer product, sum; result: multiply, add
	"delta_rule":    7, // decay; what the state holds of the key: multiply, add; outer product, sum; result: multiply, add
}

// Recurrences lists the values of Recurrence.Func.
func Recurrences() []string {
	return []string{"causal_conv1d", "delta_rule", "state_space"}
}

// Type implements Kind.
func (Recurrence) Type() string { return "recurrence" }

// MACs implements Kind: chunks on a matrix unit are a choice of kernels.
func (Recurrence) MACs() int64 { return 0 }

// Elements is the numbers in the states of all sequences.
func (k Recurrence) Elements() int64 {
	return int64(k.Batch) * int64(k.Heads) * int64(k.Size) * int64(k.State)
}

// VectorOps implements Kind.
func (k Recurrence) VectorOps() int64 {
	return k.Elements() * int64(k.Sequence) * recurrences[k.Func]
}

func (k Recurrence) check(v *validator) {
	if !slices.Contains(Recurrences(), k.Func) {
		v.errorf("unknown recurrence %q (want one of: %s)", k.Func, strings.Join(Recurrences(), ", "))
		return
	}
	n, ok := product(int64(k.Batch), int64(k.Heads), int64(k.Size), int64(k.State), int64(k.Sequence), recurrences[k.Func])
	if !ok || n < 1 {
		v.errorf("%d sequences of %d tokens, %d heads of %d x %d (want one of each, and less than 2^63 operations)", k.Batch, k.Sequence, k.Heads, k.Size, k.State)
		return
	}
	v.count("state", v.in(1), k.Elements())
	v.count("output", v.out(), int64(k.Batch), int64(k.Sequence), int64(k.Heads), int64(k.Size))
}
