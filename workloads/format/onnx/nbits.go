package onnx

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

func init() { onnxOps["MatMulNBits"] = onnxOp{3, 6, onnxNBits} }

// onnxNBits is a product with weights of 2 to 8 bits in blocks along K, which share a
// scale and perhaps a zero point: A, the packed weights, scales, zero points, order of the
// groups, bias. Weights count as the nearest format with a scale of 16 bits per block, of 4
// bits up to 4 and of 8 above; zero points and what a scale has above 16 bits are left out.
func onnxNBits(n *onnxNode) error {
	a := n.In[0]
	k, cols, bits, block := n.Int("K", 0), n.Int("N", 0), n.Int("bits", 4), n.Int("block_size", 0)
	if k < 1 || cols < 1 || k > format.MaxDim || cols > format.MaxDim || bits < 2 || bits > 8 || block < 1 {
		return n.Fail("K is %d, N %d, bits %d, block_size %d (want sizes above 0 and 2 to 8 bits)", k, cols, bits, block)
	}
	if r := a.Rank(); r == 0 || int64(a.Shape[r-1]) != k {
		return n.Fail("its first input has shape %v (want a last dimension of %d)", a.Shape, k)
	}
	blocks := (k + block - 1) / block
	if have, want := n.In[2].Elements(), cols*blocks; have != want {
		return n.Fail("%d scales (want %d: %d columns of %d blocks)", have, want, cols, blocks)
	}
	elem := node.ElemType(onnxpb.TensorProto_INT8)
	if bits <= 4 {
		elem = onnxpb.TensorProto_INT4
	}
	b := node.NewConstant(n.In[1].Name, elem, int(k), int(cols))
	b.DType = n.grouped(int(bits), int(block))
	b.Const, b.Origin = n.In[1].Const, n.In[1].Root()
	out, err := n.Result(0, a.Elem, append(append([]int(nil), a.Shape[:a.Rank()-1]...), int(cols))...)
	if err != nil {
		return err
	}
	return n.product(a, b, n.Get(5), out, productShape{1, 1, 1, a.Elements() / k, cols, k})
}

// grouped is the type of weights of so many bits in blocks; the model's notes say so, once,
// where no type is just that.
func (n *onnxNode) grouped(bits, size int) *graph.DType {
	d := format.GroupedType(bits, size)
	if x := d.Unit(); d.Bits() != int64(bits) || !d.Blocked() || x.Elements != int64(size) {
		note := fmt.Sprintf("%s: weights of %d bits in blocks of %d count as %s", n.Proto.OpType, bits, size, d)
		if !slices.Contains(n.Model.Notes, note) {
			n.Model.Notes = append(n.Model.Notes, note)
		}
	}
	return &d
}
