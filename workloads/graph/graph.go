package graph

import "fmt"

// A Role is the purpose of a tensor. Placement rules, data types and cache hints depend on it.
type Role uint8

// The roles of tensors.
const (
	Activation Role = iota // produced by one operator, read by others
	Weight                 // a parameter of the model
	KV                     // key/value cache of a transformer
	Input                  // comes from outside
	Output                 // result of the model
	Gradient               // of a parameter: added up in place over the steps of a pass
	Optimizer              // state of the optimiser: updated in place
)

// Roles are all roles.
var Roles = []Role{Activation, Weight, KV, Input, Output, Gradient, Optimizer}

func (r Role) String() string {
	return [...]string{"activation", "weight", "kv_cache", "input", "output", "gradient", "optimizer_state"}[r]
}

// InPlace reports whether several operators may read and write the tensor in turn. Such a tensor
// exists before the first of them.
func (r Role) InPlace() bool { return r == Gradient || r == Optimizer }

// A TensorID indexes Graph.Tensors.
type TensorID int32

// None is the ID of an absent tensor, for example no bias.
const None TensorID = -1

// A Tensor is a named array. Convolutional activations are N, C, H, W; matrices
// are ..., rows, columns.
type Tensor struct {
	Name  string
	Shape []int
	Role  Role
	DType DType
	// Along is the number of elements of a row of blocks of a block format; of a weight, the
	// length of the sums of its product. 0: the last dimension.
	Along int64
	// Sparse is the sparsity pattern of a weight.
	Sparse Pattern
}

// Elements is the number of elements.
func (t *Tensor) Elements() int64 {
	n := int64(1)
	for _, d := range t.Shape {
		n *= int64(d)
	}
	return n
}

// Bytes is the size in memory, rounded up to whole bytes.
func (t *Tensor) Bytes() int64 { return t.BytesOf(t.Elements()) }

// An Op is one operator. In[0] is the main input; the doc of its kind describes the others.
type Op struct {
	Name string
	In   []TensorID
	Out  []TensorID
	Kind Kind
	// Stands is how many equal operators it stands for where layers are left out, such as those of a
	// server's planned step. 0: itself alone; Elsewhere: none, since it is priced apart.
	Stands int
}

// Elsewhere is Op.Stands of an operator that is carried out apart from its graph.
const Elsewhere = -1

// Times is how often the operator counts in its graph.
func (op *Op) Times() int {
	switch op.Stands {
	case 0:
		return 1
	case Elsewhere:
		return 0
	}
	return op.Stands
}

// A Graph is a model at fixed shapes.
type Graph struct {
	Name    string
	Tensors []Tensor
	Ops     []Op // in topological order
	// List: the operators are rows of a list, as a benchmark times them, and no model.
	List bool
	// Symbols are the bound symbolic dimensions, for the record: "batch": 1.
	Symbols map[string]int
	// Notes are approximations of the source, and parts of it that are left out. Runs report them
	// as warnings.
	Notes []string
}

// Tensor returns the tensor with the given id.
func (g *Graph) Tensor(id TensorID) *Tensor { return &g.Tensors[id] }

// Add appends a tensor and returns its id. It panics on a dimension below 1.
func (g *Graph) Add(t Tensor) TensorID {
	for _, d := range t.Shape {
		if d < 1 {
			panic(fmt.Sprintf("graph: %s: tensor %s has shape %v", g.Name, t.Name, t.Shape))
		}
	}
	g.Tensors = append(g.Tensors, t)
	return TensorID(len(g.Tensors) - 1)
}

// Append adds op as the last operator.
func (g *Graph) Append(op Op) { g.Ops = append(g.Ops, op) }
