package configs

import "strings"

// What a file extends may be the choice of a parameter, extends:
// machines/$machine.yaml. It is looked up before overrides are carried out, which
// takes parameters alone: the file's own, then those of the files that extend it,
// then overrides.

// paramsOf is what overrides say about parameters, nil if they say nothing. Faults
// are left to where overrides are carried out.
func paramsOf(set []string) *node {
	var out *node
	for i, s := range set {
		path, raw, ok := strings.Cut(s, "=")
		name := strings.TrimPrefix(strings.TrimSpace(path), "params.")
		raw = strings.TrimSpace(raw)
		if !ok || raw == "" || !isName.MatchString(name) {
			continue
		}
		p := parser{file: SetFile, set: i + 1, anchors: map[*TextNode]*node{}}
		x := p.value(raw)
		if p.errs.Err() != nil || x == nil || x.kind == Null {
			continue
		}
		if out == nil {
			out = &node{kind: Map, pos: x.pos}
		}
		out = out.with(name, x, x.pos)
	}
	return out
}

// choose fills the parameters into an entry of extends; chosen tells whether it
// has some.
func choose(e Value, params *node, errs *Errors) (out Value, chosen bool) {
	if e.Kind() != String || !strings.Contains(e.Text(), "$") {
		return e, false
	}
	s := newScope(Value{n: params}, errs)
	return Value{n: s.fill(e), t: e.t}, true
}
