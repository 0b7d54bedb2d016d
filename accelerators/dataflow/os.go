package dataflow

import "github.com/causeway-sim/causeway/components/registry"

type outputStationary struct{}

func (outputStationary) Name() string                  { return "os" }
func (outputStationary) Axes() (rows, cols, time Axis) { return M, N, K }

// Operands enter skewed by one cycle per row and per column: the last
// processing element ends Rows+Cols-2 cycles after the first. Results leave
// over their own path while the next fold fills; they need Rows cycles to get
// out, which only the overlapped wavefront can be too short for.
func (outputStationary) Timing(a Array) Timing {
	full := int64(a.Rows + a.Cols - 1)
	skew := full - 1 + a.pipe()
	if a.OverlapDrain {
		return Timing{Min: int64(a.Rows), End: skew, Clears: true, Full: full}
	}
	return Timing{Tail: skew, Full: full}
}

func (outputStationary) Skew(a Array) Skew { return Skew{A: triangle(a.Rows), B: triangle(a.Cols)} }
func (outputStationary) Check(Array) error { return nil }

func init() {
	All.Add(registry.Entry[Dataflow]{
		Name:   "os",
		Doc:    "Output stationary: each processing element keeps one output, both operands stream.",
		Source: "Samajdar et al., SCALE-Sim, ISPASS 2020, section III-B",
		New:    outputStationary{},
	})
}
