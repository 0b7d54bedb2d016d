package stablehlo

import "strings"

// A module is the text of a program with what was read of it.
type module struct {
	scanner
	aliases map[string]attr
	bare    bool // numbers have no type: an operation's own attribute
	funcs   map[string]*function
	order   []*function
	mesh    []string // sharding meshes, as written
}

// A function is a func.func.
type function struct {
	at     int
	name   string
	hidden bool // it is private
	params []param
	outs   []typ
	body   *region
}

// A param is an argument of a function or of a block.
type param struct {
	at    int
	name  string // with %
	typ   typ
	attrs map[string]attr
	loc   string
}

// A region is a list of operations with arguments.
type region struct {
	params []param
	ops    []*operation
}

// An operation is one statement.
type operation struct {
	at      int
	name    string // with its dialect, as add in stablehlo.add
	results []string
	count   []int // results of each name
	args    []string
	argAt   []int
	attrs   map[string]attr
	words   []string // words, such as NE, and names of operations, such as stablehlo.add
	loose   []attr   // attributes without a name
	regions []*region
	types   []typ
	outs    []typ
	arrow   bool // types are of operands, outs of results
}

// parse reads a module.
func parse(file string, text []byte) (*module, error) {
	m := &module{scanner: scanner{file: file, b: text}, aliases: map[string]attr{}, funcs: map[string]*function{}}
	for m.peek() != 0 {
		if m.has("{-#") { // resources: weights
			break
		}
		if err := m.top(); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// top reads a definition at the top of the file: an alias, a module, or a function.
func (m *module) top() error {
	if m.b[m.at] == '#' || m.b[m.at] == '!' {
		return m.alias()
	}
	ops, err := m.statement()
	if err != nil {
		return err
	}
	return m.define(ops)
}

// alias reads #name = attribute, or !name = type.
func (m *module) alias() error {
	kind := m.b[m.at]
	m.at++
	name := m.ident()
	if err := m.want("="); err != nil {
		return err
	}
	if kind == '!' {
		_, err := m.typ()
		return err
	}
	a, err := m.attribute()
	m.aliases[name] = a
	return err
}

// define takes the functions of a module.
func (m *module) define(o *operation) error {
	switch o.name {
	case "module", "builtin.module":
		for _, r := range o.regions {
			for _, x := range r.ops {
				if err := m.define(x); err != nil {
					return err
				}
			}
		}
	case "func.func":
		return m.function(o)
	case "sdy.mesh":
		m.mesh = append(m.mesh, strings.TrimSpace(string(m.b[o.at:min(o.at+120, len(m.b))])))
	default:
		return m.fail(o.at, "%s stands outside of a function (want func.func)", o.name)
	}
	return nil
}

// function makes a function of an operation in generic form; the pretty form has made one.
func (m *module) function(o *operation) error {
	f := &function{at: o.at, name: o.attrs["sym_name"].text}
	if len(o.regions) != 1 {
		return m.fail(o.at, "a function with %d bodies (want 1)", len(o.regions))
	}
	f.body, f.params = o.regions[0], o.regions[0].params
	f.outs, f.hidden = o.outs, o.attrs["sym_visibility"].text == "private"
	if list := o.attrs["arg_attrs"].list; len(list) == len(f.params) {
		for n := range list {
			f.params[n].attrs = list[n].dict
		}
	}
	if m.funcs[f.name] != nil {
		return m.fail(o.at, "the function @%s is there twice", f.name)
	}
	m.funcs[f.name] = f
	m.order = append(m.order, f)
	return nil
}

// statement reads an operation with the names of its results.
func (m *module) statement() (*operation, error) {
	o := &operation{}
	for m.peek() == '%' {
		name, err := m.value()
		if err != nil {
			return nil, err
		}
		n := 1
		if m.take(":") {
			a, err := m.attribute()
			if err != nil {
				return nil, err
			}
			if a.num == nil || *a.num < 1 || *a.num > 1<<16 {
				return nil, m.fail(a.at, "a number of results that is no number from 1 to 65536")
			}
			n = int(*a.num)
		}
		o.results, o.count = append(o.results, name), append(o.count, n)
		if m.take(",") {
			continue
		}
		if err := m.want("="); err != nil {
			return nil, err
		}
		break
	}
	m.blank()
	o.at = m.at
	if m.peek() == '"' {
		name, err := m.quoted()
		if err != nil {
			return nil, err
		}
		o.name = name
		return o, m.generic(o)
	}
	o.name = m.ident()
	switch o.name {
	case "":
		return nil, m.fail(m.at, "%s (want an operation)", m.found())
	case "func.func", "func":
		return o, m.pretty(o)
	case "module", "builtin.module":
		return o, m.moduleBody(o)
	case "return", "call":
		o.name = "func." + o.name
	case "stablehlo.while", "mhlo.while":
		return o, m.while(o)
	}
	return o, m.rest(o)
}

// moduleBody reads a module after its name.
func (m *module) moduleBody(o *operation) error {
	if m.peek() == '@' {
		if _, err := m.symbol(); err != nil {
			return err
		}
	}
	if m.take("attributes") {
		if err := m.want("{"); err != nil {
			return err
		}
		if _, err := m.dictionary(); err != nil {
			return err
		}
	}
	r, err := m.region()
	o.regions = []*region{r}
	if err != nil {
		return err
	}
	return m.loc()
}

// pretty reads a function: visibility, name, arguments, results, body.
func (m *module) pretty(o *operation) error {
	o.name = "func.func"
	hidden := ""
	for m.peek() != '@' {
		w := m.ident()
		if w == "" {
			return m.fail(m.at, "%s (want the name of a function)", m.found())
		}
		hidden = w
	}
	name, err := m.symbol()
	if err != nil {
		return err
	}
	o.attrs = map[string]attr{"sym_name": {text: name, set: true}, "sym_visibility": {text: hidden}}
	params, err := m.params()
	if err != nil {
		return err
	}
	if m.take("->") {
		if m.peek() == '(' {
			o.outs, err = m.types()
		} else {
			var t typ
			t, err = m.typ()
			o.outs = []typ{t}
		}
		if err != nil {
			return err
		}
	}
	if m.take("attributes") {
		if err := m.want("{"); err != nil {
			return err
		}
		if _, err := m.dictionary(); err != nil {
			return err
		}
	}
	r, err := m.region()
	if err != nil {
		return err
	}
	r.params = params
	o.regions = []*region{r}
	return m.loc()
}

// params reads (%a: type {attributes} loc(...), ...).
func (m *module) params() (list []param, err error) {
	if err := m.want("("); err != nil {
		return nil, err
	}
	for !m.take(")") {
		if m.take(",") {
			continue
		}
		if m.peek() != '%' {
			return nil, m.fail(m.at, "%s (want an argument)", m.found())
		}
		p := param{at: m.at}
		if p.name, err = m.value(); err != nil {
			return nil, err
		}
		if err = m.want(":"); err != nil {
			return nil, err
		}
		if p.typ, err = m.typ(); err != nil {
			return nil, err
		}
		if m.peek() == '{' {
			m.at++
			if p.attrs, err = m.dictionary(); err != nil {
				return nil, err
			}
		}
		if p.loc, err = m.place(); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// region reads { ^bb0(arguments): statements }.
func (m *module) region() (*region, error) {
	if err := m.enter(); err != nil {
		return nil, err
	}
	defer func() { m.deep-- }()
	r := &region{}
	if err := m.want("{"); err != nil {
		return r, err
	}
	for blocks := 0; !m.take("}"); {
		if m.peek() == 0 {
			return r, m.fail(m.at, "the file ends inside a body")
		}
		if m.b[m.at] == '#' || m.b[m.at] == '!' {
			if err := m.alias(); err != nil {
				return r, err
			}
			continue
		}
		if m.b[m.at] == '^' {
			if blocks++; blocks > 1 || len(r.ops) > 0 {
				return r, m.fail(m.at, "a body of several blocks has no rule")
			}
			m.at++
			m.ident()
			if m.peek() == '(' {
				var err error
				if r.params, err = m.params(); err != nil {
					return r, err
				}
			}
			if err := m.want(":"); err != nil {
				return r, err
			}
			continue
		}
		o, err := m.statement()
		if err != nil {
			return r, err
		}
		r.ops = append(r.ops, o)
	}
	return r, nil
}
