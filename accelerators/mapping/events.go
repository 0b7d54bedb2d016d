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
		ifmap += p.tiles.S.AWide.Size(p.attn.Loop.Computed)
	}
	return [3]int64{
		p.tiles.S.AWide.Size(p.SRAM.IfmapReads) + ifmap,
		p.tiles.S.BWide.Size(p.SRAM.FilterReads) + t.Filter,
		p.tiles.S.Acc.Size(p.SRAM.OfmapReads+p.SRAM.OfmapWrites) + t.Psum + t.Spill + t.Output,
	}
}

// RegisterBytes is what the registers of the array take over: with every
// multiply-accumulate the two operands that move (os), or the one that moves and
// the partial sum (ws, is).
func (p *Plan) RegisterBytes() int64 {
	if !p.Matrix {
		return 0
	}
	wide := p.tiles.S.AWide.Bits() + p.tiles.S.BWide.Bits()
	switch p.tiles.H.Time {
	case dataflow.M:
		wide = p.tiles.S.AWide.Bits() + p.tiles.S.Acc.Bits()
	case dataflow.N:
		wide = p.tiles.S.BWide.Bits() + p.tiles.S.Acc.Bits()
	}
	return (p.MACs*wide + 7) / 8
}
