package torchexport

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/format/program"
	"github.com/causeway-sim/causeway/workloads/graph"
)

type reader struct{}

func init() {
	format.All.Add(registry.Entry[format.Reader]{
		Name:   "torch",
		Doc:    "Graph of torch.export (or make_fx) as JSON, as causeway.export of the Python package writes it.",
		Source: "PyTorch 1.13 to 2.9, operators of ATen",
		New:    reader{},
	})
}

// version is what the file says of itself.
const version = "causeway.torch/1"

// Sniff implements Reader.
func (reader) Sniff(_ string, head []byte) int {
	if bytes.Contains(head[:min(len(head), 256)], []byte(`"`+version+`"`)) {
		return 95
	}
	return 0
}

// maxFile bounds the bytes of a file.
const maxFile = 1 << 30

// A node is one entry of the list nodes.
type node struct {
	Name   string         `json:"name"`
	Op     string         `json:"op"`
	Kind   string         `json:"kind"`
	Source string         `json:"source"`
	Args   []any          `json:"args"`
	Kwargs map[string]any `json:"kwargs"`
	Out    any            `json:"out"`
	Data   []float64      `json:"data"`
	at     int64
}

// A file is a graph under import.
type file struct {
	name   string
	text   []byte
	nodes  []*node
	parts  map[string]map[int]program.Type // results of operators with several, by getitem
	p      *program.Program
	values map[string][]*program.Value
}

func (f *file) fail(at int64, msg string, args ...any) *format.Error {
	at = min(max(at, 0), int64(len(f.text)))
	start := bytes.LastIndexByte(f.text[:at], '\n') + 1
	return &format.Error{File: f.name, Line: bytes.Count(f.text[:at], []byte("\n")) + 1, Col: len([]rune(string(f.text[start:at]))) + 1, Msg: fmt.Sprintf(msg, args...)}
}

// Read implements Reader.
func (reader) Read(src format.Source, o format.Options) (*graph.Graph, error) {
	text, err := src.ReadAll(maxFile)
	if err != nil {
		return nil, err
	}
	f := &file{name: src.Name, text: text, p: program.New(format.GraphName(o, strings.TrimSuffix(src.Name, ".torch.json"))), values: map[string][]*program.Value{}, parts: map[string]map[int]program.Type{}}
	if o.Batch > 1 || o.Sequence > 0 || o.Context > 0 || len(o.Symbols) > 0 {
		return nil, f.fail(0, "the shapes of this graph are fixed, so that batch, sequence, context and symbols cannot be set; export it for that size")
	}
	if err := f.parse(); err != nil {
		return nil, err
	}
	for _, n := range f.nodes {
		if err := f.node(n); err != nil {
			return nil, err
		}
	}
	g, err := f.p.Graph()
	if fault := (*program.Fault)(nil); errors.As(err, &fault) {
		return nil, f.fail(fault.At, "%s", fault.Msg)
	}
	if err == nil {
		err = format.CheckWork(g)
	}
	if err != nil {
		return nil, f.fail(0, "%v", err)
	}
	return g, nil
}

// parse reads the list of nodes with the place of each.
func (f *file) parse() error {
	d := json.NewDecoder(bytes.NewReader(f.text))
	broken := func(err error) error { return f.fail(d.InputOffset(), "not a graph of causeway.export: %v", err) }
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return broken(fmt.Errorf("found %v (want {)", t))
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return broken(err)
		}
		if key != "nodes" {
			var skip any
			if err := d.Decode(&skip); err != nil {
				return broken(err)
			}
			continue
		}
		if t, err := d.Token(); err != nil || t != json.Delim('[') {
			return broken(fmt.Errorf("nodes are no list"))
		}
		for d.More() {
			n := &node{at: d.InputOffset()}
			for n.at < int64(len(f.text)) && strings.IndexByte(", \n\t\r", f.text[n.at]) >= 0 {
				n.at++
			}
			if err := d.Decode(n); err != nil {
				return f.fail(max(n.at, d.InputOffset()), "not a node of a graph: %v", err)
			}
			f.nodes = append(f.nodes, n)
		}
		if _, err := d.Token(); err != nil {
			return broken(err)
		}
	}
	if _, err := d.Token(); err != nil {
		return broken(err)
	}
	return f.pieces()
}

// pieces notes the types of the results of operators that have several: those that getitem takes.
func (f *file) pieces() error {
	for _, n := range f.nodes {
		if n.Op != "getitem" || len(n.Args) != 2 {
			continue
		}
		from, k := reference(n.Args[0]), n.Args[1]
		i, ok := k.(float64)
		t, has, err := f.typ(n, n.Out)
		if err != nil {
			return err
		}
		if from == "" || !ok || !has {
			continue
		}
		if f.parts[from] == nil {
			f.parts[from] = map[int]program.Type{}
		}
		f.parts[from][int(i)] = t
	}
	return nil
}

