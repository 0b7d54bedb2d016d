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
	MXFP8
	MXFP6
	MXFP4
	NVFP4
	Q8
	Q4
	Int4G64
	Int4G128
	FP8Block
)

// DTypeCount is the number of element types.
const DTypeCount = len(dtypes)

// dtypes has the widths of element types. A block format has blocks along the axis that a product
// sums over, each with its scale.
//
// Sources: OCP Microscaling Formats (MX) v1.0, section 5.2: blocks of 32 with a scale of
// 8 bits. NVIDIA, Pretraining LLMs with NVFP4, 2025: blocks of 16 with a scale of 8 bits;
// its one scale of 32 bits per tensor is left out. ggml, block_q4_0 and block_q8_0:
// blocks of 32 with a scale of 16 bits. Lin et al., AWQ, MLSys 2024: groups of 128 with a
// scale of 16 bits; zero points are left out. DeepSeek-V3, arXiv 2412.19437, section 3.3:
// fp8 with a scale of 32 bits for 128 x 128 weights and for 1 x 128 activations; here scales
// are left out (0.02 and 3%), and kernels of a library count their own.
var dtypes = [...]struct {
	name         string
	bits         int64
	block, scale int64 // elements, bits
}{
	Int8: {"int8", 8, 0, 0}, Int4: {"int4", 4, 0, 0}, FP8: {"fp8", 8, 0, 0}, FP16: {"fp16", 16, 0, 0},
	BF16: {"bf16", 16, 0, 0}, Int32: {"int32", 32, 0, 0}, FP32: {"fp32", 32, 0, 0},
	MXFP8: {"mxfp8", 8, 32, 8}, MXFP6: {"mxfp6", 6, 32, 8}, MXFP4: {"mxfp4", 4, 32, 8}, NVFP4: {"nvfp4", 4, 16, 8},
	Q8: {"q8_0", 8, 32, 16}, Q4: {"q4_0", 4, 32, 16}, Int4G64: {"int4_g64", 4, 64, 16}, Int4G128: {"int4_g128", 4, 128, 16},
	FP8Block: {"fp8_block", 8, 0, 0},
}

var dtypeNames = func() (names []string) {
	for _, d := range dtypes {
		names = append(names, d.name)
	}
	return names
}()

func (d DType) String() string { return dtypes[d].name }

// Bits is the width of one element, without the scale of its block.
func (d DType) Bits() int64 { return dtypes[d].bits }

// Width returns the bits of one element including its share of the block's scale.
func (d DType) Width() float64 {
	x := d.Unit()
	return 8 * float64(x.Bytes) / float64(x.Elements)
}

// Blocked reports whether the type is a block format.
func (d DType) Blocked() bool { return dtypes[d].block > 0 }

// A Unit is the smallest number of elements of a type that fills whole bytes: a block of a block
// format, two elements of 4 bits, else one element.
type Unit struct{ Elements, Bytes int64 }

var units = func() (out [DTypeCount]Unit) {
	for d, x := range dtypes {
		n := max(x.block, 1)
		for n*x.bits%8 > 0 {
			n *= 2
		}
		out[d] = Unit{n, (n*x.bits + x.scale) / 8}
	}
	return out
}()

// Unit returns the smallest whole number of bytes of the type.
func (d DType) Unit() Unit { return units[d] }

// Bytes returns the size of n consecutive elements along the axis of their blocks, rounded up to
// whole bytes. A block is stored whole even if only some of its elements are used.
func (d DType) Bytes(n int64) int64 {
	return units[d].Size(n)
}

// Size returns the bytes of n elements from the start of a unit, in whole units. Elements of a zero
// Unit take none.
func (x Unit) Size(n int64) int64 {
	if x.Elements <= 1 {
		return n * x.Bytes
	}
	return (n + x.Elements - 1) / x.Elements * x.Bytes
}

// Offset returns the byte at which the unit of element n begins.
func (x Unit) Offset(n int64) int64 {
	if x.Elements <= 1 {
		return n * x.Bytes
	}
	return n / x.Elements * x.Bytes
}

// Pair is the most elements of a unit that is no block. Rows of pairs touch inside a byte; rows of
// blocks begin with a block.
const Pair = 2

// Blocked reports whether elements lie in blocks.
func (x Unit) Blocked() bool { return x.Elements > Pair }

// Partial reports whether elements are smaller than a byte or lie in blocks, so that a range of
// them must begin where a unit does.
func (x Unit) Partial() bool { return x.Elements > 1 }

// Padded returns n with the elements that fill up the last block of a row.
func (x Unit) Padded(n int64) int64 {
	if !x.Blocked() {
		return n
	}
	return (n + x.Elements - 1) / x.Elements * x.Elements
}

// Rows returns the bytes of count rows of n elements, each row padded.
func (x Unit) Rows(count, n int64) int64 { return x.Size(count * x.Padded(n)) }

// Bits returns the width of one element without its part of the block's scale.
func (x Unit) Bits() int64 {
	if x.Elements == 0 {
		return 0
	}
	return 8 * x.Bytes / x.Elements
}

// Element returns the type of single elements in arithmetic: for a block format the plain type of
// that width, or the next wider one.
func (d DType) Element() DType {
	switch d {
	case MXFP8, MXFP6, MXFP4, NVFP4, FP8Block:
		return FP8
	case Q8:
		return Int8
	case Q4, Int4G64, Int4G128:
		return Int4
	}
	return d
}

// DTypeNames lists the accepted names.
func DTypeNames() []string { return dtypeNames }

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

// Uniform returns d for all roles, with partial sums in int32 (integers) or fp32.
func Uniform(d DType) DTypes {
	acc := FP32
	if d == Int4 || d == Int8 || d == Int32 {
		acc = Int32
	}
	return DTypes{d, d, acc, d} // assumption: of block formats too, which have scales of floating point
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

// Multiplied returns the element type of an operator's multiplications, which is its widest
// operand; narrower operands are widened on the chip. ok is false for an operator without matrix
// products.
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
