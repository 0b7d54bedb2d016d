package stablehlo

import "strings"

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
