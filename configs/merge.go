package configs

import "slices"

// With returns v with the value of key replaced by x.
func (v Value) With(key string, x Value) Value {
	return Value{n: v.n.with(key, x.n, x.Pos()), t: v.t}
}

// Without returns v without key.
func (v Value) Without(key string) Value { return Value{n: v.n.without(key), t: v.t} }

// withoutKeys is v without the given keys, which other code reads.
func (v Value) withoutKeys(keys []string) Value {
	if v.Kind() != Map || len(keys) == 0 {
		return v
	}
	out := *v.n
	out.entries = slices.DeleteFunc(slices.Clone(v.n.entries), func(e entry) bool { return slices.Contains(keys, e.key) })
	return Value{n: &out, t: v.t}
}

// Merge returns v overridden by over: mappings merge by key, lists of named items by name, other
// values are replaced. A null in over removes the key, {name: X, remove: true} removes the item X.
// A mapping of another name replaces the old one: {name: mesh} inherits no keys of {name:
// dragonfly}. A node of the same name but another kind also replaces it: {name: Mem, kind:
// cxl_type3} inherits nothing of a memory.
func (v Value) Merge(over Value) Value {
	n := merge(v.n, over.n, v.label())
	if n != nil {
		n = prune(n)
	}
	return Value{n: n, t: v.t}
}

func (n *node) with(key string, x *node, pos Pos) *node {
	out := &node{kind: Map, pos: pos}
	if n != nil {
		out.pos = n.pos
		if n.kind == Map {
			out.entries = slices.Clone(n.entries)
		}
	}
	for i := range out.entries {
		if out.entries[i].key == key {
			out.entries[i] = entry{key, pos, x}
			return out
		}
	}
	out.entries = append(out.entries, entry{key, pos, x})
	return out
}

func (n *node) without(key string) *node {
	i := n.find(key)
	if i < 0 {
		return n
	}
	out := *n
	out.entries = slices.Delete(slices.Clone(n.entries), i, i+1)
	return &out
}

// merge overrides base by over; list is the key both stand under.
func merge(base, over *node, list string) *node {
	switch {
	case over == nil:
		return base
	case base == nil || over.bad || base.bad:
		return over
	case over.kind == Null && !over.gone:
		out := *over
		out.gone = true
		return &out
	case base.kind != over.kind:
		return over
	case over.kind == Map:
		return mergeMaps(base, over)
	case over.kind == List && list == elementsKey:
		out := *over
		out.items = append(slices.Clone(base.items), over.items...)
		return &out
	case over.kind == List && named(base, idKey(list)) && named(over, idKey(list)):
		return mergeNamed(base, over, idKey(list))
	}
	return over
}

func mergeMaps(base, over *node) *node {
	if a, b := base.get("name"), over.get("name"); a != nil && b != nil && (a.text != b.text || otherKind(base, over)) {
		return over
	}
	out := *base
	out.pos = over.pos
	out.entries = slices.Clone(base.entries)
	for _, e := range over.entries {
		if i := out.find(e.key); i >= 0 {
			out.entries[i] = entry{e.key, e.pos, merge(out.entries[i].val, e.val, e.key)}
		} else {
			out.entries = append(out.entries, e)
		}
	}
	return &out
}

// otherKind reports whether two nodes are of different kinds, or one is of a kind and the
// other of a group: then the keys of one mean nothing to the other.
func otherKind(base, over *node) bool {
	was, is := base.get("kind"), over.get("kind")
	switch {
	case was != nil && is != nil:
		return was.kind == String && is.kind == String && was.text != is.text
	case was != nil:
		return over.get("group") != nil
	}
	return is != nil && base.get("group") != nil
}

func mergeNamed(base, over *node, id string) *node {
	out := *over
	out.items = slices.Clone(base.items)
	at := make(map[string]int, len(base.items))
	for i, x := range base.items {
		at[x.get(id).text] = i
	}
	for _, x := range over.items {
		name := x.get(id).text
		i, known := at[name]
		switch {
		case removes(x) && known:
			out.items[i] = nil
		case removes(x):
		case known:
			out.items[i] = merge(out.items[i], x, "")
		default:
			at[name] = len(out.items)
			out.items = append(out.items, x)
		}
	}
	out.items = slices.DeleteFunc(out.items, func(x *node) bool { return x == nil })
	return &out
}

// named reports whether all items are mappings that have a name.
func named(n *node, id string) bool {
	return !slices.ContainsFunc(n.items, func(x *node) bool {
		name := x.get(id)
		return name == nil || name.kind != String
	})
}

func removes(n *node) bool {
	r := n.get("remove")
	return r != nil && r.kind == Bool && r.text == "true"
}

// prune removes the keys deleted by a null, and the remove: true of items that did not exist. A
// null that deleted nothing stays, and Decode reports it, because it is usually an error.
// Overrides of elements and groups stay until these are made.
func prune(n *node) *node {
	switch n.kind {
	case List:
		if slices.ContainsFunc(n.items, removes) {
			out := *n
			out.items = slices.DeleteFunc(slices.Clone(n.items), removes)
			n = &out
		}
		return n.mapped(func(_ string, x *node) *node { return prune(x) })
	case Map:
		isGone := func(e entry) bool { return e.val.gone }
		if slices.ContainsFunc(n.entries, isGone) {
			out := *n
			out.entries = slices.DeleteFunc(slices.Clone(n.entries), isGone)
			n = &out
		}
		return n.mapped(func(key string, x *node) *node {
			if key == elementsKey || key == overrideKey {
				return x
			}
			return prune(x)
		})
	}
	return n
}

// mapped is n with f applied to its children (key is "" in a list); n itself
// if f changed none.
func (n *node) mapped(f func(key string, x *node) *node) *node {
	out := n
	own := func() {
		if out == n {
			c := *n
			c.entries, c.items = slices.Clone(n.entries), slices.Clone(n.items)
			out = &c
		}
	}
	for i, e := range n.entries {
		if x := f(e.key, e.val); x != e.val {
			own()
			out.entries[i].val = x
		}
	}
	for i, e := range n.items {
		if x := f("", e); x != e {
			own()
			out.items[i] = x
		}
	}
	return out
}

// mapped is the node of v with f applied to its children, each with its path.
// f may be spared scalars that skip says do not concern it.
func (v Value) mapped(skip func(*node) bool, f func(key string, x Value) *node) *node {
	id, i := idKey(v.label()), -1
	return v.n.mapped(func(key string, n *node) *node {
		i++
		switch {
		case n.kind < List && skip(n):
			return n
		case v.n.kind == List:
			return f("", Value{n: n, t: v.itemTrail(id, i, n)})
		}
		return f(key, Value{n: n, t: &trail{up: v.t, in: v.n, label: key}})
	})
}

// count is the number of values in the tree, or more than most.
func (n *node) count(most int) int {
	c := 1
	for i := 0; i < len(n.entries) && c <= most; i++ {
		c += n.entries[i].val.count(most - c)
	}
	for i := 0; i < len(n.items) && c <= most; i++ {
		c += n.items[i].count(most - c)
	}
	return c
}

func always(*node) bool { return true }
