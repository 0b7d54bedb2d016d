package mapping

import "github.com/causeway-sim/causeway/accelerators/dataflow"

// BufferBytes is what is read and written in the ifmap, filter and ofmap buffer
// by the array or the vector unit and by the DMA together: the count that an
// energy model wants. Partial sums are as wide as the accumulator.
func (p *Plan) BufferBytes() (sram [3]int64) {
	t := p.Traffic
	if !p.Matrix { // each byte is written once and read once
		return [3]int64{2 * t.Ifmap, 2 * t.Filter, 2 * t.Output}
	}
	if p.Multicast() {
		t.Ifmap, t.Filter = p.into[0], p.into[1]
	}
	ifmap := t.Ifmap
	if p.attn != nil { // weights of the sum come from the vector unit
		ifmap += size(p.attn.loop.computed, p.s.aWide)
	}
	return [3]int64{
		size(p.SRAM.IfmapReads, p.s.aWide) + ifmap,
		size(p.SRAM.FilterReads, p.s.bWide) + t.Filter,
		size(p.SRAM.OfmapReads+p.SRAM.OfmapWrites, p.s.acc) + t.Psum + t.Spill + t.Output,
	}
}

// RegisterBytes is what the registers of the array take over: with every
// multiply-accumulate the two operands that move (os), or the one that moves and
// the partial sum (ws, is).
func (p *Plan) RegisterBytes() int64 {
	if !p.Matrix {
		return 0
	}
	wide := elementBits(p.s.aWide) + elementBits(p.s.bWide)
	switch p.h.time {
	case dataflow.M:
		wide = elementBits(p.s.aWide) + elementBits(p.s.acc)
	case dataflow.N:
		wide = elementBits(p.s.bWide) + elementBits(p.s.acc)
	}
	return (p.MACs*wide + 7) / 8
}
