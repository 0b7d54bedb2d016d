package scalesim

import (
	"math/big"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
)

// A Span is the first and last cycle in which an SRAM serves a request. A read is served one
// cycle after its request, a write in the cycle of its request.
type Span struct{ First, Last uint64 }

// Compute holds the columns of COMPUTE_REPORT, the SRAM columns of
// BANDWIDTH_REPORT and those of DETAILED_ACCESS_REPORT.
type Compute struct {
	Cycles             uint64  // Total Cycles
	Utilization        float64 // Overall Util %
	MappingEfficiency  float64 // Mapping Efficiency %
	ComputeUtilization float64 // Compute Util %

	IfmapReads, FilterReads, OfmapWrites uint64 // SRAM accesses, words

	IfmapBandwidth, FilterBandwidth, OfmapBandwidth float64 // SRAM words per cycle

	IfmapSRAM, FilterSRAM, OfmapSRAM Span

	// Parts divide Cycles; the tool has no such columns. Divided is false if Cycles is 0 by the
	// cycle that the tool does not count.
	Parts   dataflow.Parts
	Divided bool
}

// Compute counts a layer by walking its folds, as the tool does. Errors are those of Degenerate
// layers in the package doc.
func (a Array) Compute(l Layer) (Compute, error) {
	p, err := a.plan(l)
	if err != nil {
		return Compute{}, err
	}
	return p.compute(), nil
}

// A tally sums over folds. The tool makes its float sums fold by fold, and their
// rounding depends on it, so those are made one by one here too; whole numbers
// of folds that are alike are multiplied.
type tally struct {
	mapping, busy    float64
	reads            float64 // of the ifmap where pruning makes it a float
	ifmap, fil, outs uint64
}

// add counts n folds like (fr, fc).
func (t *tally) add(p *plan, fr, fc, n int) {
	cells := uint64(p.Rows) * uint64(p.Cols)
	used := uint64(p.usedRows(fr)) * uint64(p.usedCols(fc))
	m, b := ratio(used, cells), ratio(used*uint64(p.t), cells*p.charged())
	reads := p.ifmap(fr, fc).size()
	// One block of inputs serves M/N rows and is read for each.
	pruned := float64(reads) * (float64(p.outs) / float64(p.keep))
	for range n {
		t.mapping += m
		t.busy += b
		t.reads += pruned
	}
	t.ifmap += uint64(n) * reads
	t.fil += uint64(n) * p.filter(fr, fc).size()
	t.outs += uint64(n) * p.ofmap(fr, fc).size()
	if p.Dataflow == OS {
		t.outs += uint64(n) * (uint64(p.Rows) + uint64(p.Cols))
	}
}

func (p *plan) compute() Compute {
	var c Compute
	var t tally
	cells := uint64(p.Rows) * uint64(p.Cols)
	for fc := range p.colFolds {
		t.add(p, 0, fc, p.rowFolds-1) // full rows, all alike
		t.add(p, p.rowFolds-1, fc, 1)
	}
	mapping, busy := t.mapping, t.busy
	c.IfmapReads, c.FilterReads, c.OfmapWrites = t.ifmap, t.fil, t.outs
	// With Sparse the tool's count is a float, and may have a fraction when N
	// does not divide M. Reads are whole here; the bandwidth keeps the fraction.
	ifmapReads := float64(t.ifmap)
	if p.Sparse && p.Dataflow == WS {
		ifmapReads, c.IfmapReads = t.reads, uint64(t.reads)
	}

	c.Cycles = p.lines() - 1
	c.Parts, c.Divided = p.parts(c.Cycles)
	folds := float64(p.rowFolds * p.colFolds)
	c.Utilization = ratio(p.layer.MACs()*100, c.Cycles*cells)
	c.MappingEfficiency = mapping / folds * 100
	c.ComputeUtilization = busy / folds * 100
	c.IfmapBandwidth = ifmapReads / float64(c.Cycles)
	c.FilterBandwidth = ratio(c.FilterReads, c.Cycles)
	c.OfmapBandwidth = ratio(c.OfmapWrites, c.Cycles)

	fr, fc := p.rowFolds-1, p.colFolds-1
	end := p.line(fr, fc)
	c.IfmapSRAM = Span{uint64(p.ifmap(0, 0).line) + 1, p.lastIfmapLine() + 1}
	c.FilterSRAM = Span{uint64(p.filter(0, 0).line) + 1, end + uint64(p.filter(fr, fc).last()) + 1}
	c.OfmapSRAM = Span{uint64(p.ofmap(0, 0).line), end + uint64(p.ofmap(fr, fc).last())}
	return c
}

// charged is what the tool divides by to get the compute utilisation of a
// fold. Only for output stationary is it the length of the fold.
func (p *plan) charged() uint64 {
	if p.Dataflow == OS {
		return uint64(p.foldLines)
	}
	return uint64(p.foldLines + p.Cols - 1)
}

// ratio is a/b rounded once, like a division of whole numbers in Python.
func ratio(a, b uint64) float64 {
	const exact = 1 << 53
	if a > exact || b > exact {
		f, _ := new(big.Rat).SetFrac(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b)).Float64()
		return f
	}
	return float64(a) / float64(b)
}
