package configs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A scope gives the values of parameters to the texts that name them.
type scope struct {
	params map[string]*param
	names  []string
	local  map[string]bool // parameters of the current group: left open
	errs   *Errors
	filled *int // values filled in so far
}

// maxText bounds a text with parameters in it: ten lines that each double the
// one before make a long text.
const maxText = 1 << 16

type param struct {
	val   Value
	size  int
	state int // 0 raw, 1 being resolved, 2 resolved
}

// ParameterName is the pattern of names of parameters.
const ParameterName = `^([A-Z]|[a-z][a-z0-9_]*)$`

var isName = regexp.MustCompile(ParameterName)

func newScope(params Value, errs *Errors) *scope {
	s := &scope{params: map[string]*param{}, errs: errs, filled: new(int)}
	if params.Exists() && params.Kind() != Map {
		errs.Add(params.wrongKind(Map))
	}
	for _, key := range params.Keys() {
		if !isName.MatchString(key) {
			errs.Add(&Error{Pos: params.KeyPos(key), Path: params.Get(key).Path(), Msg: "a parameter's name is lower-case letters, digits and _, or one capital letter"})
		}
		s.params[key] = &param{val: params.Get(key)}
		s.names = append(s.names, key)
	}
	return s
}

// resolved is the params section with every reference filled in.
func (s *scope) resolved(n *node) *node {
	if n.kind != Map {
		return n
	}
	return n.mapped(func(key string, _ *node) *node { return s.param(key).n })
}

// param is the value of a parameter, which may name others.
func (s *scope) param(name string) Value {
	p := s.params[name]
	if p.state == 0 {
		p.state = 1
		p.val = Value{n: s.fill(p.val), t: p.val.t}
		p.size = p.val.n.count(maxNodes)
		p.state = 2
	}
	return p.val
}

// fill is v with all references replaced.
func (s *scope) fill(v Value) *node {
	switch v.Kind() {
	case String:
		if strings.IndexByte(v.n.text, '$') >= 0 {
			return s.text(v)
		}
	case List, Map:
		return v.mapped(func(n *node) bool { return strings.IndexByte(n.text, '$') < 0 },
			func(_ string, x Value) *node { return s.fill(x) })
	}
	return v.n
}

// reference is $name, ${name}, the escape $$, or a $ that is none of these.
var reference = regexp.MustCompile(`\$(?:\$|([A-Za-z_][A-Za-z0-9_]*)|\{([^}]*)\})?`)

// text fills in one text. A reference that is the whole text takes over the
// kind of the parameter, ${name} inside a longer one is replaced by its text.
func (s *scope) text(v Value) *node {
	if v.n.literal {
		return v.n
	}
	if m := reference.FindStringSubmatch(v.n.text); m[0] == v.n.text && m[0] != "$$" && m[0] != "$" {
		return s.whole(v, m[1]+m[2])
	}
	open, bad := false, false
	for _, m := range reference.FindAllStringSubmatch(v.n.text, -1) {
		open = open || s.local[m[2]]
	}
	var from *origin
	filled := reference.ReplaceAllStringFunc(v.n.text, func(ref string) string {
		m := reference.FindStringSubmatch(ref)
		name := m[2]
		switch {
		case ref == "$$" && open, s.local[name]:
			return ref
		case ref == "$$":
			return "$"
		case name == "":
			s.errs.Add(v.Errorf(nil, "a $ inside %q (write ${name} for a parameter, $$ for the sign)", v.n.text))
			bad = true
			return ""
		}
		x := s.lookup(v, name)
		if x == nil || x.kind == List || x.kind == Map || x.kind == Null {
			if x != nil {
				s.errs.Add(v.Errorf(nil, "$%s is %s, which fits into no text", name, x.kind))
			}
			bad = true
			return ""
		}
		from = &origin{name, x.source()}
		if open {
			return strings.ReplaceAll(x.text, "$", "$$")
		}
		return x.text
	})
	if len(filled) > maxText && !bad {
		s.errs.Add(v.Errorf(nil, "parameters make a text of more than %d bytes", maxText))
		bad = true
	}
	if bad {
		return &node{pos: v.n.pos, bad: true}
	}
	return &node{kind: String, text: filled, pos: v.n.pos, from: from, literal: !open}
}

// whole is the value of the parameter name, which is all of the text v.
func (s *scope) whole(v Value, name string) *node {
	if s.local[name] {
		return v.n
	}
	x := s.lookup(v, name)
	if x == nil {
		return &node{pos: v.n.pos, bad: true}
	}
	if *s.filled += s.params[name].size; *s.filled > maxNodes {
		s.errs.Add(v.Errorf(nil, "parameters bring in more than %d values", maxNodes))
		return &node{pos: v.n.pos, bad: true}
	}
	out := *x
	out.pos, out.from = v.n.pos, &origin{name, x.source()}
	return &out
}

// source is the place that a value came from in the end.
func (n *node) source() Pos {
	if n.from != nil {
		return n.from.pos
	}
	return n.pos
}

// lookup is the value of the parameter that v names, nil after a complaint.
func (s *scope) lookup(v Value, name string) *node {
	p := s.params[name]
	switch {
	case p == nil && len(s.visible()) == 0:
		s.errs.Add(v.Errorf(nil, "no parameter %q: the configuration declares none", name))
		return nil
	case p == nil:
		s.errs.Add(withNearest(v.Errorf(s.visible(), "no parameter %q", name), name))
		return nil
	case p.state == 1:
		s.errs.Add(v.Errorf(nil, "parameter %q is made of itself", name))
		return nil
	}
	x := s.param(name)
	if x.n.bad {
		return nil
	}
	if x.Kind() == Null {
		s.errs.Add(v.Errorf(nil, "parameter %q has no value (its default is null): --set %s=...", name, name))
		return nil
	}
	return x.n
}

func (s *scope) visible() []string {
	names := slices.Clone(s.names)
	for name := range s.local {
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// groups fills in the groups. The defaults of a group's parameters see the
// parameters of the document; the names of the former stay open inside, until
// Instantiate knows their values.
func (s *scope) groups(groups Value) *node {
	if groups.Kind() != Map {
		return groups.n
	}
	return groups.n.mapped(func(name string, n *node) *node {
		g := groups.Get(name)
		in := *s
		in.local = map[string]bool{}
		for _, p := range g.Get("params").Keys() {
			in.local[p] = true
		}
		return n.mapped(func(key string, _ *node) *node {
			if key == "params" {
				return s.fill(g.Get(key))
			}
			return in.fill(g.Get(key))
		})
	})
}

// coerce gives x, as written in an override, the type of the default.
func coerce(def, x *node, raw, path string) (*node, error) {
	if def.kind == Null || def.kind == x.kind || refers(def) || refers(x) {
		return x, nil
	}
	out := *x
	switch {
	case def.kind == String && x.kind != List && x.kind != Map:
		out.kind, out.text = String, raw
		return &out, nil
	case def.kind == Float && x.kind == Int:
		f, _ := Value{n: x}.Float()
		out.kind, out.text = Float, printFloat(f)
		return &out, nil
	case def.kind == Int && x.kind == Float:
		if i, err := (Value{n: x}).Int(); err == nil {
			out.kind, out.text = Int, fmt.Sprint(i)
			return &out, nil
		}
	}
	return nil, &Error{Pos: x.pos, Path: path, Msg: fmt.Sprintf("%s is not %s, as the default %s is", Value{n: x}.shown(), def.kind, Value{n: def}.shown())}
}

// refers reports whether a text names a parameter, whose type is not known yet.
func refers(n *node) bool { return n.kind == String && strings.Contains(n.text, "$") }
