package tracetest

import "github.com/causeway-sim/causeway/memory/policy"

// Phases are layers of a decoder on four cores: attention over one head per core, then over a
// shared head, then a dense part that reads the same weights in every layer, with recency, and
// writes outputs that are never read again.
type Phases struct {
	Layers  int
	Own     uint64 // lines of K and V per core, heads of their own
	Shared  uint64 // lines of K and V of the shared head
	Blocks  int    // of queries in both
	Weights uint64 // lines
	Rereads int    // of each window of weights
	Window  uint64 // lines of weights that are read again soon
	Outputs uint64 // lines per layer
}

// DefaultPhases have the shape of the reference traces fa_mha4 and fa_gqa4, with fewer blocks;
// they also exceed a cache of 1 MiB.
func DefaultPhases() Phases {
	return Phases{Layers: 4, Own: 8192, Shared: 24576, Blocks: 4, Weights: 12288, Rereads: 6, Window: 2048, Outputs: 8192}
}

// Mix returns the trace of the phases.
func Mix(p Phases) Trace {
	const cores = 4
	t := Trace{Name: "phases", Cores: cores}
	next := uint64(0)
	add := func(lines, tile uint64, uses, sharers int, kind policy.Kind, once bool) (base uint64, first int) {
		t.Tensors = append(t.Tensors, policy.Tensor{
			Base: next * lineBytes, Bytes: lines * lineBytes, Tile: tile * lineBytes,
			Uses: uint32(uses), Sharers: uint16(sharers), Kind: kind, WriteOnce: once,
		})
		base = next
		next += lines
		return base, len(t.Tensors)
	}
	own := Attention{Cores: cores, Lines: p.Own, Blocks: p.Blocks}
	shared := Attention{Cores: cores, Lines: p.Shared, Blocks: p.Blocks, Shared: true, Skew: 64}
	weights, weightsID := add(p.Weights, 64, p.Layers*p.Rereads, 1, policy.Weight, false)
	type layer struct {
		own, shared, out       uint64
		ownID, sharedID, outID int
	}
	layers := make([]layer, p.Layers)
	for i := range layers {
		l := &layers[i]
		for c := range cores {
			base, id := add(p.Own, 64, p.Blocks, 1, policy.Key, false)
			if c == 0 {
				l.own, l.ownID = base, id
			}
		}
		l.shared, l.sharedID = add(p.Shared, 64, p.Blocks*cores, cores, policy.Key, false)
		l.out, l.outID = add(p.Outputs, 64, 1, 1, policy.Output, true)
	}
	t.each = func(yield func(policy.Access) bool) bool {
		for _, l := range layers {
			if !own.each(l.own, l.ownID, pcMain, yield) || !shared.each(l.shared, l.sharedID, pcSecond, yield) ||
				!p.dense(weights, weightsID, l.out, l.outID, yield) {
				return false
			}
		}
		return true
	}
	return t
}

// dense reads weights window by window, each window Rereads times, and spreads
// the writes of the outputs over the reads.
func (p Phases) dense(weights uint64, weightsID int, out uint64, outID int, yield func(policy.Access) bool) bool {
	reads, written, k := p.Weights*uint64(p.Rereads), uint64(0), uint64(0)
	for w := uint64(0); w < p.Weights; w += p.Window {
		for range p.Rereads {
			for i := range min(p.Window, p.Weights-w) {
				if !yield(policy.Access{Line: weights + w + i, PC: pcThird, Tensor: uint16(weightsID), Core: uint16(i % 4)}) {
					return false
				}
				k++
				for ; written*reads < k*p.Outputs; written++ {
					if !yield(policy.Access{Line: out + written, PC: pcThird + 0x100, Tensor: uint16(outID), Core: uint16(written % 4), Write: true}) {
						return false
					}
				}
			}
		}
	}
	return true
}
