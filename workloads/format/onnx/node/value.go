package node

import (
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

// ElemType is the element type that a file gives an array.
type ElemType = onnxpb.TensorProto_DataType

func typeName(t ElemType) string { return strings.ToLower(t.String()) }

// elemDType is the nearest element type of a graph. Wide integers are indices
// and shapes; they count as 32 bits.
func elemDType(t ElemType) graph.DType {
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

// A Value is one array of a model, as far as it is known before the run.
type Value struct {
	Name  string
	Shape []int
	Elem  ElemType
	DType *graph.DType // in place of Elem, which knows no block formats
	Role  graph.Role
	// Const is set if the value does not depend on the inputs of the model, so that it is a weight
	// or a shape. Data holds its elements if they are few.
	Const bool
	Data  *Constant
	// ID is the tensor of the graph, once an operator needs one.
	ID graph.TensorID
	// Origin is the stored array of which this constant is another view; nil for
	// itself. stored are the tensors made of an origin.
	Origin *Value
	stored []graph.TensorID
}

// Elements is the number of elements.
func (v *Value) Elements() int64 {
	n := int64(1)
	for _, d := range v.Shape {
		n *= int64(d)
	}
	return n
}

// Rank is the number of dimensions.
func (v *Value) Rank() int { return len(v.Shape) }

// Scalar reports whether v is one number.
func (v *Value) Scalar() bool { return v.Elements() == 1 }

// Ints are the values of an integer constant.
func (v *Value) Ints() ([]int64, bool) {
	if v == nil || v.Data == nil || v.Data.Ints == nil {
		return nil, false
	}
	return v.Data.Ints, true
}

// NewConstant is a constant without values.
func NewConstant(name string, elem ElemType, shape ...int) *Value {
	return &Value{Name: name, Shape: shape, Elem: elem, Role: graph.Weight, Const: true, ID: graph.None}
}

// Root is the stored array of a constant.
func (v *Value) Root() *Value {
	if v.Origin != nil {
		return v.Origin
	}
	return v
}

// Tensor returns the tensor of v in the graph under construction, made at the
// first use. Views of one stored constant share a tensor where the shape is the
// same, or does not matter (anyLayout), so that a weight counts once.
func (m *Model) Tensor(v *Value, anyLayout bool) graph.TensorID {
	if v.ID != graph.None {
		return v.ID
	}
	name := v.Name
	if v.Const {
		root := v.Root()
		for _, id := range root.stored {
			if anyLayout || slices.Equal(m.b.Shape(id), v.Shape) {
				v.ID = id
				return id
			}
		}
		if len(root.stored) == 0 {
			name = root.Name
		}
	}
	v.ID = m.b.Tensor(format.UniqueName(m.tensorNames, name), v.Role, v.Shape...)
	d := elemDType(v.Elem)
	if v.DType != nil {
		d = *v.DType
	}
	m.dtypes = append(m.dtypes, tensorType{v.ID, d})
	if v.Const {
		root := v.Root()
		root.stored = append(root.stored, v.ID)
	}
	return v.ID
}

// tensorType remembers the element type that the file gives a tensor.
type tensorType struct {
	id    graph.TensorID
	dtype graph.DType
}

// Dims converts and checks a list of dimensions.
func Dims(in []int64) ([]int, bool) {
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

// Elements is the number of elements of an array of a shape.
func Elements(shape []int) int64 {
	n := int64(1)
	for _, d := range shape {
		n *= int64(d)
	}
	return n
}

// Strides are the distances between neighbours along each axis, in elements.
func Strides(shape []int) []int {
	s := make([]int, len(shape))
	n := 1
	for i := len(shape) - 1; i >= 0; i-- {
		s[i] = n
		n *= shape[i]
	}
	return s
}

// Broadcast is the common shape of all, or false.
func Broadcast(shapes ...[]int) ([]int, bool) {
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

// Walk calls f with the element of each operand that belongs to element i
// of an array of shape, in order; step[k][d] is how far operand k moves along
// axis d. Start may be nil.
func Walk(shape []int, start []int, step [][]int, f func(i int, at []int)) {
	n := int(Elements(shape))
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

// BroadcastStep is the step of an operand of shape from that is read as to.
func BroadcastStep(from, to []int) []int {
	step := make([]int, len(to))
	s := Strides(from)
	for i, d := range from {
		if d != 1 {
			step[i+len(to)-len(from)] = s[i]
		}
	}
	return step
}
