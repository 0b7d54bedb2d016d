package graph

import (
	"maps"
	"slices"
	"strings"
)

// A Norm is a normalisation of Rows vectors of Cols elements with learned scale
// and, where Bias, shift. Func is the name of a NormRule.
type Norm struct {
	Func       string
	Rows, Cols int64
	Bias       bool
	Inside     bool // it runs in the kernel before, see fuse.Epilogues
}

// A Scope is the set of elements over which a normalisation takes its statistics.
type Scope uint8

const (
	// OverRow takes mean and deviation of each vector; a vector is a row of the last axis.
	OverRow Scope = iota
	// OverGroup takes them of each vector; a vector is a group of channels of an image.
	OverGroup
	// OverBatch takes them of each vector; a vector is a channel of all images.
	OverBatch
	// OverWindow takes a sum of neighbouring channels around each element.
	OverWindow
	// Folded needs none: mean and deviation are constants inside the scale and shift.
	Folded
)

// Sums reports whether a whole vector must be read before its first result.
func (s Scope) Sums() bool { return s == OverRow || s == OverGroup || s == OverBatch }

// A NormRule holds everything that this program needs of one normalisation. Operations are those
// of the vector unit, as in func.go.
type NormRule struct {
	Name    string
	Scope   Scope
	Element int64 // operations per element, scale included, shift not
	Row     int64 // operations per vector
	// Statistics is the part of Element for the sums of elements and of their squares. 0: they
	// cannot be separated.
	Statistics int64
	// Backward is the operations per element of the gradient; 0: there is no backward
	// operator.
	Backward int64
	Source   string
}

// norms holds the rules by name. Each norm_*.go adds its own.
var norms = map[string]NormRule{}

func addNorm(r NormRule) { norms[r.Name] = r }

// Norms lists the names of the normalisations, sorted.
func Norms() []string { return slices.Sorted(maps.Keys(norms)) }

// Rule returns the rule of the normalisation. It is the zero NormRule for an unknown Func, for
// which Validate returns an error.
func (k Norm) Rule() NormRule { return norms[k.Func] }

// Type implements Kind.
func (Norm) Type() string { return "norm" }

// MACs implements Kind.
func (Norm) MACs() int64 { return 0 }

func (Norm) replaces() {}

// VectorOps implements Kind.
func (k Norm) VectorOps() int64 {
	r := k.Rule()
	element := r.Element
	if k.Bias {
		element++
	}
	return k.Rows * (k.Cols*element + r.Row)
}

// Statistics is the number of operations for the sums of elements and of their squares, which read
// each element once and give mean and deviation. The other operations need both. It is 0 if the
// rule does not separate them.
func (k Norm) Statistics() int64 { return k.Rows * k.Cols * k.Rule().Statistics }

// RowCount implements RowWise.
func (k Norm) RowCount() int64 { return k.Rows }

// WithRows implements RowWise.
func (k Norm) WithRows(n int64) Kind { k.Rows = n; return k }

func (k Norm) check(v *validator) {
	if _, ok := norms[k.Func]; !ok {
		v.errorf("unknown normalisation %q (want one of: %s)", k.Func, strings.Join(Norms(), ", "))
	}
	v.count("input", v.in(0), k.Rows, k.Cols)
	v.count("output", v.out(), k.Rows, k.Cols)
}
