package configs

import (
	"maps"
	"regexp"
	"slices"
)

// A stray is a parameter that a file declares, besides those of the files that it extends, and
// does not use itself. It is an error unless another file uses it.
type unusedParam struct {
	value Value // of the parameter
	pos   Pos   // of its name
	name  string
	have  []string // the parameters of what the file extends
}

// straysOf are the parameters of a file that extends base.
func straysOf(v Value, base *node) (out []unusedParam) {
	params := v.Get("params")
	if base == nil || params.Kind() != Map {
		return nil
	}
	have := (Value{n: base.get("params")}).Keys()
	used := map[string]bool{}
	references(v.n, used)
	for _, name := range params.Keys() {
		if !used[name] && !slices.Contains(have, name) {
			out = append(out, unusedParam{params.Get(name), params.KeyPos(name), name, have})
		}
	}
	return out
}

// refuseStrays refuses those that nothing in the merged files uses. Where a parameter chooses
// what is extended, another choice may use them.
func refuseStrays(src *source) error {
	if len(src.strays) == 0 || src.chosen {
		return nil
	}
	var errs Errors
	used := maps.Clone(src.asked)
	references(src.root, used)
	for _, s := range src.strays {
		if used[s.name] {
			continue
		}
		e := s.value.Errorf(s.have, "no parameter %q in what this file extends, and nothing uses it", s.name)
		e.Pos = s.pos
		errs.Add(withNearest(e, s.name))
	}
	return errs.Err()
}

// nameWithin is a name within a reference.
var nameWithin = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// references collects the parameters that texts below n name.
func references(n *node, into map[string]bool) {
	if n == nil {
		return
	}
	if !n.literal {
		for _, m := range reference.FindAllStringSubmatch(n.text, -1) {
			for _, name := range nameWithin.FindAllString(m[1]+" "+m[2], -1) {
				into[name] = true
			}
		}
	}
	for _, x := range n.items {
		references(x, into)
	}
	for _, e := range n.entries {
		references(e.val, into)
	}
}
