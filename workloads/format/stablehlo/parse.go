package stablehlo

import (
	"strings"
)

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

// generic reads "name"(operands) <{properties}> (regions) {attributes} : (types) -> types.
func (m *module) generic(o *operation) error {
	if err := m.want("("); err != nil {
		return err
	}
	for !m.take(")") {
		if m.take(",") {
			continue
		}
		if m.peek() != '%' {
			return m.fail(m.at, "%s (want an operand)", m.found())
		}
		if err := m.operand(o); err != nil {
			return err
		}
	}
	o.attrs = map[string]attr{}
	if m.peek() == '[' { // successors
		return m.fail(m.at, "jumps between blocks have no rule")
	}
	if m.take("<{") {
		if err := m.more(o); err != nil {
			return err
		}
		if err := m.want(">"); err != nil {
			return err
		}
	}
	if m.peek() == '(' {
		m.at++
		for !m.take(")") {
			if m.take(",") {
				continue
			}
			r, err := m.region()
			if err != nil {
				return err
			}
			o.regions = append(o.regions, r)
		}
	}
	if m.peek() == '{' {
		m.at++
		if err := m.more(o); err != nil {
			return err
		}
	}
	if err := m.want(":"); err != nil {
		return err
	}
	var err error
	o.arrow = true
	if o.types, o.outs, err = m.signature(); err != nil {
		return err
	}
	return m.loc()
}

// more reads a dictionary into the attributes of an operation.
func (m *module) more(o *operation) error {
	d, err := m.dictionary()
	if o.attrs == nil {
		o.attrs = map[string]attr{}
	}
	for k, v := range d {
		o.attrs[k] = v
	}
	return err
}

func (m *module) operand(o *operation) error {
	at := m.at
	name, err := m.value()
	if err != nil {
		return err
	}
	o.args, o.argAt = append(o.args, name), append(o.argAt, at)
	return nil
}

// while reads (%a = %x, ...) : types cond {...} do {...}.
func (m *module) while(o *operation) error {
	if err := m.want("("); err != nil {
		return err
	}
	var params []param
	for !m.take(")") {
		if m.take(",") {
			continue
		}
		p := param{at: m.at}
		if m.peek() != '%' {
			return m.fail(m.at, "%s (want an argument of the loop)", m.found())
		}
		var err error
		if p.name, err = m.value(); err != nil {
			return err
		}
		if err := m.want("="); err != nil {
			return err
		}
		if m.peek() != '%' {
			return m.fail(m.at, "%s (want an operand)", m.found())
		}
		if err := m.operand(o); err != nil {
			return err
		}
		params = append(params, p)
	}
	if len(params) > 0 {
		if err := m.want(":"); err != nil {
			return err
		}
		if err := m.typeList(o); err != nil {
			return err
		}
	}
	for n := range params {
		if n < len(o.types) {
			params[n].typ = o.types[n]
		}
	}
	o.outs = o.types
	if m.take("attributes") {
		if err := m.want("{"); err != nil {
			return err
		}
		if err := m.more(o); err != nil {
			return err
		}
	}
	for _, word := range []string{"cond", "do"} {
		if err := m.want(word); err != nil {
			return err
		}
		r, err := m.region()
		if err != nil {
			return err
		}
		r.params = params
		o.regions = append(o.regions, r)
	}
	return m.loc()
}

// rest reads an operation in its own form, after its name.
func (m *module) rest(o *operation) error {
	o.attrs = map[string]attr{}
	for open := 0; ; {
		line := m.blank()
		if m.at == len(m.b) {
			return nil
		}
		c := m.b[m.at]
		if open == 0 && (c == '}' || line && m.begins(c)) {
			return nil
		}
		if c == ':' && open == 0 {
			m.at++
			return m.signed(o)
		}
		var err error
		switch c {
		case ',', '=', '|', ':':
			m.at++
		case '(':
			if strings.HasPrefix(o.name, "sdy.") && m.paramsFollow() {
				err = m.ownBody(o)
				break
			}
			open++
			m.at++
		case ')':
			if open--; open < 0 {
				return m.fail(m.at, "\")\" closes nothing")
			}
			m.at++
		case '%':
			err = m.operand(o)
		case '{':
			m.at++
			err = m.more(o)
		default:
			err = m.piece(o, c)
		}
		if err != nil {
			return err
		}
	}
}

// ownBody reads (arguments) { body } of an operation of sdy.
func (m *module) ownBody(o *operation) error {
	params, err := m.params()
	if err != nil {
		return err
	}
	r, err := m.region()
	r.params = params
	o.regions = append(o.regions, r)
	return err
}

