package gpu

import "github.com/causeway-sim/causeway/workloads/graph"

// wider are the types that hold every element of a type, narrowest first.
var wider = map[graph.DType][]graph.DType{
	graph.Int4: {graph.Int8, graph.FP16, graph.BF16},
	graph.Int8: {graph.FP16, graph.BF16},
	graph.FP8:  {graph.FP16, graph.BF16},
}

// widened is the type in which the matrix units multiply elements of type d: d itself, the
// single elements of a block format, or the narrowest wider type that they have a rate for.
// ok is false where they have none: fp32 and int32 are not narrowed.
//
// Elements are widened in the kernel, between shared memory and the matrix units, and its
// instructions hide behind the products. Sources: vLLM, pull request 5975 (fp8 on Ampere as
// fp16 or bf16, by FP8 Marlin); Modular, kernel documentation of mxfp4_matmul_sm90 (mxfp4 on
// an H100 as fp8).
func (s *Spec) widened(d graph.DType) (as graph.DType, ok bool) {
	e := d.Element()
	for _, as := range append([]graph.DType{d, e}, wider[e]...) {
		if s.Tensor[as.String()] > 0 {
			return as, true
		}
	}
	return d, false
}

// matrix is the multiply-accumulates of one SM's matrix units per clock for a type; 0: its
// products take the vector units.
func (s *Spec) matrix(d graph.DType) float64 {
	as, ok := s.widened(d)
	if !ok {
		return 0
	}
	return s.Tensor[as.String()]
}
