package graph

import "fmt"

// A DType is an element type.
type DType uint8

// The element types.
const (
	Int8 DType = iota // the zero value: the default of accelerators here
	Int4
	FP8
	FP16
	BF16
	Int32
	FP32
)

// DTypeCount is the number of element types.
const DTypeCount = len(dtypeNames)

var dtypeNames = [...]string{"int8", "int4", "fp8", "fp16", "bf16", "int32", "fp32"}
var dtypeBits = [...]int64{8, 4, 8, 16, 16, 32, 32}

func (d DType) String() string { return dtypeNames[d] }

// Bits is the width of one element.
func (d DType) Bits() int64 { return dtypeBits[d] }

// Bytes is the size of n elements, rounded up to whole bytes.
func (d DType) Bytes(n int64) int64 { return (n*d.Bits() + 7) / 8 }

// DTypeNames lists the accepted names.
func DTypeNames() []string { return dtypeNames[:] }

// ParseDType returns the element type called s.
func ParseDType(s string) (DType, error) {
	for i, n := range dtypeNames {
		if n == s {
			return DType(i), nil
		}
	}
	return 0, fmt.Errorf("unknown data type %q (want one of: %v)", s, dtypeNames)
}

// ConfigValues lists the accepted names, for schemas and messages.
func (DType) ConfigValues() []string { return DTypeNames() }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *DType) UnmarshalText(b []byte) error {
	v, err := ParseDType(string(b))
	if err == nil {
		*d = v
	}
	return err
}

// MarshalText implements encoding.TextMarshaler.
func (d DType) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// DTypes gives the element type of each role.
type DTypes struct {
	Weight      DType `yaml:"weight"`
	Activation  DType `yaml:"activation"`  // inputs and outputs too
	Accumulator DType `yaml:"accumulator"` // partial sums
	KV          DType `yaml:"kv"`
}

// Uniform is d for everything, with partial sums in int32 (integers) or fp32.
func Uniform(d DType) DTypes {
	acc := FP32
	if d == Int4 || d == Int8 || d == Int32 {
		acc = Int32
	}
	return DTypes{d, d, acc, d}
}

// Of is the element type of a tensor with role r.
func (d DTypes) Of(r Role) DType {
	switch r {
	case Weight:
		return d.Weight
	case KV:
		return d.KV
	}
	return d.Activation
}

// Multiplied is the element type in which the products of an operator are made, the
// widest of its operands; narrower ones are widened on the chip. ok is false for an
// operator without products of matrices.
func (g *Graph) Multiplied(op *Op) (d DType, ok bool) {
	n := 2
	if _, ok := op.Kind.(Attention); ok {
		n = 3
	} else if _, ok := op.Matrix(); !ok {
		return 0, false
	}
	for i, id := range op.In[:min(n, len(op.In))] {
		if id == None {
			continue
		}
		if t := g.Tensors[id].DType; i == 0 || t.Bits() > d.Bits() {
			d = t
		}
	}
	return d, true
}
