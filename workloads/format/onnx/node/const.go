package node

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
)

const (
	// MaxConstant bounds the elements of an array whose values are followed: shapes,
	// axes, scales and the small tables that shapes are computed with.
	MaxConstant = 1 << 14
	// MaxConstBytes is the same for what is kept of a file per field.
	MaxConstBytes = 8 * MaxConstant
)

// A Constant is the values of a small array: Ints for integer and boolean types,
// Floats for the others.
type Constant struct {
	Ints   []int64
	Floats []float64
}

// Len is the number of values.
func (c *Constant) Len() int { return max(len(c.Ints), len(c.Floats)) }

// Pick is the constant made of the elements at the given places.
func (c *Constant) Pick(at []int) *Constant {
	if c.Floats != nil {
		out := make([]float64, len(at))
		for i, j := range at {
			out[i] = c.Floats[j]
		}
		return &Constant{Floats: out}
	}
	out := make([]int64, len(at))
	for i, j := range at {
		out[i] = c.Ints[j]
	}
	return &Constant{Ints: out}
}

// IsFloat reports whether values of a type are followed as floats.
func IsFloat(t ElemType) bool {
	switch t {
	case onnxpb.TensorProto_FLOAT, onnxpb.TensorProto_FLOAT16, onnxpb.TensorProto_DOUBLE, onnxpb.TensorProto_BFLOAT16:
		return true
	}
	return false
}

// integerBytes is the width of the integer types whose values are followed.
var integerBytes = map[ElemType]int{
	onnxpb.TensorProto_INT8: 1, onnxpb.TensorProto_UINT8: 1, onnxpb.TensorProto_BOOL: 1,
	onnxpb.TensorProto_INT16: 2, onnxpb.TensorProto_UINT16: 2,
	onnxpb.TensorProto_INT32: 4, onnxpb.TensorProto_UINT32: 4,
	onnxpb.TensorProto_INT64: 8, onnxpb.TensorProto_UINT64: 8,
}

var floatBytes = map[ElemType]int{
	onnxpb.TensorProto_FLOAT: 4, onnxpb.TensorProto_DOUBLE: 8,
	onnxpb.TensorProto_FLOAT16: 2, onnxpb.TensorProto_BFLOAT16: 2,
}

// tensorValues decodes the values of a small tensor; nil if the file does not
// hold them or their type is not followed. An error says that they do not fit
// the shape.
func tensorValues(t *onnxpb.TensorProto, elements int64) (*Constant, error) {
	typ := ElemType(t.DataType)
	if elements > MaxConstant || t.DataLocation == onnxpb.TensorProto_EXTERNAL {
		return nil, nil
	}
	n := int(elements)
	if n == 0 {
		if IsFloat(typ) {
			return &Constant{Floats: []float64{}}, nil
		}
		return &Constant{Ints: []int64{}}, nil
	}
	fits := func(what string, got int) error {
		if got != n {
			return fmt.Errorf("the shape %v has %d elements, but %s has %d", t.Dims, n, what, got)
		}
		return nil
	}
	switch {
	case len(t.RawData) > 0:
		size := integerBytes[typ] + floatBytes[typ]
		if size == 0 {
			return nil, nil
		}
		if len(t.RawData) != n*size {
			return nil, fmt.Errorf("the shape %v of type %s takes %d bytes, but raw_data has %d", t.Dims, typeName(typ), n*size, len(t.RawData))
		}
		return rawValues(t.RawData, typ, n), nil
	case len(t.Int64Data) > 0:
		return &Constant{Ints: t.Int64Data}, fits("int64_data", len(t.Int64Data))
	case len(t.Int32Data) > 0 && integerBytes[typ] > 0:
		c := &Constant{Ints: make([]int64, len(t.Int32Data))}
		for i, v := range t.Int32Data {
			c.Ints[i] = int64(v)
		}
		return c, fits("int32_data", len(t.Int32Data))
	case len(t.Uint64Data) > 0:
		c := &Constant{Ints: make([]int64, len(t.Uint64Data))}
		for i, v := range t.Uint64Data {
			c.Ints[i] = int64(v)
		}
		return c, fits("uint64_data", len(t.Uint64Data))
	case len(t.FloatData) > 0:
		c := &Constant{Floats: make([]float64, len(t.FloatData))}
		for i, v := range t.FloatData {
			c.Floats[i] = float64(v)
		}
		return c, fits("float_data", len(t.FloatData))
	case len(t.DoubleData) > 0:
		return &Constant{Floats: t.DoubleData}, fits("double_data", len(t.DoubleData))
	}
	return nil, nil
}

// rawValues decodes n little-endian numbers.
func rawValues(b []byte, typ ElemType, n int) *Constant {
	if size := integerBytes[typ]; size > 0 {
		c := &Constant{Ints: make([]int64, n)}
		for i := range c.Ints {
			var word [8]byte
			copy(word[:], b[i*size:(i+1)*size])
			u := binary.LittleEndian.Uint64(word[:])
			switch typ { // sign extension
			case onnxpb.TensorProto_INT8:
				u = uint64(int64(int8(u)))
			case onnxpb.TensorProto_INT16:
				u = uint64(int64(int16(u)))
			case onnxpb.TensorProto_INT32:
				u = uint64(int64(int32(u)))
			}
			c.Ints[i] = int64(u)
		}
		return c
	}
	c := &Constant{Floats: make([]float64, n)}
	for i := range c.Floats {
		switch typ {
		case onnxpb.TensorProto_FLOAT:
			c.Floats[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
		case onnxpb.TensorProto_DOUBLE:
			c.Floats[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		case onnxpb.TensorProto_BFLOAT16:
			c.Floats[i] = float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(b[2*i:])) << 16))
		case onnxpb.TensorProto_FLOAT16:
			c.Floats[i] = halfFloat(binary.LittleEndian.Uint16(b[2*i:]))
		}
	}
	return c
}

// halfFloat decodes an IEEE 754 binary16 number.
func halfFloat(h uint16) float64 {
	sign, exp, frac := 1.0, int(h>>10&0x1f), float64(h&0x3ff)
	if h>>15 != 0 {
		sign = -1
	}
	switch exp {
	case 0:
		return sign * math.Ldexp(frac, -24)
	case 0x1f:
		if frac != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+frac, exp-25)
}
