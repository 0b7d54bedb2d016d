package configs

import (
	"slices"
	"strings"
)

// checkEffect complains about a preset none of whose keys takes effect, because
// the node (own) says them all itself. A preset may be overridden as a whole by
// what comes after it: by another file than the one that names it, if that is not
// the file that was asked for, or by --set.
func (d *Document) checkEffect(p Value, name string, preset, own *node, errs *Errors) {
	var over []*node
	keys, effect := overriding(preset, own, &over)
	if effect || len(over) == 0 {
		return
	}
	file := p.Pos().File
	main := len(d.Files) > 0 && file == d.Files[0]
	for _, o := range over {
		switch f := o.pos.File; {
		case file == SetFile, f == file, main && f != SetFile:
		default:
			return
		}
	}
	errs.Add(p.Errorf(nil, "preset %q has no effect: the node itself sets all that it would (%s)", name, strings.Join(keys, ", ")))
}

// overriding collects the values that replace those of a preset, and the names of
// their keys; effect tells that a value of the preset stands.
func overriding(preset, own *node, over *[]*node) (keys []string, effect bool) {
	for _, e := range preset.entries {
		o := own.get(e.key)
		switch {
		case o == nil:
			return nil, true
		case o.kind == Map && e.val.kind == Map && sameName(o, e.val):
			inner, effect := overriding(e.val, o, over)
			if effect {
				return nil, true
			}
			for _, k := range inner {
				keys = append(keys, e.key+"."+k)
			}
			continue
		case o.kind == List && e.val.kind == List && named(o, idKey(e.key)) && named(e.val, idKey(e.key)):
			id := idKey(e.key)
			for _, item := range e.val.items {
				known := func(x *node) bool { return x.get(id).text == item.get(id).text }
				if !slices.ContainsFunc(o.items, known) {
					return nil, true
				}
			}
		}
		keys = append(keys, e.key)
		*over = append(*over, o)
	}
	return keys, false
}

// sameName reports whether two mappings merge: {name: mesh} replaces {name: ring}.
func sameName(a, b *node) bool {
	x, y := a.get("name"), b.get("name")
	return x == nil || y == nil || x.text == y.text
}
