package program

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Type is the shape and element type of an array.
type Type struct {
	Shape []int
	Elem  graph.DType
	Bool  bool // elements are truth values, stored as bytes
	Int   bool // elements are whole numbers
}

// Elements is the number of elements.
func (t Type) Elements() int64 {
	n := int64(1)
	for _, d := range t.Shape {
		n *= int64(d)
	}
	return n
}

// Check returns an error for dimensions that are out of the limits of package format.
func (t Type) Check() error {
	n, ok := int64(1), true
	for _, d := range t.Shape {
		if d < 0 || d > format.MaxDim {
			return fmt.Errorf("the shape %v has a dimension outside 0 to %d", t.Shape, format.MaxDim)
		}
		if n, ok = format.Product(n, int64(d)); !ok || n > format.MaxElements {
			return fmt.Errorf("the shape %v has more than 2^52 elements", t.Shape)
		}
	}
	return nil
}

// A Role is what an argument of a program is.
type Role uint8

const (
	// Guess leaves the role to the rules of Program.Graph.
	Guess Role = iota
	// Data is an input of the model.
	Data
	// Parameter is a weight, or another array that is the same in each run.
	Parameter
)

// A Value is an array of a program: an argument, or a result of an instruction.
type Value struct {
	Name string
	Type
	def     *Inst   // nil: an argument
	uses    []*Inst // readers; one that reads it twice is there twice
	result  bool    // of the program
	role    Role    // of an argument
	guessed bool    // it is a parameter by a rule alone
	known   *known  // elements, as far as they are followed
	konst   bool    // depends on parameters and literals only
	cache   bool    // an argument that the program updates and returns
	view    *view
}

// Known returns the elements of a small array of whole numbers, if they do not depend on arguments.
func (v *Value) Known() ([]int64, bool) {
	if v.known == nil || v.known.ints == nil {
		return nil, false
	}
	if n := v.Elements(); v.known.splat && n <= maxKnown {
		return slices.Repeat(v.known.ints, int(n)), true
	}
	return v.known.ints, !v.known.splat
}

// Scalar returns the number that all elements are, if they are one known number.
func (v *Value) Scalar() (x float64, ok bool) {
	k := v.known
	if k == nil || !k.splat {
		return 0, false
	}
	if k.ints != nil {
		return float64(k.ints[0]), true
	}
	return k.floats[0], true
}

// An Inst is an instruction: an operation on values.
type Inst struct {
	Op      Op
	At      int64 // place in the file, for errors
	Name    string
	in, out []*Value
	index   int
	group   *group // operator that it becomes a part of; nil: one of its own
	live    bool
}

// A Fault is an error of an instruction.
type Fault struct {
	At  int64
	Msg string
}

// Error is the message without the place.
func (f *Fault) Error() string { return f.Msg }

func (i *Inst) fault(msg string, a ...any) error { return &Fault{i.At, fmt.Sprintf(msg, a...)} }

// A Program is a list of instructions on static arrays, as a compiler takes it.
type Program struct {
	name  string
	insts []*Inst
	args  []*Value
	outs  []*Value
	notes []string
}

// New starts an empty program.
func New(name string) *Program { return &Program{name: name} }

// Arg adds an argument.
func (p *Program) Arg(name string, t Type, r Role) *Value {
	v := &Value{Name: name, Type: t, role: r}
	p.args = append(p.args, v)
	return v
}

// Note adds a sentence to the notes of the graph.
func (p *Program) Note(s string) {
	if !slices.Contains(p.notes, s) {
		p.notes = append(p.notes, s)
	}
}

// Return makes values the results of the program.
func (p *Program) Return(vs ...*Value) { p.outs = append(p.outs, vs...) }

// Len is the number of instructions.
func (p *Program) Len() int { return len(p.insts) }

// MaxInsts bounds the instructions that calls and loops expand to.
const MaxInsts = 1 << 18

// Add adds an instruction with results of these types. An error is a *Fault.
func (p *Program) Add(at int64, name string, op Op, in []*Value, types ...Type) ([]*Value, error) {
	i := &Inst{Op: op, At: at, Name: name, in: in, index: len(p.insts)}
	if len(p.insts) == MaxInsts {
		return nil, i.fault("the program expands to more than %d operations", MaxInsts)
	}
	for n, t := range types {
		if err := t.Check(); err != nil {
			return nil, i.fault("%v", err)
		}
		v := &Value{Name: name, Type: t, def: i}
		if n > 0 {
			v.Name = fmt.Sprintf("%s.%d", name, n)
		}
		i.out = append(i.out, v)
	}
	if err := op.check(i); err != nil {
		return nil, err
	}
	p.insts = append(p.insts, i)
	i.follow()
	return i.out, nil
}

// Share gives an argument that no instruction has read yet the shape of one device's part; false if
// v is no such argument.
func (p *Program) Share(v *Value, shape []int) bool {
	if v.def != nil || len(p.insts) > 0 {
		return false
	}
	v.Shape = shape
	return true
}
