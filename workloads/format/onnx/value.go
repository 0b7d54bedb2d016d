package onnx

import (
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

type elemType = onnxpb.TensorProto_DataType

func typeName(t elemType) string { return strings.ToLower(t.String()) }

// elemDType is the nearest element type of a graph. Wide integers are indices
// and shapes; they count as 32 bits.
func elemDType(t elemType) graph.DType {
	switch t {
	case onnxpb.TensorProto_FLOAT16, onnxpb.TensorProto_INT16, onnxpb.TensorProto_UINT16:
		return graph.FP16
	case onnxpb.TensorProto_BFLOAT16:
		return graph.BF16
	case onnxpb.TensorProto_FLOAT8E4M3FN, onnxpb.TensorProto_FLOAT8E4M3FNUZ, onnxpb.TensorProto_FLOAT8E5M2,
		onnxpb.TensorProto_FLOAT8E5M2FNUZ, onnxpb.TensorProto_FLOAT8E8M0:
		return graph.FP8
	case onnxpb.TensorProto_INT8, onnxpb.TensorProto_UINT8, onnxpb.TensorProto_BOOL:
		return graph.Int8
	case onnxpb.TensorProto_INT4, onnxpb.TensorProto_UINT4, onnxpb.TensorProto_FLOAT4E2M1,
		onnxpb.TensorProto_INT2, onnxpb.TensorProto_UINT2:
		return graph.Int4
	case onnxpb.TensorProto_INT32, onnxpb.TensorProto_UINT32, onnxpb.TensorProto_INT64, onnxpb.TensorProto_UINT64:
		return graph.Int32
	}
	return graph.FP32
}

// An onnxValue is one array of a model, as far as it is known before the run.
type onnxValue struct {
	name  string
	shape []int
	elem  elemType
	dtype *graph.DType // in place of elem, which knows no block formats
	role  graph.Role
	// konst is set if the value does not depend on the inputs of the model, so that it is a weight
	// or a shape. data holds its elements if they are few.
	konst bool
	data  *constant
	// id is the tensor of the graph, once an operator needs one.
	id graph.TensorID
	// origin is the stored array of which this constant is another view; nil for
	// itself. stored are the tensors made of an origin.
	origin *onnxValue
	stored []graph.TensorID
}

func (v *onnxValue) elements() int64 {
	n := int64(1)
	for _, d := range v.shape {
		n *= int64(d)
	}
	return n
}

func (v *onnxValue) rank() int { return len(v.shape) }

// scalar reports whether v is one number.
func (v *onnxValue) scalar() bool { return v.elements() == 1 }

// ints are the values of an integer constant.
func (v *onnxValue) ints() ([]int64, bool) {
	if v == nil || v.data == nil || v.data.ints == nil {
		return nil, false
	}
	return v.data.ints, true
}

// newConst is a constant without values.
func newConst(name string, elem elemType, shape ...int) *onnxValue {
	return &onnxValue{name: name, shape: shape, elem: elem, role: graph.Weight, konst: true, id: graph.None}
}

// root is the stored array of a constant.
func (v *onnxValue) root() *onnxValue {
	if v.origin != nil {
		return v.origin
	}
	return v
}

// tensor returns the tensor of v in the graph under construction, made at the
// first use. Views of one stored constant share a tensor where the shape is the
// same, or does not matter (anyLayout), so that a weight counts once.
func (m *onnxImport) tensor(v *onnxValue, anyLayout bool) graph.TensorID {
	if v.id != graph.None {
		return v.id
	}
	name := v.name
	if v.konst {
		root := v.root()
		for _, id := range root.stored {
			if anyLayout || slices.Equal(m.b.Shape(id), v.shape) {
				v.id = id
				return id
			}
		}
		if len(root.stored) == 0 {
			name = root.name
		}
	}
	v.id = m.b.Tensor(format.UniqueName(m.tensorNames, name), v.role, v.shape...)
	d := elemDType(v.elem)
	if v.dtype != nil {
		d = *v.dtype
	}
	m.dtypes = append(m.dtypes, tensorType{v.id, d})
	if v.konst {
		root := v.root()
		root.stored = append(root.stored, v.id)
	}
	return v.id
}

// tensorType remembers the element type that the file gives a tensor.
type tensorType struct {
	id    graph.TensorID
	dtype graph.DType
}

// dims converts and checks a list of dimensions.
func dims(in []int64) ([]int, bool) {
	out := make([]int, len(in))
	n := int64(1)
	for i, d := range in {
		if d < 0 || d > format.MaxDim {
			return nil, false
		}
		out[i] = int(d)
		if d > 0 {
			var ok bool
			if n, ok = format.Product(n, d); !ok || n > format.MaxElements {
				return nil, false
			}
		}
	}
	return out, true
}

func elementsOf(shape []int) int64 {
	n := int64(1)
	for _, d := range shape {
		n *= int64(d)
	}
	return n
}

// strides are the distances between neighbours along each axis, in elements.
func strides(shape []int) []int {
	s := make([]int, len(shape))
	n := 1
	for i := len(shape) - 1; i >= 0; i-- {
		s[i] = n
		n *= shape[i]
	}
	return s
}

// broadcast is the common shape of all, or false.
func broadcast(shapes ...[]int) ([]int, bool) {
	rank := 0
	for _, s := range shapes {
		rank = max(rank, len(s))
	}
	out := make([]int, rank)
	for i := range out {
		out[i] = 1
		for _, s := range shapes {
			j := i - rank + len(s)
			if j < 0 || s[j] == 1 {
				continue
			}
			if out[i] != 1 && out[i] != s[j] {
				return nil, false
			}
			out[i] = s[j]
		}
	}
	return out, true
}

// walk calls f with the element of each operand that belongs to element i
// of an array of shape, in order; step[k][d] is how far operand k moves along
// axis d. Start may be nil.
func walk(shape []int, start []int, step [][]int, f func(i int, at []int)) {
	n := int(elementsOf(shape))
	at := make([]int, len(step))
	copy(at, start)
	index := make([]int, len(shape))
	for i := range n {
		f(i, at)
		for d := len(shape) - 1; d >= 0; d-- {
			index[d]++
			for k := range at {
				at[k] += step[k][d]
			}
			if index[d] < shape[d] {
				break
			}
			for k := range at {
				at[k] -= shape[d] * step[k][d]
			}
			index[d] = 0
		}
	}
}

// broadcastStep is the step of an operand of shape from that is read as to.
func broadcastStep(from, to []int) []int {
	step := make([]int, len(to))
	s := strides(from)
	for i, d := range from {
		if d != 1 {
			step[i+len(to)-len(from)] = s[i]
		}
	}
	return step
}
