package tracetest

import "github.com/causeway-sim/causeway/memory/policy"

// An Attention is the access pattern of FlashAttention: for each block of queries every core reads
// all lines of its heads' K and V.
type Attention struct {
	Cores  int
	Lines  uint64 // of K and V that one core reads per block of queries
	Blocks int    // of queries
	Shared bool   // all cores read the same head (GQA), else one each (MHA)
	Skew   uint64 // lines by which each core lags the core before
}

// lineBytes is the size of a line of these traces.
const lineBytes = 64

// FlashAttention reads K and V, one line per core in turn.
func FlashAttention(t Attention) Trace {
	heads, sharers := t.Cores, 1
	if t.Shared {
		heads, sharers = 1, t.Cores
	}
	tr := Trace{Name: "attention", Cores: t.Cores}
	for h := range heads {
		tr.Tensors = append(tr.Tensors, policy.Tensor{
			Base: uint64(h) * t.Lines * lineBytes, Bytes: t.Lines * lineBytes, Tile: 64 * lineBytes,
			Uses: uint32(t.Blocks * sharers), Sharers: uint16(sharers), Kind: policy.Key,
		})
	}
	tr.each = func(yield func(policy.Access) bool) bool { return t.each(0, 1, pcMain, yield) }
	return tr
}

// each walks over K and V that start at line base and are described by tensors
// from first on (numbered from 1).
func (t Attention) each(base uint64, first int, pc uint64, yield func(policy.Access) bool) bool {
	total := uint64(t.Blocks) * t.Lines
	for step := range total + uint64(t.Cores-1)*t.Skew {
		for c := range uint64(t.Cores) {
			k := step - t.Skew*c // wraps far above total before the core starts
			if k >= total {
				continue
			}
			a := policy.Access{Line: base + k%t.Lines, PC: pc, Core: uint16(c), Tensor: uint16(first)}
			if !t.Shared {
				a.Line += c * t.Lines
				a.Tensor += uint16(c)
			}
			if !yield(a) {
				return false
			}
		}
	}
	return true
}
