package graph

// An Elementwise applies Func to every element of one or more inputs, which broadcast to the
// output.
type Elementwise struct {
	Func     string // add, mul, relu, gelu, silu, sigmoid, tanh, clip, ...
	Elements int64  // of the output
	Inputs   int    // operands read per output element
	// OpsPer is the vector-unit operations per output element: 1 for add, more
	// for transcendental functions.
	OpsPer int
	// Inside is set if it runs inside another kernel: that of the attention that reads the result
	// (fuse.Prologues), or that of the operator that computes its operand (fuse.Epilogues).
	Inside bool
}

// Type implements Kind.
func (Elementwise) Type() string { return "elementwise" }

// MACs implements Kind.
func (Elementwise) MACs() int64 { return 0 }

func (Elementwise) replaces() {}

// VectorOps implements Kind.
func (e Elementwise) VectorOps() int64 { return e.Elements * int64(e.OpsPer) }

func (e Elementwise) check(v *validator) {
	v.count("output", v.out(), e.Elements)
	if e.Inputs < 1 || e.OpsPer < 0 {
		v.errorf("%d inputs, %d operations per element (want at least 1 and 0)", e.Inputs, e.OpsPer)
	}
	for _, id := range v.op.In {
		if id != None && !broadcasts(v.g.Tensors[id].Shape, v.g.Tensors[v.out()].Shape) {
			v.errorf("input %s of shape %v does not broadcast to %v", v.g.Tensors[id].Name, v.g.Tensors[id].Shape, v.g.Tensors[v.out()].Shape)
		}
	}
}
