package onnx

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

// Matrix products.
func init() {
	onnxOps["MatMul"] = onnxOp{2, 2, func(n *onnxNode) error { return n.matmul(n.In[0], n.In[1], n.In[0].Elem) }}
	onnxOps["MatMulInteger"] = onnxOp{2, 4, func(n *onnxNode) error {
		return n.matmul(n.In[0], n.In[1], onnxpb.TensorProto_INT32)
	}}
	onnxOps["QLinearMatMul"] = onnxOp{8, 8, func(n *onnxNode) error {
		return n.matmul(n.In[0], n.In[3], n.In[7].Elem)
	}}
	onnxOps["FusedMatMul"] = onnxOp{2, 2, func(n *onnxNode) error {
		a, b := n.In[0], n.In[1]
		if n.Flag("transA") {
			a = n.transposed(a)
		}
		if n.Flag("transB") {
			b = n.transposed(b)
		}
		return n.matmul(a, b, a.Elem)
	}}
	onnxOps["Gemm"] = onnxOp{2, 3, onnxGemm}
}

// transposed is v with its last two dimensions exchanged, which a product reads
// in place.
func (n *onnxNode) transposed(v *node.Value) *node.Value {
	if v.Rank() < 2 {
		return v
	}
	w := *v
	if v.Const {
		w.Origin, w.Data = v.Root(), nil
	} else if v.Elements() > 0 {
		w.ID = n.Model.Tensor(v, false)
	}
	w.Shape = slices.Clone(v.Shape)
	r := v.Rank()
	w.Shape[r-1], w.Shape[r-2] = w.Shape[r-2], w.Shape[r-1]
	return &w
}

// matmul multiplies stacks of matrices that broadcast, as NumPy does.
func (n *onnxNode) matmul(a, b *node.Value, elem node.ElemType) error {
	as, bs := a.Shape, b.Shape
	if len(as) == 0 || len(bs) == 0 {
		return n.Fail("shapes %v and %v (want at least one dimension)", as, bs)
	}
	if len(as) == 1 {
		as = []int{1, as[0]}
	}
	if len(bs) == 1 {
		bs = []int{bs[0], 1}
	}
	m, k, k2, cols := as[len(as)-2], as[len(as)-1], bs[len(bs)-2], bs[len(bs)-1]
	lead, ok := node.Broadcast(as[:len(as)-2], bs[:len(bs)-2])
	if k != k2 || !ok {
		return n.Fail("shapes %v and %v do not multiply", a.Shape, b.Shape)
	}
	shape := slices.Clone(lead)
	if a.Rank() > 1 {
		shape = append(shape, m)
	}
	if b.Rank() > 1 {
		shape = append(shape, cols)
	}
	out, err := n.Result(0, elem, shape...)
	if err != nil {
		return err
	}
	return n.product(a, b, nil, out, productShape{
		batch: node.Elements(lead), batchA: node.Elements(as[:len(as)-2]), batchB: node.Elements(bs[:len(bs)-2]),
		m: int64(m), n: int64(cols), k: int64(k),
	})
}

// A productShape is a stack of batch products, of which A has batchA and B has
// batchB different matrices.
type productShape struct{ batch, batchA, batchB, m, n, k int64 }

// product emits the products of a and b. Where one B serves several A, their
// rows make one matrix; where one A serves several B, their columns do. A weight
// on the left changes sides, which transposes the product.
func (n *onnxNode) product(a, b, bias, out *node.Value, p productShape) error {
	if a.Elements() == 0 || b.Elements() == 0 {
		return n.Emit(graph.MatMul{}, []*node.Value{a, b}, out) // folds, or says which is empty
	}
	rows, cols := p.m*(p.batch/p.batchB), p.n*(p.batch/p.batchA)
	both := p.batchA / (p.batch / p.batchB)
	if a.Const && !b.Const && bias == nil {
		a, b = b, a
		rows, cols = cols, rows
	}
	k := graph.MatMul{Batch: int(both), M: int(rows), N: int(cols), K: int(p.k), SharedB: 1}
	return n.Emit(k, []*node.Value{a, b, bias}, out)
}

// onnxGemm is alpha*A*B + beta*C. The factors cost nothing: they are folded
// into the weight or the output stage.
func onnxGemm(n *onnxNode) error {
	a, b := n.In[0], n.In[1]
	if a.Rank() > 2 && n.Opset < 7 { // the old rule flattens the images
		rows, cols := a.Shape[0], node.Elements(a.Shape[1:])
		if cols > format.MaxDim {
			return n.Fail("shape %v", a.Shape)
		}
		var err error
		if a, err = n.Reshaped("flat", a, rows, int(cols)); err != nil {
			return err
		}
	}
	if a.Rank() != 2 || b.Rank() != 2 {
		return n.Fail("shapes %v and %v (want matrices)", a.Shape, b.Shape)
	}
	as, bs := a.Shape, b.Shape
	if n.Flag("transA") {
		as = []int{as[1], as[0]}
	}
	if n.Flag("transB") {
		bs = []int{bs[1], bs[0]}
	}
	if as[1] != bs[0] {
		return n.Fail("shapes %v and %v, transposed as it says, do not multiply", a.Shape, b.Shape)
	}
	out, err := n.Result(0, a.Elem, as[0], bs[1])
	if err != nil {
		return err
	}
	p := productShape{1, 1, 1, int64(as[0]), int64(bs[1]), int64(as[1])}
	c := n.Get(2)
	if c == nil {
		return n.product(a, b, nil, out, p)
	}
	if s, ok := node.Broadcast(c.Shape, out.Shape); !ok || !slices.Equal(s, out.Shape) {
		return n.Fail("the third matrix has shape %v, the product %v", c.Shape, out.Shape)
	}
	if c.Const && c.Elements() == int64(bs[1]) && c.Shape[c.Rank()-1] == bs[1] {
		flat, err := n.Reshaped("bias", c, bs[1])
		if err != nil {
			return err
		}
		return n.product(a, b, flat, out, p)
	}
	partial := n.Temp("product", a.Elem, out.Shape...)
	if err := n.emitProduct(a, b, partial, p); err != nil {
		return err
	}
	return n.elementwise("", onnxMap{fn: "add"}, []*node.Value{partial, c}, nil, out)
}

// emitProduct is like product with a separate name, for nodes with further operators.
func (n *onnxNode) emitProduct(a, b, out *node.Value, p productShape) error {
	outer := n.Name
	n.Name = format.UniqueName(n.Model.OpNames, outer+".product")
	err := n.product(a, b, nil, out, p)
	n.Name = outer
	return err
}
