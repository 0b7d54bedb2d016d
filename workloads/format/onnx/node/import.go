package node

import (
	"fmt"

	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"

	"github.com/causeway-sim/causeway/workloads/format"
)

const (
	maxFunctionDepth = 16
	// maxNodes bounds what functions that call functions expand to.
	maxNodes = 1 << 18
	maxOps   = 1 << 20
)

// A Model is an ONNX model that becomes a graph.
type Model struct {
	file        string
	Options     format.Options
	rules       Rules
	b           *graph.Builder
	OpNames     map[string]int
	tensorNames map[string]int
	dtypes      []tensorType
	functions   map[string]*onnxpb.FunctionProto // by domain.name
	all         []*onnxpb.NodeProto              // of the model's own graph
	nodes       int                              // imported so far
	emitted     int                              // operators of the graph so far
	// rebatch is the batch that took the place of a fixed batch of 1; else 0.
	Rebatch int
	stoodIn map[string]int // nodes by the name in Options.Unknown
	Notes   []string
	// mixtures of experts imported so far: layers, for the draw of experts.
	Mixtures int
}

// A Scope holds the values that nodes can name. Subgraphs see the values
// outside, functions do not.
type Scope struct {
	values map[string]*Value
	outer  *Scope
	attrs  map[string]*onnxpb.AttributeProto // of the function call
	prefix string                            // of operator names
	opset  int64
	depth  int
}

// Find returns the value called name, or nil.
func (s *Scope) Find(name string) *Value {
	for ; s != nil; s = s.outer {
		if v := s.values[name]; v != nil {
			return v
		}
	}
	return nil
}

// Import builds the graph of a model by the rules of its operators.
func Import(file string, pb *onnxpb.ModelProto, o format.Options, rules Rules) (*graph.Graph, error) {
	g, _, err := ImportValues(file, pb, o, rules)
	return g, err
}

// ImportValues also returns the scope with every named value.
func ImportValues(file string, pb *onnxpb.ModelProto, o format.Options, rules Rules) (*graph.Graph, *Scope, error) {
	m := &Model{
		file: file, Options: o, rules: rules, b: graph.NewBuilder(format.GraphName(o, file)),
		OpNames: map[string]int{}, tensorNames: map[string]int{},
		functions: map[string]*onnxpb.FunctionProto{}, stoodIn: map[string]int{},
	}
	if err := m.checkStandIns(); err != nil {
		return nil, nil, err
	}
	for _, f := range pb.Functions {
		m.functions[f.Domain+"."+f.Name] = f
	}
	m.all = pb.Graph.Node
	s := &Scope{values: map[string]*Value{}, opset: opsetOf(pb.OpsetImport)}
	if err := m.constants(s, pb.Graph); err != nil {
		return nil, nil, err
	}
	if err := m.bind(s, pb.Graph.Input); err != nil {
		return nil, nil, err
	}
	if err := m.run(s, pb.Graph.Node); err != nil {
		return nil, nil, err
	}
	notes, err := m.standInNotes()
	if err != nil {
		return nil, nil, err
	}
	for _, out := range pb.Graph.Output {
		v := s.Find(out.Name)
		if v == nil {
			return nil, nil, m.fail(out.FileOffset, "the output %q is made by no node", out.Name)
		}
		if v.Role == graph.Activation && v.ID != graph.None {
			m.b.Output(v.ID)
		}
	}
	g, err := m.b.Graph()
	if err != nil {
		return nil, nil, &format.Error{File: file, Offset: -1, Msg: err.Error()}
	}
	if len(g.Ops) == 0 {
		return nil, nil, &format.Error{File: file, Offset: -1, Msg: "the model does no work that depends on its inputs"}
	}
	for _, t := range m.dtypes {
		g.Tensors[t.id].DType = t.dtype
	}
	g.SettleBlocks(graph.FP16)
	g.Notes = append(notes, m.Notes...)
	return g, s, nil
}

// opsetOf is the version of the standard operators; 1 in files that are older
// than the field.
func opsetOf(list []*onnxpb.OperatorSetIdProto) int64 {
	for _, o := range list {
		if StandardDomain(o.Domain) {
			return max(o.Version, 1)
		}
	}
	return 1
}

// StandardDomain reports whether a domain is that of the standard operators.
func StandardDomain(d string) bool { return d == "" || d == "ai.onnx" }

// constants declares the initializers.
func (m *Model) constants(s *Scope, g *onnxpb.GraphProto) error {
	for _, t := range g.Initializer {
		v, err := m.TensorConst(t, fmt.Sprintf("initializer %q", t.Name))
		if err != nil {
			return err
		}
		if s.values[t.Name] != nil {
			return m.fail(t.FileOffset, "the initializer %q is there twice", t.Name)
		}
		s.values[t.Name] = v
	}
	for _, t := range g.SparseInitializer {
		shape, ok := Dims(t.Dims)
		if !ok || t.Values == nil {
			return m.fail(t.GetValues().GetFileOffset(), "a sparse initializer has the shape %v or no values", t.Dims)
		}
		s.values[t.Values.Name] = NewConstant(t.Values.Name, ElemType(t.Values.DataType), shape...)
	}
	return nil
}

// run imports nodes in order.
func (m *Model) run(s *Scope, nodes []*onnxpb.NodeProto) error {
	for _, pb := range nodes {
		if m.nodes++; m.nodes > maxNodes {
			return m.fail(pb.FileOffset, "the model expands to more than %d nodes", maxNodes)
		}
		if err := m.node(s, pb); err != nil {
			return err
		}
	}
	return nil
}

