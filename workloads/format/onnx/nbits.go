package onnx

import (
	"fmt"
	"slices"

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
	a := n.in[0]
	k, cols, bits, block := n.int("K", 0), n.int("N", 0), n.int("bits", 4), n.int("block_size", 0)
	if k < 1 || cols < 1 || k > format.MaxDim || cols > format.MaxDim || bits < 2 || bits > 8 || block < 1 {
		return n.fail("K is %d, N %d, bits %d, block_size %d (want sizes above 0 and 2 to 8 bits)", k, cols, bits, block)
	}
	if r := a.rank(); r == 0 || int64(a.shape[r-1]) != k {
		return n.fail("its first input has shape %v (want a last dimension of %d)", a.shape, k)
	}
	blocks := (k + block - 1) / block
	if have, want := n.in[2].elements(), cols*blocks; have != want {
		return n.fail("%d scales (want %d: %d columns of %d blocks)", have, want, cols, blocks)
	}
	elem := elemType(onnxpb.TensorProto_INT8)
	if bits <= 4 {
		elem = onnxpb.TensorProto_INT4
	}
	b := newConst(n.in[1].name, elem, int(k), int(cols))
	b.dtype = n.grouped(int(bits), int(block))
	b.konst, b.origin = n.in[1].konst, n.in[1].root()
	out, err := n.result(0, a.elem, append(append([]int(nil), a.shape[:a.rank()-1]...), int(cols))...)
	if err != nil {
		return err
	}
	return n.product(a, b, n.get(5), out, productShape{1, 1, 1, a.elements() / k, cols, k})
}

// grouped is the type of weights of so many bits in blocks; the model's notes say so, once,
// where no type is just that.
func (n *onnxNode) grouped(bits, size int) *graph.DType {
	d := format.GroupedType(bits, size)
	if x := d.Unit(); d.Bits() != int64(bits) || !d.Blocked() || x.Elements != int64(size) {
		note := fmt.Sprintf("%s: weights of %d bits in blocks of %d count as %s", n.pb.OpType, bits, size, d)
		if !slices.Contains(n.m.notes, note) {
			n.m.notes = append(n.m.notes, note)
		}
	}
	return &d
}
