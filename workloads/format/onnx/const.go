package onnx

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
)

const (
	// maxConst bounds the elements of an array whose values are followed: shapes,
	// axes, scales and the small tables that shapes are computed with.
	maxConst = 1 << 14
	// maxConstBytes is the same for what is kept of a file per field.
	maxConstBytes = 8 * maxConst
)

// A constant is the values of a small array: ints for integer and boolean types,
// floats for the others.
type constant struct {
	ints   []int64
	floats []float64
}

func (c *constant) len() int { return max(len(c.ints), len(c.floats)) }

// pick is the constant made of the elements at the given places.
func (c *constant) pick(at []int) *constant {
	if c.floats != nil {
		out := make([]float64, len(at))
		for i, j := range at {
			out[i] = c.floats[j]
		}
		return &constant{floats: out}
	}
	out := make([]int64, len(at))
	for i, j := range at {
		out[i] = c.ints[j]
	}
	return &constant{ints: out}
}

func isFloat(t elemType) bool {
	switch t {
	case onnxpb.TensorProto_FLOAT, onnxpb.TensorProto_FLOAT16, onnxpb.TensorProto_DOUBLE, onnxpb.TensorProto_BFLOAT16:
		return true
	}
	return false
}

// integerBytes is the width of the integer types whose values are followed.
var integerBytes = map[elemType]int{
	onnxpb.TensorProto_INT8: 1, onnxpb.TensorProto_UINT8: 1, onnxpb.TensorProto_BOOL: 1,
	onnxpb.TensorProto_INT16: 2, onnxpb.TensorProto_UINT16: 2,
	onnxpb.TensorProto_INT32: 4, onnxpb.TensorProto_UINT32: 4,
	onnxpb.TensorProto_INT64: 8, onnxpb.TensorProto_UINT64: 8,
}

var floatBytes = map[elemType]int{
	onnxpb.TensorProto_FLOAT: 4, onnxpb.TensorProto_DOUBLE: 8,
	onnxpb.TensorProto_FLOAT16: 2, onnxpb.TensorProto_BFLOAT16: 2,
}

// tensorValues decodes the values of a small tensor; nil if the file does not
// hold them or their type is not followed. An error says that they do not fit
// the shape.
func tensorValues(t *onnxpb.TensorProto, elements int64) (*constant, error) {
	typ := elemType(t.DataType)
	if elements > maxConst || t.DataLocation == onnxpb.TensorProto_EXTERNAL {
		return nil, nil
	}
	n := int(elements)
	if n == 0 {
		if isFloat(typ) {
			return &constant{floats: []float64{}}, nil
		}
		return &constant{ints: []int64{}}, nil
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
		return &constant{ints: t.Int64Data}, fits("int64_data", len(t.Int64Data))
	case len(t.Int32Data) > 0 && integerBytes[typ] > 0:
		c := &constant{ints: make([]int64, len(t.Int32Data))}
		for i, v := range t.Int32Data {
			c.ints[i] = int64(v)
		}
		return c, fits("int32_data", len(t.Int32Data))
	case len(t.Uint64Data) > 0:
		c := &constant{ints: make([]int64, len(t.Uint64Data))}
		for i, v := range t.Uint64Data {
			c.ints[i] = int64(v)
		}
		return c, fits("uint64_data", len(t.Uint64Data))
	case len(t.FloatData) > 0:
		c := &constant{floats: make([]float64, len(t.FloatData))}
		for i, v := range t.FloatData {
			c.floats[i] = float64(v)
		}
		return c, fits("float_data", len(t.FloatData))
	case len(t.DoubleData) > 0:
		return &constant{floats: t.DoubleData}, fits("double_data", len(t.DoubleData))
	}
	return nil, nil
}

// rawValues decodes n little-endian numbers.
func rawValues(b []byte, typ elemType, n int) *constant {
	if size := integerBytes[typ]; size > 0 {
		c := &constant{ints: make([]int64, n)}
		for i := range c.ints {
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
			c.ints[i] = int64(u)
		}
		return c
	}
	c := &constant{floats: make([]float64, n)}
	for i := range c.floats {
		switch typ {
		case onnxpb.TensorProto_FLOAT:
			c.floats[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
		case onnxpb.TensorProto_DOUBLE:
			c.floats[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		case onnxpb.TensorProto_BFLOAT16:
			c.floats[i] = float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(b[2*i:])) << 16))
		case onnxpb.TensorProto_FLOAT16:
			c.floats[i] = halfFloat(binary.LittleEndian.Uint16(b[2*i:]))
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
