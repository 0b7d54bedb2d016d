package graph

// A Reduce folds Elements inputs into Out outputs by Func (sum, mean, max).
type Reduce struct {
	Func          string
	Elements, Out int64
}

// Type implements Kind.
func (Reduce) Type() string { return "reduce" }

// MACs implements Kind.
func (Reduce) MACs() int64 { return 0 }

// VectorOps implements Kind. There may be more results than elements: results of tokens without an
// expert on the chip are zero.
func (r Reduce) VectorOps() int64 {
	if r.Func == "mean" {
		return r.Elements // a multiply ends each sum
	}
	return max(r.Elements-r.Out, 0)
}

func (r Reduce) check(v *validator) {
	v.count("input", v.in(0), r.Elements)
	v.count("output", v.out(), r.Out)
}
