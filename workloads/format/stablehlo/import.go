package stablehlo

import (
	"errors"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/format/program"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// maxCalls bounds how deep functions call each other.
const maxCalls = 64

// An importer adds the operations of a module to a program.
type importer struct {
	m     *module
	p     *program.Program
	calls int
	steps int // operations so far, those of loops each time
}

// A scope holds the values that the operations of a body can name.
type scope struct {
	values map[string][]*program.Value
	outer  *scope
	prefix string // of names in the graph
}

func (s *scope) find(name string) ([]*program.Value, bool) {
	for ; s != nil; s = s.outer {
		if v, ok := s.values[name]; ok {
			return v, true
		}
	}
	return nil, false
}

// A statement is an operation under import.
type statement struct {
	*operation
	im    *importer
	scope *scope
	in    []*program.Value
	label string
}

// fail is an error at the operation.
func (s *statement) fail(msg string, args ...any) error {
	return s.im.m.fail(s.at, s.name+": "+msg, args...)
}

// graph makes the graph of the function main, or of the only public one.
func (m *module) graph(name string) (*graph.Graph, error) {
	main, err := m.main()
	if err != nil {
		return nil, err
	}
	im := &importer{m: m, p: program.New(name)}
	sc := &scope{values: map[string][]*program.Value{}}
	for _, a := range main.params {
		v, err := im.argument(a)
		if err != nil {
			return nil, err
		}
		if _, twice := sc.values[a.name]; twice {
			return nil, m.fail(a.at, "the argument %s is there twice", a.name)
		}
		sc.values[a.name] = v
	}
	outs, err := im.body(main.body, sc)
	if err != nil {
		return nil, err
	}
	im.p.Return(outs...)
	for _, s := range m.mesh {
		im.p.Note("The file has a mesh of devices (" + s + "); the graph is that of one device with the shapes of the file.")
	}
	g, err := im.p.Graph()
	if fault := (*program.Fault)(nil); errors.As(err, &fault) {
		return nil, m.fail(int(fault.At), "%s", fault.Msg)
	}
	if err != nil {
		return nil, &format.Error{File: m.file, Line: 1, Col: 1, Msg: err.Error()}
	}
	return g, nil
}

// main is the function that the program is: @main, or the only one that is not private.
func (m *module) main() (*function, error) {
	if f := m.funcs["main"]; f != nil {
		return f, nil
	}
	var open []*function
	names := make([]string, 0, len(m.order))
	for _, f := range m.order {
		if names = append(names, "@"+f.name); !f.hidden {
			open = append(open, f)
		}
	}
	if len(open) == 1 {
		return open[0], nil
	}
	return nil, m.fail(len(m.b), "no function @main among the %d of the file (%s)", len(names), strings.Join(names[:min(len(names), 8)], ", "))
}

// argument makes an argument of the program; a tuple is several.
func (im *importer) argument(a param) ([]*program.Value, error) {
	name := strings.TrimPrefix(a.name, "%")
	for _, key := range []string{"ttir.name", "tf.name", "iree.abi.name"} {
		if x, ok := a.attrs[key]; ok && x.text != "" {
			name = x.text
		}
	}
	if strings.HasPrefix(a.loc, "(\"") {
		name, _, _ = strings.Cut(a.loc[2:], "\"")
	}
	if len(a.typ.tuple) > 0 {
		var all []*program.Value
		for _, t := range a.typ.tuple {
			v, err := im.argument(param{at: a.at, name: a.name, typ: t, attrs: a.attrs})
			if err != nil {
				return nil, err
			}
			all = append(all, v...)
		}
		return all, nil
	}
	if !a.typ.array && strings.Contains(a.typ.elem, "token") {
		return []*program.Value{nil}, nil
	}
	if err := im.usable(a.typ, a.at); err != nil {
		return nil, err
	}
	return []*program.Value{im.p.Arg(name, a.typ.Type, role(name, a.attrs))}, nil
}

// role is what an argument is by its attributes, or by the first part of its name.
func role(name string, attrs map[string]attr) program.Role {
	for key, x := range attrs {
		if !strings.HasSuffix(key, ".argument_type") {
			continue
		}
		switch {
		case strings.Contains(x.text, "<input>"):
			return program.Data
		case strings.Contains(x.text, "<parameter>"), strings.Contains(x.text, "<constant>"):
			return program.Parameter
		}
	}
	first := name
	if n := strings.IndexAny(name, "[.'\""); n >= 0 {
		first = name[:n]
	}
	switch first {
	case "params", "weights", "variables":
		return program.Parameter
	}
	return program.Guess
}

// usable checks that a type is one of arrays that have a rule.
func (im *importer) usable(t typ, at int) error {
	switch {
	case !t.array:
		return im.m.fail(t.at, "the type %s has no rule (want tensor<...>)", t.elem)
	case t.no != "":
		return im.m.fail(t.at, "%s", t.no)
	}
	return nil
}

// body adds the operations of a region and returns what it returns.
func (im *importer) body(r *region, sc *scope) ([]*program.Value, error) {
	for n, o := range r.ops {
		if im.steps++; im.steps > program.MaxInsts {
			return nil, im.m.fail(o.at, "the program expands to more than %d operations", program.MaxInsts)
		}
		s := &statement{operation: o, im: im, scope: sc}
		if err := s.operands(); err != nil {
			return nil, err
		}
		switch o.name {
		case "func.return", "stablehlo.return", "mhlo.return", "sdy.return":
			if n != len(r.ops)-1 {
				return nil, s.fail("operations follow it")
			}
			return s.in, nil
		}
		out, err := s.add()
		if err != nil {
			return nil, err
		}
		if err := s.bind(out); err != nil {
			return nil, err
		}
	}
	at := 0
	if len(r.ops) > 0 {
		at = r.ops[len(r.ops)-1].at
	}
	return nil, im.m.fail(at, "the body returns nothing")
}

// operands finds the values that an operation reads.
func (s *statement) operands() error {
	if len(s.results) > 0 {
		s.label = s.scope.prefix + strings.TrimPrefix(s.results[0], "%")
	} else {
		s.label = s.scope.prefix + s.name
	}
	for n, name := range s.args {
		v, ok := s.scope.find(name)
		if base, k, numbered := strings.Cut(name, "#"); !ok && numbered {
			if all, found := s.scope.find(base); found {
				i := 0
				for _, c := range k {
					i = min(i*10+int(c-'0'), 1<<20)
				}
				if i < len(all) {
					v, ok = all[i:i+1], true
				}
			}
		}
		if !ok {
			return s.im.m.fail(s.argAt[n], "%s is made by no operation before this one", name)
		}
		if s.arrow && len(s.types) == len(s.args) && (len(s.args) <= 2 || !slices.Contains(s.words, "init")) && len(v) == 1 && v[0] != nil && s.types[n].array {
			if got, want := v[0].Type, s.types[n].Type; !sameShape(got.Shape, want.Shape) {
				return s.im.m.fail(s.types[n].at, "%s has shape %v, but is said to have %v", name, got.Shape, want.Shape)
			}
		}
		s.in = append(s.in, v...)
	}
	if s.arrow && len(s.types) != len(s.args) {
		return s.fail("%d operands, but %d types of operands", len(s.args), len(s.types))
	}
	return nil
}

func sameShape(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// bind gives the results their names.
func (s *statement) bind(out []*program.Value) error {
	total := 0
	for _, n := range s.count {
		total += n
	}
	if total != len(out) && !(len(s.results) == 1 && s.count[0] == 1) {
		return s.fail("%d results are named, but there are %d", total, len(out))
	}
	if len(s.results) > 0 && len(out) == 0 {
		return s.fail("a result is named, but there is none")
	}
	for k, name := range s.results {
		if _, twice := s.scope.values[name]; twice {
			return s.fail("%s is made twice", name)
		}
		n := s.count[k]
		if len(s.results) == 1 {
			n = len(out)
		}
		s.scope.values[name] = out[:n]
		out = out[n:]
	}
	return nil
}

// inline adds a body with these arguments.
func (s *statement) inline(r *region, params []param, args []*program.Value, prefix string, outer *scope) ([]*program.Value, error) {
	if len(params) != len(args) {
		return nil, s.fail("%d arguments (want %d)", len(args), len(params))
	}
	if s.im.calls++; s.im.calls > maxCalls {
		return nil, s.fail("calls are nested more than %d deep", maxCalls)
	}
	defer func() { s.im.calls-- }()
	inner := &scope{values: map[string][]*program.Value{}, outer: outer, prefix: prefix}
	for n, p := range params {
		if v := args[n]; v != nil && p.typ.array && !sameShape(v.Shape, p.typ.Shape) {
			return nil, s.fail("argument %d has shape %v (want %v)", n, v.Shape, p.typ.Shape)
		}
		inner.values[p.name] = []*program.Value{args[n]}
	}
	return s.im.body(r, inner)
}

// call adds the body of a function in place of a call.
func (s *statement) call(name string) ([]*program.Value, error) {
	f := s.im.m.funcs[name]
	if f == nil {
		return nil, s.fail("there is no function @%s", name)
	}
	return s.inline(f.body, f.params, s.in, s.label+".", nil)
}

// loop adds the body of a counted loop as often as it runs.
func (s *statement) loop() ([]*program.Value, error) {
	if len(s.regions) != 2 {
		return nil, s.fail("%d bodies (want a condition and a body)", len(s.regions))
	}
	state := s.in
	for n := 0; ; n++ {
		prefix := s.label + "." + itoa(n) + "."
		cond, err := s.inline(s.regions[0], s.regions[0].params, state, prefix, s.scope)
		if err != nil {
			return nil, err
		}
		if len(cond) != 1 || cond[0] == nil {
			return nil, s.fail("the condition returns %d values (want 1)", len(cond))
		}
		again, ok := cond[0].Scalar()
		if !ok {
			return nil, s.fail("how often the loop runs depends on data, so it is not known before the run (want a counter with a known start, step and end)")
		}
		if again == 0 {
			return state, nil
		}
		if state, err = s.inline(s.regions[1], s.regions[1].params, state, prefix, s.scope); err != nil {
			return nil, err
		}
		if len(state) != len(s.in) {
			return nil, s.fail("the body returns %d values (want %d)", len(state), len(s.in))
		}
	}
}

func itoa(n int) string {
	if n < 10 {
		return string('0' + rune(n))
	}
	return itoa(n/10) + string('0'+rune(n%10))
}

// branch adds the branch that is taken, if that is known.
func (s *statement) branch() ([]*program.Value, error) {
	if len(s.in) != 1 || len(s.regions) == 0 {
		return nil, s.fail("%d operands and %d branches (want an index and at least one)", len(s.in), len(s.regions))
	}
	x, ok := s.in[0].Scalar()
	if !ok {
		return nil, s.fail("which branch runs depends on data, so it is not known before the run")
	}
	n := int(x)
	if strings.HasSuffix(s.name, ".if") {
		n = 1 - min(max(n, 0), 1)
	}
	if n < 0 || n >= len(s.regions) {
		n = len(s.regions) - 1
	}
	return s.inline(s.regions[n], s.regions[n].params, nil, s.label+".", s.scope)
}
