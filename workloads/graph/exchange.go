package graph

import (
	"slices"
	"strings"
)

// An Exchange is a collective between the chips of one machine, as a kernel of each chip. It uses
// no network of the simulation, and all chips do the same. In: the data of a chip. Out: the data
// that it receives. A Transfer uses a network.
type Exchange struct {
	Func  string // one of Exchanges
	Ranks int    // chips
	// Of dispatch and combine: experts on all chips, how many of them a token picks, and SMs that
	// send (0: kernels of low latency).
	Experts, Picks, SMs int
}

// Exchanges are the values of Exchange.Func.
var Exchanges = []string{"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "custom_all_reduce", "dispatch", "combine"}

// Type implements Kind.
func (Exchange) Type() string { return "exchange" }

// MACs implements Kind.
func (Exchange) MACs() int64 { return 0 }

// VectorOps implements Kind: sums are computed during the transfer.
func (Exchange) VectorOps() int64 { return 0 }

func (x Exchange) check(v *validator) {
	if !slices.Contains(Exchanges, x.Func) {
		v.errorf("unknown exchange %q (want one of: %s)", x.Func, strings.Join(Exchanges, ", "))
		return
	}
	if v.in(0) == None {
		v.errorf("what a chip gives is missing")
		return
	}
	if x.Ranks < 2 {
		v.errorf("%s among %d chips (want 2 or more)", x.Func, x.Ranks)
		return
	}
	in, out := v.elements[v.in(0)], v.elements[v.out()]
	share := func(n int64) int64 { return (n + int64(x.Ranks) - 1) / int64(x.Ranks) }
	switch x.Func {
	case "all_gather":
		if in != share(out) {
			v.errorf("gathers %d elements of each of %d chips into %d", in, x.Ranks, out)
		}
	case "reduce_scatter":
		if out != share(in) {
			v.errorf("leaves %d of %d elements on each of %d chips", out, in, x.Ranks)
		}
	case "dispatch", "combine":
		if x.Func == "combine" {
			in, out = out, in
		}
		if x.Picks < 1 || x.Picks > x.Experts || x.SMs < 0 || out != in*int64(x.Picks) {
			v.errorf("%d picks of %d experts make %d elements of %d", x.Picks, x.Experts, out, in)
		}
	default:
		if in != out {
			v.errorf("makes %d elements of %d", out, in)
		}
	}
}
