package onnx

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

// An onnxImport turns one model into a graph.
type onnxImport struct {
	file        string
	o           format.Options
	b           *graph.Builder
	opNames     map[string]int
	tensorNames map[string]int
	dtypes      []tensorType
	functions   map[string]*onnxpb.FunctionProto // by domain.name
	all         []*onnxpb.NodeProto              // of the model's own graph
	nodes       int                              // imported so far
	emitted     int                              // operators of the graph so far
	// rebatch is the batch that took the place of a fixed batch of 1; else 0.
	rebatch int
	stoodIn map[string]int // nodes by the name in Options.Unknown
	notes   []string
	// mixtures of experts imported so far: layers, for the draw of experts.
	mixtures int
}

// A scope holds the values that nodes can name. Subgraphs see the values
// outside, functions do not.
type scope struct {
	values map[string]*onnxValue
	outer  *scope
	attrs  map[string]*onnxpb.AttributeProto // of the function call
	prefix string                            // of operator names
	opset  int64
	depth  int
}

func (s *scope) find(name string) *onnxValue {
	for ; s != nil; s = s.outer {
		if v := s.values[name]; v != nil {
			return v
		}
	}
	return nil
}

// importONNX builds the graph of a model.
func importONNX(file string, pb *onnxpb.ModelProto, o format.Options) (*graph.Graph, error) {
	g, _, err := importValues(file, pb, o)
	return g, err
}

