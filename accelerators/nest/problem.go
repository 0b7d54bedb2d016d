package nest

import (
	"errors"
	"fmt"
	"math/bits"
)

// A Mask is a set of dimensions or of tensors, one bit each.
type Mask uint64

// Has reports whether i is in the set.
func (m Mask) Has(i int) bool { return m>>uint(i)&1 != 0 }

// Len is how many are in the set.
func (m Mask) Len() int { return bits.OnesCount64(uint64(m)) }

// everything is the set of the first n.
func everything(n int) Mask { return Mask(1)<<uint(n) - 1 }

// Bounds on what one nest may have. They bound the work of a hostile file.
const (
	MaxDims    = 64
	MaxTensors = 16
	MaxLevels  = 32
	// MaxCount bounds products of sizes: beyond it counts, which are float64, would
	// no longer be exact.
	MaxCount = 1 << 53
)

// A Problem is a loop nest without an order: every point of the dimensions is one
// multiply-accumulate, which reads each tensor that is not written and adds to
// each that is.
type Problem struct {
	Name    string
	Dims    []Dim
	Tensors []Tensor
}

// A Dim is one loop.
type Dim struct {
	Name string
	Size int64 // iterations, at least 1
}

// A Tensor is a projection of the dimensions: the index along each rank is a sum of
// dimensions times coefficients. Inputs of a convolution with stride 2 have a rank
// {R, 1}, {P, 2}.
type Tensor struct {
	Name    string
	Ranks   [][]Term
	Written bool    // an output: points add to it
	Density Density // how much of it is not zero; the zero value is dense
}

// A Term is one dimension of a sum.
type Term struct {
	Dim  int
	Coef int64 // at least 1
}

// Dims is the set of dimensions that index the tensor.
func (t *Tensor) Dims() Mask {
	var m Mask
	for _, r := range t.Ranks {
		for _, x := range r {
			m |= 1 << uint(x.Dim)
		}
	}
	return m
}

// MACs is the number of points.
func (p *Problem) MACs() float64 {
	n := 1.0
	for _, d := range p.Dims {
		n *= float64(d.Size)
	}
	return n
}

// Check finds what no problem can have.
func (p *Problem) Check() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if n := len(p.Dims); n == 0 || n > MaxDims {
		bad("problem has %d dimensions (want 1 to %d)", n, MaxDims)
	}
	if n := len(p.Tensors); n == 0 || n > MaxTensors {
		bad("problem has %d tensors (want 1 to %d)", n, MaxTensors)
	}
	for _, d := range p.Dims {
		if d.Size < 1 {
			bad("dimension %s is %d (want 1 or more)", d.Name, d.Size)
		}
	}
	if p.MACs() >= MaxCount {
		bad("problem has %.3g points (want fewer than 2^53)", p.MACs())
	}
	written := false
	for i := range p.Tensors {
		t := &p.Tensors[i]
		written = written || t.Written
		size := 1.0
		var seen, twice Mask
		for _, r := range t.Ranks {
			span := 1.0
			for _, x := range r {
				if x.Dim < 0 || x.Dim >= len(p.Dims) {
					bad("tensor %s is indexed by dimension %d of %d", t.Name, x.Dim, len(p.Dims))
					continue
				}
				if x.Coef < 1 {
					bad("tensor %s has coefficient %d at %s (want 1 or more)", t.Name, x.Coef, p.Dims[x.Dim].Name)
				}
				span += float64(x.Coef) * float64(p.Dims[x.Dim].Size-1)
				twice |= seen & (1 << uint(x.Dim))
				seen |= 1 << uint(x.Dim)
			}
			size *= span
		}
		if twice != 0 && len(t.Ranks) > diagonalRanks {
			bad("tensor %s has a dimension in two of its %d ranks (want at most %d ranks then)", t.Name, len(t.Ranks), diagonalRanks)
		}
		if size >= MaxCount {
			bad("tensor %s has %.3g elements (want fewer than 2^53)", t.Name, size)
		}
		if err := t.Density.Check(); err != nil {
			bad("tensor %s: %w", t.Name, err)
		}
	}
	if !written {
		bad("problem writes no tensor (one has to be read_write)")
	}
	return errors.Join(errs...)
}
