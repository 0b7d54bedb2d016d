package onnx

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

// Matrix products.
func init() {
	onnxOps["MatMul"] = onnxOp{2, 2, func(n *onnxNode) error { return n.matmul(n.in[0], n.in[1], n.in[0].elem) }}
	onnxOps["MatMulInteger"] = onnxOp{2, 4, func(n *onnxNode) error {
		return n.matmul(n.in[0], n.in[1], onnxpb.TensorProto_INT32)
	}}
	onnxOps["QLinearMatMul"] = onnxOp{8, 8, func(n *onnxNode) error {
		return n.matmul(n.in[0], n.in[3], n.in[7].elem)
	}}
	onnxOps["FusedMatMul"] = onnxOp{2, 2, func(n *onnxNode) error {
		a, b := n.in[0], n.in[1]
		if n.flag("transA") {
			a = n.transposed(a)
		}
		if n.flag("transB") {
			b = n.transposed(b)
		}
		return n.matmul(a, b, a.elem)
	}}
	onnxOps["Gemm"] = onnxOp{2, 3, onnxGemm}
}

// transposed is v with its last two dimensions exchanged, which a product reads
// in place.
func (n *onnxNode) transposed(v *onnxValue) *onnxValue {
	if v.rank() < 2 {
		return v
	}
	w := *v
	if v.konst {
		w.origin, w.data = v.root(), nil
	} else if v.elements() > 0 {
		w.id = n.m.tensor(v, false)
	}
	w.shape = slices.Clone(v.shape)
	r := v.rank()
	w.shape[r-1], w.shape[r-2] = w.shape[r-2], w.shape[r-1]
	return &w
}

// matmul multiplies stacks of matrices that broadcast, as NumPy does.
func (n *onnxNode) matmul(a, b *onnxValue, elem elemType) error {
	as, bs := a.shape, b.shape
	if len(as) == 0 || len(bs) == 0 {
		return n.fail("shapes %v and %v (want at least one dimension)", as, bs)
	}
	if len(as) == 1 {
		as = []int{1, as[0]}
	}
	if len(bs) == 1 {
		bs = []int{bs[0], 1}
	}
	m, k, k2, cols := as[len(as)-2], as[len(as)-1], bs[len(bs)-2], bs[len(bs)-1]
	lead, ok := broadcast(as[:len(as)-2], bs[:len(bs)-2])
	if k != k2 || !ok {
		return n.fail("shapes %v and %v do not multiply", a.shape, b.shape)
	}
	shape := slices.Clone(lead)
	if a.rank() > 1 {
		shape = append(shape, m)
	}
	if b.rank() > 1 {
		shape = append(shape, cols)
	}
	out, err := n.result(0, elem, shape...)
	if err != nil {
		return err
	}
	return n.product(a, b, nil, out, productShape{
		batch: elementsOf(lead), batchA: elementsOf(as[:len(as)-2]), batchB: elementsOf(bs[:len(bs)-2]),
		m: int64(m), n: int64(cols), k: int64(k),
	})
}

// A productShape is a stack of batch products, of which A has batchA and B has
// batchB different matrices.
type productShape struct{ batch, batchA, batchB, m, n, k int64 }

// product emits the products of a and b. Where one B serves several A, their
// rows make one matrix; where one A serves several B, their columns do. A weight
// on the left changes sides, which transposes the product.
func (n *onnxNode) product(a, b, bias, out *onnxValue, p productShape) error {
	if a.elements() == 0 || b.elements() == 0 {
		return n.emit(graph.MatMul{}, []*onnxValue{a, b}, out) // folds, or says which is empty
	}
	rows, cols := p.m*(p.batch/p.batchB), p.n*(p.batch/p.batchA)
	both := p.batchA / (p.batch / p.batchB)
	if a.konst && !b.konst && bias == nil {
		a, b = b, a
		rows, cols = cols, rows
	}
	k := graph.MatMul{Batch: int(both), M: int(rows), N: int(cols), K: int(p.k), SharedB: 1}
	return n.emit(k, []*onnxValue{a, b, bias}, out)
}

// onnxGemm is alpha*A*B + beta*C. The factors cost nothing: they are folded
// into the weight or the output stage.
func onnxGemm(n *onnxNode) error {
	a, b := n.in[0], n.in[1]
	if a.rank() > 2 && n.opset < 7 { // the old rule flattens the images
		rows, cols := a.shape[0], elementsOf(a.shape[1:])
		if cols > format.MaxDim {
			return n.fail("shape %v", a.shape)
		}
		var err error
		if a, err = n.reshaped("flat", a, rows, int(cols)); err != nil {
			return err
		}
	}
	if a.rank() != 2 || b.rank() != 2 {
		return n.fail("shapes %v and %v (want matrices)", a.shape, b.shape)
	}
	as, bs := a.shape, b.shape
	if n.flag("transA") {
		as = []int{as[1], as[0]}
	}
	if n.flag("transB") {
		bs = []int{bs[1], bs[0]}
	}
	if as[1] != bs[0] {
		return n.fail("shapes %v and %v, transposed as it says, do not multiply", a.shape, b.shape)
	}
	out, err := n.result(0, a.elem, as[0], bs[1])
	if err != nil {
		return err
	}
	p := productShape{1, 1, 1, int64(as[0]), int64(bs[1]), int64(as[1])}
	c := n.get(2)
	if c == nil {
		return n.product(a, b, nil, out, p)
	}
	if s, ok := broadcast(c.shape, out.shape); !ok || !slices.Equal(s, out.shape) {
		return n.fail("the third matrix has shape %v, the product %v", c.shape, out.shape)
	}
	if c.konst && c.elements() == int64(bs[1]) && c.shape[c.rank()-1] == bs[1] {
		flat, err := n.reshaped("bias", c, bs[1])
		if err != nil {
			return err
		}
		return n.product(a, b, flat, out, p)
	}
	partial := n.temp("product", a.elem, out.shape...)
	if err := n.emitProduct(a, b, partial, p); err != nil {
		return err
	}
	return n.elementwise("", onnxMap{fn: "add"}, []*onnxValue{partial, c}, nil, out)
}

// emitProduct is like product with a separate name, for nodes with further operators.
func (n *onnxNode) emitProduct(a, b, out *onnxValue, p productShape) error {
	outer := n.name
	n.name = format.UniqueName(n.m.opNames, outer+".product")
	err := n.product(a, b, nil, out, p)
	n.name = outer
	return err
}
