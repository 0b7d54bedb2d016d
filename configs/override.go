package configs

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// override is one --set while it is carried out.
type override struct {
	path  string
	steps []step
	raw   string
	val   *node
	pos   Pos
}

// override carries out the n-th --set on the tree.
func (l *Loader) override(root *node, set string, n int) (*node, error) {
	o := override{pos: Pos{File: SetFile, Line: n}}
	fail := func(format string, args ...any) error {
		return &Error{Pos: o.pos, Path: o.path, Msg: fmt.Sprintf(format, args...)}
	}
	path, raw, ok := strings.Cut(set, "=")
	o.path, o.raw = strings.TrimSpace(path), strings.TrimSpace(raw)
	switch {
	case !ok:
		return nil, fail("%q is not of the form path=value", set)
	case o.raw == "":
		return nil, fail(`has no value (null takes the key away, "" is the empty text)`)
	}
	var err error
	if o.steps, err = parsePath(o.path); err != nil {
		o.path = ""
		return nil, fail("%s", err)
	}
	p := parser{file: SetFile, set: n, anchors: map[*TextNode]*node{}}
	o.val = p.value(o.raw)
	if err := p.errs.Err(); err != nil {
		for _, e := range err.(Errors) {
			if x, ok := errors.AsType[*Error](e); ok && x.Path == "" {
				x.Path = o.path
			}
		}
		return nil, err
	}
	return l.place(root, o)
}

// value reads the value of an override; most are plain words and numbers, which
// need no YAML reader.
func (p *parser) value(raw string) *node {
	plain := true
	for i := 0; i < len(raw) && plain; i++ {
		c := raw[i]
		plain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '/' || c == '.'
	}
	if !plain {
		return p.document([]byte(raw))
	}
	kind, text, err := classify(raw)
	if err != nil {
		return p.fail(p.start(), err.Error())
	}
	return &node{kind: kind, text: text, pos: p.start(), size: 1}
}

// place finds out what the path speaks of.
func (l *Loader) place(root *node, o override) (*node, error) {
	first := o.steps[0]
	if first.key == "nodes" && len(o.steps) > 1 && isNode(o.steps[1].key) {
		o.steps, first = o.steps[1:], o.steps[1]
	}
	switch {
	case len(o.steps) == 1 && !first.hasSel && len(first.key) == 1 && root.get("params").get(first.key) != nil:
		return o.setParam(root, first.key) // a parameter of one capital, such as a dimension
	case isNode(first.key):
		return o.setNode(root)
	case first.key == "params" && len(o.steps) == 2 && !o.steps[1].hasSel:
		return o.setParam(root, o.steps[1].key)
	case len(o.steps) == 1 && !first.hasSel && (root.get("params").get(first.key) != nil || !slices.Contains(l.opts.known(), first.key)):
		return o.setParam(root, first.key)
	case !slices.Contains(l.opts.known(), first.key) || first.key == "schema" || first.key == "extends" || first.key == "params":
		return nil, o.noSection(root, l.opts.known())
	}
	return o.set(root, o.steps, "")
}

func (o *override) errorf(want []string, format string, args ...any) *Error {
	return &Error{Pos: o.pos, Path: o.path, Msg: fmt.Sprintf(format, args...), Want: want}
}

// noSection complains about a path that starts with no section. A node's name in other
// letters, or one that is nearer than any section, is most likely meant to be that node.
func (o *override) noSection(root *node, known []string) *Error {
	word := o.steps[0].key
	want := slices.DeleteFunc(known, func(s string) bool { return s == "schema" || s == "extends" || s == "params" })
	e := withNearest(o.errorf(want, "no such section"), word)
	var nodes []string
	for _, n := range (Value{n: root}).Get("nodes").Items() {
		nodes = append(nodes, n.Get("name").Text())
	}
	if name := Nearest(word, nodes); name != "" && Nearest(word, []string{e.Nearest, name}) == name {
		e = withNearest(o.errorf(nodes, "no node %q", word), word)
		e.Nearest = name
	}
	return e
}

func (o *override) setParam(root *node, name string) (*node, error) {
	params := root.get("params")
	def := params.get(name)
	if def == nil {
		names := (Value{n: params}).Keys()
		if len(names) == 0 {
			return nil, o.errorf(nil, "no parameter %q: the configuration declares none", name)
		}
		return nil, withNearest(o.errorf(names, "no parameter %q", name), name)
	}
	val, err := coerce(def, o.val, o.raw, o.path)
	if err != nil {
		return nil, err
	}
	return root.with("params", params.with(name, val, o.pos), params.pos), nil
}

// setNode sets a key of a node of the list nodes.
func (o *override) setNode(root *node) (*node, error) {
	list := root.get("nodes")
	var names []string
	if list != nil {
		for i, n := range list.items {
			name := n.get("name")
			if name == nil || name.kind != String {
				continue
			}
			if name.text != o.steps[0].key {
				names = append(names, name.text)
				continue
			}
			x, err := o.inNode(n, o.steps)
			if err != nil {
				return nil, err
			}
			out := *list
			out.items = slices.Clone(list.items)
			out.items[i] = x
			return root.with("nodes", &out, list.pos), nil
		}
	}
	return nil, withNearest(o.errorf(names, "no node %q", o.steps[0].key), o.steps[0].key)
}

