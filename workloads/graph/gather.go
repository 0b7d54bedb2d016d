package graph

// A Gather reads Rows rows of Cols elements from a table (embedding).
type Gather struct{ Rows, Cols, Table int64 }

// Type implements Kind.
func (Gather) Type() string { return "gather" }

// MACs implements Kind.
func (Gather) MACs() int64 { return 0 }

// VectorOps implements Kind: rows are copied.
func (Gather) VectorOps() int64 { return 0 }

// reads implements partReader: of the table only the gathered rows.
func (k Gather) reads(operand int, elements, _ int64) int64 {
	if operand == 0 {
		return k.Rows * k.Cols
	}
	return elements
}

// fixDTypes implements dtypeFixer: indices are addresses.
func (Gather) fixDTypes(g *Graph, op *Op) {
	if len(op.In) > 1 && op.In[1] != None {
		g.Tensors[op.In[1]].DType = Int32
	}
}

func (k Gather) check(v *validator) {
	v.count("table", v.in(0), k.Table, k.Cols)
	v.count("indices", v.in(1), k.Rows)
	v.count("output", v.out(), k.Rows, k.Cols)
}
