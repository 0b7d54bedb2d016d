package scalesim

import "errors"

// Traffic counts the words between one SRAM and DRAM: the cycles of the first and the last word,
// words, and words per cycle. Cycle 0 is the first of the layer; the first fetch is before it.
type Traffic struct {
	Start, Stop int64
	Words       uint64
	Bandwidth   float64
}

func newTraffic(start, stop int64, words uint64) Traffic {
	return Traffic{start, stop, words, ratio(words, uint64(stop-start+1))}
}

// DRAM holds every column of the three reports of the tool in CALC mode.
type DRAM struct {
	Compute
	Total  uint64 // Total Cycles (incl. prefetch)
	Stalls uint64 // Stall Cycles; CALC mode never stalls, see the write buffer

	Ifmap, Filter, Ofmap Traffic
}

// DRAM counts a layer with its memory in CALC mode: reads are estimated so that they never stall,
// writes drain at one word per array column and cycle. Its run time grows with the folds and the
// swaps of SRAM halves, and with the demand where that is walked (see the package doc). Errors
// are as for Compute.
func (a Array) DRAM(l Layer) (DRAM, error) {
	p, err := a.plan(l)
	if err := errors.Join(err, a.checkSRAM()); err != nil {
		return DRAM{}, err
	}
	var d DRAM
	w := newWriteBuffer(a.OfmapSRAM, a.Cols)
	p.folds(func(fr, fc int) { w.pass(p.ofmap(fr, fc), p.line(fr, fc)) })
	d.Ofmap = w.finish(int64(p.lines() - 1))

	var wrong error
	d.Filter, wrong = p.readFilter()
	d.Ifmap, err = p.readIfmap()
	if err := errors.Join(err, wrong); err != nil {
		return DRAM{}, err
	}
	d.Compute = p.compute()
	d.Total = uint64(d.Ofmap.Stop - min(d.Ifmap.Start, d.Filter.Start))
	return d, nil
}

func (p *plan) folds(do func(fr, fc int)) {
	for fc := range p.colFolds {
		for fr := range p.rowFolds {
			do(fr, fc)
		}
	}
}

func (p *plan) readFilter() (Traffic, error) {
	b := newReadBuffer(p.FilterSRAM, p.filter(0, 0).line)
	p.readTiles(b, p.filter)
	return b.finish("filter")
}

func (p *plan) readIfmap() (Traffic, error) {
	b := newReadBuffer(p.IfmapSRAM, p.ifmap(0, 0).line)
	switch {
	case p.disjoint() && !p.overhang():
		p.readTiles(b, p.ifmap)
	case !p.Sparse && p.words() < b.half:
		b.words = p.words()
	default:
		s, err := p.stream(b)
		if err != nil {
			return Traffic{}, err
		}
		p.folds(s.pass)
	}
	return b.finish("ifmap")
}

// readTiles reads an operand of which all words are different.
func (p *plan) readTiles(b *readBuffer, operand func(fr, fc int) demand) {
	tiles := make([]tileState, operand(p.rowFolds-1, p.colFolds-1).tile+1)
	p.folds(func(fr, fc int) {
		d := operand(fr, fc)
		if !d.skew {
			tiles[0] = tileState{}
		}
		b.pass(d, &tiles[d.tile], p.line(fr, fc))
	})
}