// reference is the name of the value that an argument is, "" for another argument.
func reference(a any) string {
	if m, ok := a.(map[string]any); ok {
		s, _ := m["value"].(string)
		return s
	}
	return ""
}

// elems are the element types. Wide integers count as 32 bits, as in ONNX.
var elems = map[string]graph.DType{"float64": graph.FP32, "float32": graph.FP32, "float16": graph.FP16, "bfloat16": graph.BF16,
	"int64": graph.Int32, "int32": graph.Int32, "int16": graph.FP16, "int8": graph.Int8, "uint8": graph.Int8, "bool": graph.Int8,
	"float8_e4m3fn": graph.FP8, "float8_e5m2": graph.FP8}

// typ reads {"shape": [...], "dtype": "..."}; has is false if there is none.
func (f *file) typ(n *node, out any) (t program.Type, has bool, err error) {
	if out == nil {
		return t, false, nil
	}
	m, ok := out.(map[string]any)
	if !ok {
		return t, false, nil
	}
	list, ok1 := m["shape"].([]any)
	name, ok2 := m["dtype"].(string)
	e, known := elems[name]
	if !ok1 || !ok2 || !known {
		return t, false, f.fail(n.at, "%s: the type %v (want a shape and one of the element types that have a rule)", n.Name, out)
	}
	t = program.Type{Shape: []int{}, Elem: e, Bool: name == "bool", Int: name == "int64" || name == "int32"}
	for _, d := range list {
		x, ok := d.(float64)
		if !ok || x < 0 || x > format.MaxDim || x != float64(int(x)) {
			return t, false, f.fail(n.at, "%s: the dimension %v of %v (want numbers; export the model for one shape)", n.Name, d, list)
		}
		t.Shape = append(t.Shape, int(x))
	}
	if err := t.Check(); err != nil {
		return t, false, f.fail(n.at, "%s: %v", n.Name, err)
	}
	return t, true, nil
}

// A call is an operator under import.
type call struct {
	*node
	f    *file
	op   string // without aten., overload and the _ of operators in place
	args []any
	typ  program.Type
	has  bool // there is a type of a single result
}

func (c *call) fail(msg string, args ...any) error {
	return c.f.fail(c.at, "node %q (%s): "+msg, append([]any{c.Name, c.Op}, args...)...)
}

// base is the name of an operator.
func base(op string) string {
	name := strings.TrimPrefix(op, "aten.")
	name, _, _ = strings.Cut(name, ".")
	if name != "_" && !strings.HasPrefix(name, "__") {
		name = strings.TrimSuffix(name, "_")
	}
	return name
}

// node adds a node to the program.
func (f *file) node(n *node) error {
	if n.Name == "" || f.values[n.Name] != nil {
		return f.fail(n.at, "the node %q has no name, or one that is there twice", n.Name)
	}
	c := &call{node: n, f: f, op: base(n.Op), args: n.Args}
	var err error
	if c.typ, c.has, err = f.typ(n, n.Out); err != nil {
		return err
	}
	var out []*program.Value
	switch n.Op {
	case "placeholder":
		if !c.has { // an argument that is no array
			return nil
		}
		role := program.Data
		if n.Kind == "parameter" {
			role = program.Parameter
		}
		name := n.Source
		if name == "" {
			name = n.Name
		}
		out = []*program.Value{f.p.Arg(name, c.typ, role)}
	case "constant", "get_attr":
		out, err = c.constant()
	case "output":
		return c.output(n.Args)
	case "getitem":
		out, err = c.item()
	default:
		rule := rules[c.op]
		if fn, ok := maps[c.op]; ok && rule == nil {
			rule = func(c *call) ([]*program.Value, error) { return c.mapped(fn) }
		}
		if rule == nil || !strings.HasPrefix(n.Op, "aten.") {
			return c.unknown()
		}
		out, err = rule(c)
	}
	if err != nil {
		return err
	}
	f.values[n.Name] = out
	return nil
}

// unknown is the error of an operator without a rule. It lists all of the file.
func (c *call) unknown() error {
	var names []string
	for _, n := range c.f.nodes {
		b := base(n.Op)
		if _, ok := maps[b]; ok || rules[b] != nil || slices.Contains([]string{"placeholder", "constant", "get_attr", "output", "getitem"}, n.Op) {
			continue
		}
		if !slices.Contains(names, n.Op) {
			names = append(names, n.Op)
		}
	}
	slices.Sort(names)
	e := c.f.fail(c.at, "node %q: unknown operator %s; of the file's operators these have no rule: %s", c.Name, c.Op, strings.Join(names, ", "))
	e.Want = Supported()
	return e
}