// importValues also returns what became of every named value.
func importValues(file string, pb *onnxpb.ModelProto, o format.Options) (*graph.Graph, *scope, error) {
	m := &onnxImport{
		file: file, o: o, b: graph.NewBuilder(format.GraphName(o, file)),
		opNames: map[string]int{}, tensorNames: map[string]int{},
		functions: map[string]*onnxpb.FunctionProto{}, stoodIn: map[string]int{},
	}
	if err := m.checkStandIns(); err != nil {
		return nil, nil, err
	}
	for _, f := range pb.Functions {
		m.functions[f.Domain+"."+f.Name] = f
	}
	m.all = pb.Graph.Node
	s := &scope{values: map[string]*onnxValue{}, opset: opsetOf(pb.OpsetImport)}
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
		v := s.find(out.Name)
		if v == nil {
			return nil, nil, m.fail(out.FileOffset, "the output %q is made by no node", out.Name)
		}
		if v.role == graph.Activation && v.id != graph.None {
			m.b.Output(v.id)
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
	g.Notes = append(notes, m.notes...)
	return g, s, nil
}

// opsetOf is the version of the standard operators; 1 in files that are older
// than the field.
func opsetOf(list []*onnxpb.OperatorSetIdProto) int64 {
	for _, o := range list {
		if standardDomain(o.Domain) {
			return max(o.Version, 1)
		}
	}
	return 1
}

func standardDomain(d string) bool { return d == "" || d == "ai.onnx" }

// constants declares the initializers.
func (m *onnxImport) constants(s *scope, g *onnxpb.GraphProto) error {
	for _, t := range g.Initializer {
		v, err := m.tensorConst(t, fmt.Sprintf("initializer %q", t.Name))
		if err != nil {
			return err
		}
		if s.values[t.Name] != nil {
			return m.fail(t.FileOffset, "the initializer %q is there twice", t.Name)
		}
		s.values[t.Name] = v
	}
	for _, t := range g.SparseInitializer {
		shape, ok := dims(t.Dims)
		if !ok || t.Values == nil {
			return m.fail(t.GetValues().GetFileOffset(), "a sparse initializer has the shape %v or no values", t.Dims)
		}
		s.values[t.Values.Name] = newConst(t.Values.Name, elemType(t.Values.DataType), shape...)
	}
	return nil
}

// run imports nodes in order.
func (m *onnxImport) run(s *scope, nodes []*onnxpb.NodeProto) error {
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
func (m *onnxImport) node(s *scope, pb *onnxpb.NodeProto) error {
	n := &onnxNode{m: m, pb: pb, opset: s.opset, attrs: map[string]*onnxpb.AttributeProto{}}
	for _, a := range pb.Attribute {
		if a.RefAttrName != "" { // an attribute of the function around
			given := s.attrs[a.RefAttrName]
			if given == nil {
				continue
			}
			n.attrs[a.Name] = given
			continue
		}
		n.attrs[a.Name] = a
	}
	for i, name := range pb.Input {
		var v *onnxValue
		if name != "" {
			if v = s.find(name); v == nil {
				return n.fail("input %d, %q, is made by no node before this one", i, name)
			}
		}
		n.in = append(n.in, v)
	}
	for len(n.in) > 0 && n.in[len(n.in)-1] == nil {
		n.in = n.in[:len(n.in)-1]
	}
	label := pb.Name
	if label == "" && len(pb.Output) > 0 {
		label = pb.Output[0]
	}
	if label == "" {
		label = pb.OpType
	}
	n.name = format.UniqueName(m.opNames, s.prefix+label)
	if err := m.apply(n, s); err != nil {
		return err
	}
	for i, name := range pb.Output {
		if name == "" {
			continue
		}
		if s.values[name] != nil {
			return n.fail("the result %q was made before", name)
		}
		if i >= len(n.out) || n.out[i] == nil {
			return n.fail("result %d, %q, of this operator is not supported", i, name)
		}
		s.values[name] = n.out[i]
	}
	return nil
}

// apply runs the rule of the node's operator, or the function that defines it.
func (m *onnxImport) apply(n *onnxNode, s *scope) error {
	f := m.functions[n.pb.Domain+"."+n.pb.OpType]
	op, ok := onnxOps[n.pb.OpType]
	switch {
	case n.pb.OpType == "If":
		return m.branch(n, s)
	case !ok && f != nil:
		return m.call(n, s, f)
	case !ok:
		if done, err := m.standIn(n); done {
			return err
		}
		return m.unknown(n)
	case len(n.in) < op.least || len(n.in) > op.most:
		return n.fail("%d inputs (want %d to %d)", len(n.in), op.least, op.most)
	}
	for i := range op.least {
		if n.in[i] == nil {
			return n.fail("input %d is left out", i)
		}
	}
	err := op.rule(n)
	if n.err != nil {
		return n.err
	}
	return err
}

// call imports the nodes of a function of the model in place of a node.
func (m *onnxImport) call(n *onnxNode, s *scope, f *onnxpb.FunctionProto) error {
	if s.depth == maxFunctionDepth {
		return n.fail("functions call each other more than %d deep", maxFunctionDepth)
	}
	inner := &scope{values: map[string]*onnxValue{}, attrs: map[string]*onnxpb.AttributeProto{},
		prefix: n.name + "/", opset: s.opset, depth: s.depth + 1}
	if len(f.OpsetImport) > 0 {
		inner.opset = opsetOf(f.OpsetImport)
	}
	for _, a := range f.AttributeProto {
		inner.attrs[a.Name] = a
	}
	for name, a := range n.attrs {
		inner.attrs[name] = a
	}
	if len(n.in) > len(f.Input) {
		return n.fail("%d inputs (the function has %d)", len(n.in), len(f.Input))
	}
	for i, v := range n.in {
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
func (m *onnxImport) results(n *onnxNode, s *scope, names []string) error {
	for i := range n.pb.Output {
		if i >= len(names) {
			return n.fail("%d results are asked for, but %d are made", len(n.pb.Output), len(names))
		}
		v := s.find(names[i])
		if v == nil && n.wants(i) {
			return n.fail("the result %q is made by no node inside", names[i])
		}
		n.set(i, v)
	}
	return nil
}

// branch imports the branch of an If whose condition is known.
func (m *onnxImport) branch(n *onnxNode, s *scope) error {
	cond, err := n.known(0, "the condition")
	if err != nil {
		return err
	}
	name := "else_branch"
	if len(cond) > 0 && cond[0] != 0 {
		name = "then_branch"
	}
	a := n.attr(name, onnxpb.AttributeProto_GRAPH)
	if n.err != nil {
		return n.err
	}
	if a == nil || a.G == nil {
		return n.fail("it has no %s", name)
	}
	if s.depth == maxFunctionDepth {
		return n.fail("subgraphs are nested more than %d deep", maxFunctionDepth)
	}
	inner := &scope{values: map[string]*onnxValue{}, outer: s, attrs: s.attrs, prefix: n.name + "/", opset: s.opset, depth: s.depth + 1}
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

// An onnxOp is the rule of one operator.
type onnxOp struct {
	least, most int // inputs
	rule        func(n *onnxNode) error
}

// onnxOps holds the operators by type. Files add theirs in init.
var onnxOps = map[string]onnxOp{}

// many stands for any number of inputs.
const many = 1 << 30
