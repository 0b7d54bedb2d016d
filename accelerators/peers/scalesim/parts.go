package scalesim

import "github.com/causeway-sim/causeway/accelerators/dataflow"

// parts divides Total Cycles as dataflow.Timing does: useful, mapping loss, fill and
// drain. The one cycle that the tool does not count is taken from the last drain, and
// where that is shorter from the fill. Sparse layers count the products that are kept.
// ok is false where an array has neither fill nor drain to take it from.
func (p *plan) parts(cycles uint64) (out dataflow.Parts, ok bool) {
	folds := int64(p.rowFolds) * int64(p.colFolds)
	t := dataflow.Timing{Tail: int64(p.Rows + p.Cols - 2)}
	if p.Dataflow != OS {
		t.Lead = int64(p.Rows)
	}
	stream := folds * int64(p.t)
	done := int64(p.pixels) * int64(p.window) * int64(p.layer.N)
	out = t.Parts(int64(cycles)+1, folds, stream, float64(done)/(float64(p.Rows)*float64(p.Cols)))
	if out.Fill+out.Drain < 1 {
		return dataflow.Parts{}, false
	}
	short := min(1, out.Drain)
	out.Drain -= short
	out.Fill -= 1 - short
	return out, true
}