// Supported lists the operators that have a rule, sorted.
func Supported() (out []string) {
	for name := range maps {
		out = append(out, name)
	}
	for name := range rules {
		if _, both := maps[name]; !both {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// output marks the results, in nested lists.
func (c *call) output(args []any) error {
	for _, a := range args {
		if list, ok := a.([]any); ok {
			if err := c.output(list); err != nil {
				return err
			}
			continue
		}
		if reference(a) == "" {
			continue
		}
		v, err := c.value(a)
		if err != nil {
			return err
		}
		c.f.p.Return(v)
	}
	return nil
}

// value is the value that an argument names.
func (c *call) value(a any) (*program.Value, error) {
	name := reference(a)
	v, ok := c.f.values[name]
	switch {
	case name == "":
		return nil, c.fail("the argument %v is no value", a)
	case !ok || len(v) == 0:
		return nil, c.fail("%q is made by no node before this one", name)
	case v[0] == nil:
		return nil, c.fail("a result of %q has no rule", name)
	}
	return v[0], nil
}

// in is the value at argument i.
func (c *call) in(i int) (*program.Value, error) {
	if i >= len(c.args) {
		return nil, c.fail("%d arguments (want at least %d)", len(c.args), i+1)
	}
	return c.value(c.args[i])
}

// given reports whether argument i is a value.
func (c *call) given(i int) bool { return i < len(c.args) && reference(c.args[i]) != "" }

// add adds an instruction with one result.
func (c *call) add(op program.Op, t program.Type, in ...*program.Value) (*program.Value, error) {
	out, err := c.f.p.Add(c.at, c.Name, op, in, t)
	if err != nil {
		return nil, c.fail("%v", err)
	}
	return out[0], nil
}

// one is add as the result of the node.
func (c *call) one(op program.Op, in ...*program.Value) ([]*program.Value, error) {
	if !c.has {
		return nil, c.fail("it has no type of its result")
	}
	v, err := c.add(op, c.typ, in...)
	return []*program.Value{v}, err
}

// item is a result of an operator that has several.
func (c *call) item() ([]*program.Value, error) {
	k := c.number(1, 0)
	all := c.f.values[reference(c.arg(0))]
	if k < 0 || int(k) >= len(all) {
		return []*program.Value{nil}, nil // one that is not read, or an error where it is
	}
	return all[int(k) : int(k)+1], nil
}

// constant is an array in the file.
func (c *call) constant() ([]*program.Value, error) {
	lit := program.Literal{}
	switch n := int64(len(c.Data)); {
	case n == 0 || n != c.typ.Elements():
	case c.typ.Int || c.typ.Bool:
		var list []int64
		for _, x := range c.Data {
			list = append(list, int64(x))
		}
		lit = program.Ints(list...)
	default:
		lit = program.Floats(c.Data...)
	}
	return c.one(lit)
}

func (c *call) arg(i int) any {
	if i < len(c.args) {
		return c.args[i]
	}
	return nil
}

// number is a number at argument i.
func (c *call) number(i int, def float64) float64 {
	switch x := c.arg(i).(type) {
	case float64:
		return x
	case bool:
		if x {
			return 1
		}
		return 0
	}
	return def
}

// named is an argument by its place, or by its name.
func (c *call) named(i int, name string) any {
	if a := c.arg(i); a != nil {
		return a
	}
	return c.Kwargs[name]
}

// ints is a list of whole numbers at argument i, of length n: a single number counts for all.
func (c *call) ints(i, n, def int) ([]int, error) {
	list, ok := c.arg(i).([]any)
	if x, one := c.arg(i).(float64); one {
		list, ok = []any{x}, true
	}
	if !ok || len(list) == 0 {
		return slices.Repeat([]int{def}, n), nil
	}
	var out []int
	for _, a := range list {
		x, ok := a.(float64)
		if !ok || x != float64(int(x)) || x < -format.MaxDim || x > format.MaxDim {
			return nil, c.fail("argument %d is %v (want whole numbers)", i, list)
		}
		out = append(out, int(x))
	}
	if len(out) == 1 && n > 1 {
		out = slices.Repeat(out, n)
	}
	if n > 0 && len(out) != n {
		return nil, c.fail("argument %d has %d numbers (want %d)", i, len(out), n)
	}
	return out, nil
}

// dim is a dimension at argument i; negative ones count from the end.
func (c *call) dim(i, def, rank int) (int, error) {
	d := int(c.number(i, float64(def)))
	if d < 0 {
		d += rank
	}
	if d < 0 || d >= max(rank, 1) {
		return 0, c.fail("dimension %v of an array of %d dimensions", c.arg(i), rank)
	}
	return d, nil
}