// piece reads an attribute or a word of an operation in its own form.
func (m *module) piece(o *operation, c byte) error {
	switch {
	case m.has("<{"):
		m.at += 2
		if err := m.more(o); err != nil {
			return err
		}
		return m.want(">")
	case m.has("->"):
		m.at += 2
		return nil
	case strings.IndexByte("\"@#[<-", c) >= 0, digit(c):
		a, err := m.attribute()
		o.loose = append(o.loose, a)
		return err
	case m.has("loc("):
		return m.loc()
	case letter(c):
		return m.named(o)
	}
	return m.fail(m.at, "%s in %s", m.found(), o.name)
}

// begins reports whether a new statement begins in this line.
func (m *module) begins(c byte) bool {
	at := m.at
	defer func() { m.at = at }()
	switch {
	case c == '%':
		if _, err := m.value(); err != nil {
			return false
		}
		m.blank()
		if m.has("=") || m.has(":") {
			return true
		}
		return m.has(",") && m.listOfResults()
	case c == '"' || c == '^':
		return true
	case letter(c):
		id := m.ident()
		return strings.Contains(id, ".") || id == "return" || id == "call" || id == "func" || id == "module"
	}
	return false
}

// listOfResults reports whether names with commas end with =.
func (m *module) listOfResults() bool {
	for m.take(",") {
		if m.peek() != '%' {
			return false
		}
		if _, err := m.value(); err != nil {
			return false
		}
	}
	m.blank()
	return m.has("=") || m.has(":")
}

// paramsFollow reports whether (%name: follows.
func (m *module) paramsFollow() bool {
	at := m.at
	defer func() { m.at = at }()
	m.at++
	if m.peek() == ')' {
		m.at++
		return m.peek() == '{'
	}
	if m.peek() != '%' {
		return false
	}
	if _, err := m.value(); err != nil {
		return false
	}
	return m.peek() == ':'
}

// named reads key = attribute, an attribute such as dense<...>, or a word.
func (m *module) named(o *operation) error {
	start := m.at
	key := m.ident()
	switch {
	case key == "dense" || key == "dense_resource" || key == "array":
		m.at = start
		a, err := m.attribute()
		o.loose = append(o.loose, a)
		return err
	case m.peek() == '=' && !m.has("=="):
		m.at++
	default:
		o.words = append(o.words, key)
		return nil
	}
	if m.peek() == '%' { // an operand with a name
		return m.operand(o)
	}
	m.bare = true
	a, err := m.attribute()
	m.bare = false
	if err != nil {
		return err
	}
	// batching_dims = [0] x [0]; dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0]
	for m.peek() == 'x' || m.has("->") {
		if m.b[m.at] == 'x' {
			m.at++
			if p := m.peek(); p != '[' {
				return m.fail(m.at, "%s (want a list)", m.found())
			}
		} else {
			m.at += 2
		}
		b, err := m.attribute()
		if err != nil {
			return err
		}
		if len(a.dict) == 0 {
			a = attr{at: a.at, set: true, dict: map[string]attr{"0": a}}
		}
		a.dict[string('0'+byte(len(a.dict)))] = b
	}
	if key == "use_global_device_ids" || len(o.attrs) > 256 {
		return nil
	}
	o.attrs[key] = a
	return nil
}

// signed reads the types of an operation, and the regions that follow them.
func (m *module) signed(o *operation) error {
	if err := m.typeList(o); err != nil {
		return err
	}
	if err := m.loc(); err != nil {
		return err
	}
	at := m.at
	if m.peek() == 'r' && m.ident() == "reducer" {
		var params []param
		for m.peek() == '(' {
			list, err := m.params()
			if err != nil {
				return err
			}
			params = append(params, list...)
		}
		r, err := m.region()
		if err != nil {
			return err
		}
		r.params = params
		o.regions = append(o.regions, r)
		return m.loc()
	}
	m.at = at
	return nil
}

// typeList reads (types) -> types, or types.
func (m *module) typeList(o *operation) error {
	for {
		t, err := m.typ()
		if err != nil {
			return err
		}
		if t.in != nil || t.out != nil {
			o.types, o.outs, o.arrow = t.in, t.out, true
			return nil
		}
		o.types = append(o.types, t)
		if !m.take(",") {
			break
		}
	}
	if m.take("->") { // type -> type, without brackets
		o.arrow = true
		if m.peek() == '(' {
			var err error
			o.outs, err = m.types()
			return err
		}
		t, err := m.typ()
		o.outs = []typ{t}
		return err
	}
	return nil
}