// inNode applies the steps after the first to node n. A selection changes the list of elements; a
// further capitalised name changes the inside of a group. A mapping for the node itself sets
// several keys.
func (o *override) inNode(n *node, steps []step) (*node, error) {
	if n == nil {
		n = &node{kind: Map, pos: o.pos}
	}
	if steps[0].hasSel {
		return o.inElement(n, steps)
	}
	rest := steps[1:]
	switch {
	case len(rest) == 0 && o.val.kind == Map && o.val.find("name") < 0:
		return merge(n, o.val, ""), nil
	case len(rest) == 0:
		return nil, o.errorf(nil, "names a whole node; name a key of it, as in %s.clock=1GHz", steps[0].key)
	case isNode(rest[0].key):
		inside := n.get(overrideKey)
		x, err := o.inNode(inside.get(rest[0].key), rest)
		if err != nil {
			return nil, err
		}
		return n.with(overrideKey, inside.with(rest[0].key, x, o.pos), o.pos), nil
	case rest[0].key == "name":
		return nil, o.errorf(nil, "a node keeps its name")
	}
	return o.set(n, rest, "")
}

// inElement sets a key of chosen elements of a counted node.
func (o *override) inElement(n *node, steps []step) (*node, error) {
	list := n.get(elementsKey)
	out := &node{kind: List, pos: o.pos}
	if list != nil {
		if list.kind != List {
			return nil, o.errorf(nil, "%s is %s, not a list", elementsKey, list.kind)
		}
		c := *list
		c.items = slices.Clone(list.items)
		out = &c
	}
	kind, text, err := classify(steps[0].sel)
	if err != nil || kind != Int {
		kind, text = String, steps[0].sel
	}
	// The last entry is extended if it speaks of the same elements; an earlier
	// one must not be, or the later override would not win.
	e := &node{kind: Map, pos: o.pos, entries: []entry{{"index", o.pos, &node{kind: kind, text: text, pos: o.pos}}}}
	last := len(out.items) - 1
	if last >= 0 {
		if at := out.items[last].get("index"); at != nil && at.text == text {
			e, out.items = out.items[last], out.items[:last]
		}
	}
	x, err := o.inNode(e, append([]step{{key: steps[0].key}}, steps[1:]...))
	if err != nil {
		return nil, err
	}
	out.items = append(out.items, x)
	return n.with(elementsKey, out, o.pos), nil
}

// set puts the value at the end of the steps, making mappings on the way. list
// is the key that n stands under.
func (o *override) set(n *node, steps []step, list string) (*node, error) {
	if len(steps) == 0 {
		return o.val, nil
	}
	s := steps[0]
	switch {
	case n != nil && n.kind == List:
		return o.setItem(n, steps, list)
	case n != nil && n.kind != Map && n.kind != Null:
		return nil, o.errorf(nil, "%s has no key %q: it is %s, not a mapping", n.shown(), s.key, n.kind)
	}
	if s.hasSel {
		x, err := o.setItem(n.get(s.key), append([]step{{key: "", sel: s.sel}}, steps[1:]...), s.key)
		if err != nil {
			return nil, err
		}
		return n.with(s.key, x, o.pos), nil
	}
	x, err := o.set(n.get(s.key), steps[1:], s.key)
	if err != nil {
		return nil, err
	}
	if x.kind == Null && len(steps) == 1 {
		x = merge(n.get(s.key), x, "")
	}
	return n.with(s.key, x, o.pos), nil
}

// setItem goes into an item of a list, by name or by index.
func (o *override) setItem(n *node, steps []step, list string) (*node, error) {
	if n == nil || n.kind != List {
		return nil, o.errorf(nil, "%s is no list", list)
	}
	s := steps[0]
	at, id := -1, idKey(list)
	var names []string
	for i, x := range n.items {
		if name := x.get(id); name != nil && name.kind == String {
			names = append(names, name.text)
			if s.key != "" && name.text == s.key {
				at = i
			}
		}
	}
	if s.key == "" {
		i, err := strconv.Atoi(s.sel)
		if err != nil || i >= len(n.items) {
			return nil, o.errorf(nil, "no item [%s] in %s, which has %d", s.sel, list, len(n.items))
		}
		at = i
	}
	if at < 0 {
		return nil, withNearest(o.errorf(names, "no item %q in %s", s.key, list), s.key)
	}
	x, err := o.set(n.items[at], steps[1:], "")
	if err != nil {
		return nil, err
	}
	out := *n
	out.items = slices.Clone(n.items)
	out.items[at] = x
	return &out, nil
}

func (n *node) shown() string { return Value{n: n}.shown() }
