package system

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
)

// effective is v without the keys that only other fidelities have, each of
// which is reported: a key without effect is a mistake.
func (b *build) effective(v Value, f Factory) Value {
	levels := Fidelities(f.Kind)
	out := v
	for _, key := range v.Keys() {
		switch {
		case slices.Contains(nodeKeys, key):
		case !slices.Contains(f.Keys, key):
			has := func(o Factory) bool { return slices.Contains(o.Keys, key) }
			if b.withoutEffect(v, key, f, levels, has) {
				out = out.Without(key)
			}
		case len(levels) > 1 && v.Get(key).Kind() == configs.Map:
			in := v.Get(key)
			if x := b.effectiveIn(in, key+".", f, levels); x != in {
				out = out.With(key, x)
			}
		}
	}
	return out
}

// effectiveIn is effective for a mapping of a node, whose keys have paths that start
// with prefix. Mappings that read themselves are left to themselves.
func (b *build) effectiveIn(v Value, prefix string, f Factory, levels []Factory) Value {
	own := b.keyPaths(f)
	if !slices.ContainsFunc(own, func(p string) bool { return strings.HasPrefix(p, prefix) }) {
		return v
	}
	out := v
	for _, key := range v.Keys() {
		path := prefix + key
		if slices.Contains(own, path) {
			in := v.Get(key)
			if in.Kind() != configs.Map {
				continue
			}
			if x := b.effectiveIn(in, path+".", f, levels); x != in {
				out = out.With(key, x)
			}
			continue
		}
		has := func(o Factory) bool { return slices.Contains(b.keyPaths(o), path) }
		if b.withoutEffect(v, key, f, levels, has) {
			out = out.Without(key)
		}
	}
	return out
}

// withoutEffect reports a key of v that f does not have where other fidelities do. A
// key that none has is left to Decode, which knows better what was meant.
func (b *build) withoutEffect(v Value, key string, f Factory, levels []Factory, has func(Factory) bool) bool {
	var users []string
	for _, o := range levels {
		if has(o) {
			users = append(users, o.Fidelity)
		}
	}
	if len(users) == 0 {
		return false
	}
	b.errs.Add(&configs.Error{
		Pos: v.KeyPos(key), Path: v.Get(key).Path(),
		Msg: "has no effect at fidelity " + f.Fidelity + " (used by: " + list(users) + ")",
	})
	return true
}

// keyPaths lists the keys of a kind with those of the mappings in them: router.vcs.
func (b *build) keyPaths(f Factory) []string {
	e, _ := Kinds.Entry(kindName(f.Kind, f.Fidelity))
	t := reflect.TypeOf(e.Spec)
	if p, ok := pathsOf.Load(t); ok {
		return p.([]string)
	}
	out := []string{}
	for _, k := range schema.Keys(e.Spec) {
		out = append(out, k.Path)
	}
	pathsOf.Store(t, out)
	return out
}

// pathsOf remembers the paths of the keys of a Spec, by its type: finding them by
// reflection costs more than all else that building a small system does.
var pathsOf sync.Map