// node imports one node.
func (m *Model) node(s *Scope, pb *onnxpb.NodeProto) error {
	n := &Node{Model: m, Proto: pb, Opset: s.opset, Attrs: map[string]*onnxpb.AttributeProto{}}
	for _, a := range pb.Attribute {
		if a.RefAttrName != "" { // an attribute of the function around
			given := s.attrs[a.RefAttrName]
			if given == nil {
				continue
			}
			n.Attrs[a.Name] = given
			continue
		}
		n.Attrs[a.Name] = a
	}
	for i, name := range pb.Input {
		var v *Value
		if name != "" {
			if v = s.Find(name); v == nil {
				return n.Fail("input %d, %q, is made by no node before this one", i, name)
			}
		}
		n.In = append(n.In, v)
	}
	for len(n.In) > 0 && n.In[len(n.In)-1] == nil {
		n.In = n.In[:len(n.In)-1]
	}
	label := pb.Name
	if label == "" && len(pb.Output) > 0 {
		label = pb.Output[0]
	}
	if label == "" {
		label = pb.OpType
	}
	n.Name = format.UniqueName(m.OpNames, s.prefix+label)
	if err := m.apply(n, s); err != nil {
		return err
	}
	for i, name := range pb.Output {
		if name == "" {
			continue
		}
		if s.values[name] != nil {
			return n.Fail("the result %q was made before", name)
		}
		if i >= len(n.Out) || n.Out[i] == nil {
			return n.Fail("result %d, %q, of this operator is not supported", i, name)
		}
		s.values[name] = n.Out[i]
	}
	return nil
}

// apply runs the rule of the node's operator, or the function that defines it.
func (m *Model) apply(n *Node, s *Scope) error {
	f := m.functions[n.Proto.Domain+"."+n.Proto.OpType]
	op, ok := m.rules(n.Proto.OpType)
	switch {
	case n.Proto.OpType == "If":
		return m.branch(n, s)
	case !ok && f != nil:
		return m.call(n, s, f)
	case !ok:
		if done, err := m.standIn(n); done {
			return err
		}
		return m.unknown(n)
	case len(n.In) < op.Least || len(n.In) > op.Most:
		return n.Fail("%d inputs (want %d to %d)", len(n.In), op.Least, op.Most)
	}
	for i := range op.Least {
		if n.In[i] == nil {
			return n.Fail("input %d is left out", i)
		}
	}
	err := op.Apply(n)
	if n.Err != nil {
		return n.Err
	}
	return err
}

// call imports the nodes of a function of the model in place of a node.
func (m *Model) call(n *Node, s *Scope, f *onnxpb.FunctionProto) error {
	if s.depth == maxFunctionDepth {
		return n.Fail("functions call each other more than %d deep", maxFunctionDepth)
	}
	inner := &Scope{values: map[string]*Value{}, attrs: map[string]*onnxpb.AttributeProto{},
		prefix: n.Name + "/", opset: s.opset, depth: s.depth + 1}
	if len(f.OpsetImport) > 0 {
		inner.opset = opsetOf(f.OpsetImport)
	}
	for _, a := range f.AttributeProto {
		inner.attrs[a.Name] = a
	}
	for name, a := range n.Attrs {
		inner.attrs[name] = a
	}
	if len(n.In) > len(f.Input) {
		return n.Fail("%d inputs (the function has %d)", len(n.In), len(f.Input))
	}
	for i, v := range n.In {
		if v != nil {
			inner.values[f.Input[i]] = v
		}
	}
	if err := m.run(inner, f.Node); err != nil {
		return err
	}
	return m.results(n, inner, f.Output)
}

// results makes the values called names the results of n.
func (m *Model) results(n *Node, s *Scope, names []string) error {
	for i := range n.Proto.Output {
		if i >= len(names) {
			return n.Fail("%d results are asked for, but %d are made", len(n.Proto.Output), len(names))
		}
		v := s.Find(names[i])
		if v == nil && n.Wants(i) {
			return n.Fail("the result %q is made by no node inside", names[i])
		}
		n.Set(i, v)
	}
	return nil
}

// branch imports the branch of an If whose condition is known.
func (m *Model) branch(n *Node, s *Scope) error {
	cond, err := n.Known(0, "the condition")
	if err != nil {
		return err
	}
	name := "else_branch"
	if len(cond) > 0 && cond[0] != 0 {
		name = "then_branch"
	}
	a := n.Attr(name, onnxpb.AttributeProto_GRAPH)
	if n.Err != nil {
		return n.Err
	}
	if a == nil || a.G == nil {
		return n.Fail("it has no %s", name)
	}
	if s.depth == maxFunctionDepth {
		return n.Fail("subgraphs are nested more than %d deep", maxFunctionDepth)
	}
	inner := &Scope{values: map[string]*Value{}, outer: s, attrs: s.attrs, prefix: n.Name + "/", opset: s.opset, depth: s.depth + 1}
	if err := m.constants(inner, a.G); err != nil {
		return err
	}
	if err := m.run(inner, a.G.Node); err != nil {
		return err
	}
	var names []string
	for _, o := range a.G.Output {
		names = append(names, o.Name)
	}
	return m.results(n, inner, names)
}

// A Rule imports an operator that has from least to most inputs.
type Rule struct {
	Least, Most int
	Apply       func(n *Node) error
}

// Rules finds the rule of a type of operators.
type Rules func(op string) (Rule, bool)
