package configs

import "slices"

// Instantiate returns the content of the group that node instantiates, with parameters and presets
// filled in. Parameters have the defaults of the group, overridden by the params of the node. The
// override key of the node (also set by --set Chip.Core.rows=64) changes values inside. For one
// element of a counted node pass the result of Element.
//
// The result has the keys of the group (nodes, links, ports) without params.
func (d *Document) Instantiate(node Value) (Value, error) {
	var errs Errors
	all := d.Root.Get("groups")
	ref := node.Get("group")
	name, err := ref.String()
	if err != nil {
		return Value{}, Errors{err}
	}
	g := all.Get(name)
	if !g.Exists() {
		return Value{}, Errors{withNearest(ref.Errorf(all.Keys(), "no group %q", name), name)}
	}
	if g.Kind() != Map {
		return Value{}, Errors{g.wrongKind(Map)}
	}
	params, err := groupParams(g.Get("params"), node.Get("params"))
	errs.Add(err)
	s := newScope(params, &errs)
	out := Value{n: s.fill(g.Without("params")), t: g.t}
	out.n = d.applyOverride(out, node.Get(overrideKey), &errs)
	if nodes := out.Get("nodes"); nodes.Kind() == List {
		x := expander{d: d, errs: &errs, overridden: node.Get(overrideKey).Exists()}
		out.n = out.n.with("nodes", x.expand(nodes, nil), out.KeyPos("nodes"))
	}
	out.n = prune(out.n)
	checkNodes(out, &errs)
	return out, errs.Err()
}

// groupParams returns the parameters with which the node overrides the group's defaults.
func groupParams(defs, given Value) (Value, error) {
	var errs Errors
	if given.Exists() && given.Kind() != Map {
		return defs, given.wrongKind(Map)
	}
	for _, key := range given.Keys() {
		def, x := defs.Get(key), given.Get(key)
		if !def.Exists() {
			errs.Add(given.UnknownKey(key, defs.Keys()))
			continue
		}
		val, err := coerce(def.n, x.n, x.n.text, x.Path())
		if err != nil {
			errs.Add(err)
			continue
		}
		defs = defs.With(key, Value{n: val})
	}
	return defs, errs.Err()
}

// applyOverride merges what a node overrides into the nodes of its group.
func (d *Document) applyOverride(group, over Value, errs *Errors) *node {
	if !over.Exists() {
		return group.n
	}
	if over.Kind() != Map {
		errs.Add(over.wrongKind(Map))
		return group.n
	}
	nodes := group.Get("nodes")
	var names []string
	out := &node{kind: List, pos: nodes.Pos()}
	for _, n := range nodes.Items() {
		name := n.Get("name").Text()
		names = append(names, name)
		out.items = append(out.items, merge(n.n, over.n.get(name), ""))
	}
	for _, key := range over.Keys() {
		if !slices.Contains(names, key) {
			e := over.UnknownKey(key, names)
			e.Msg = "no such node in the group"
			errs.Add(e)
		}
	}
	return group.n.with("nodes", out, group.KeyPos("nodes"))
}
