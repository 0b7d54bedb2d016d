package graph

import (
	"slices"
	"strings"
)

// A Transfer moves data between the ranks of a model over their network. A send has operands and
// no result, a recv has results. The operand of a collective is the data of the rank, the result
// the data that it receives. A transfer begins when all its operands are computed, including those
// that it does not move.
type Transfer struct {
	Func  string // one of Transfers
	Peer  int    // rank of the other side of a send or recv; root of broadcast and reduce
	Tag   int    // matches a send with its recv
	Bytes int64  // as workloads/comm counts them
	Among Ranks  // ranks of a collective; the zero value: all
}

// Ranks are Count ranks, First and every Stride-th after it. The zero value is all ranks.
type Ranks struct{ First, Stride, Count int }

// All lists the ranks, of n in all.
func (r Ranks) All(n int) []int32 {
	if r.Count == 0 {
		r = Ranks{Stride: 1, Count: n}
	}
	out := make([]int32, r.Count)
	for i := range out {
		out[i] = int32(r.First + i*r.Stride)
	}
	return out
}

// Transfers are the values of Transfer.Func.
var Transfers = []string{"send", "recv", "barrier", "all_reduce", "reduce", "broadcast", "all_gather", "reduce_scatter", "all_to_all"}

// Type implements Kind.
func (Transfer) Type() string { return "transfer" }

// MACs implements Kind.
func (Transfer) MACs() int64 { return 0 }

// VectorOps implements Kind: the sums of a reduction belong to the network's interface.
func (Transfer) VectorOps() int64 { return 0 }

func (t Transfer) check(v *validator) {
	if !slices.Contains(Transfers, t.Func) {
		v.errorf("unknown transfer %q (want one of: %s)", t.Func, strings.Join(Transfers, ", "))
	}
	if t.Bytes < 0 || t.Peer < 0 {
		v.errorf("%s of %d bytes with rank %d", t.Func, t.Bytes, t.Peer)
	}
	if r := t.Among; min(r.First, r.Stride, r.Count) < 0 || r.Count > 1 && r.Stride == 0 {
		v.errorf("%s among %+v", t.Func, r)
	}
	in, out := len(v.op.In), len(v.op.Out)
	switch t.Func {
	case "send":
		if in < 1 || out != 0 {
			v.errorf("send of %d operands to %d results (want 1 or more and 0)", in, out)
		}
	case "recv":
		if out < 1 {
			v.errorf("recv to %d results (want 1 or more)", out)
		}
	}
}
