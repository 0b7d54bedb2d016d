package system

import (
	"slices"

	"github.com/causeway-sim/causeway/configs"
)

// factory finds the registration that an element asks for.
func (b *build) factory(el *element) (Factory, bool) {
	k := el.value.Get("kind")
	if !k.Exists() {
		b.errs.Add(k.Errorf(append(KindNames(), "group: NAME"), "a node has no kind"))
		return Factory{}, false
	}
	kind, err := k.String()
	if err != nil {
		b.errs.Add(err)
		return Factory{}, false
	}
	levels := Fidelities(kind)
	if len(levels) == 0 {
		b.errs.Add(k.Errorf(KindNames(), "unknown kind %q", kind))
		return Factory{}, false
	}
	fid := el.value.Get("fidelity")
	if !fid.Exists() {
		if i := slices.IndexFunc(levels, func(f Factory) bool { return f.Default }); i >= 0 {
			return levels[i], true
		}
		b.errs.Add(fid.Errorf(names(levels), "is missing: kind %s has no default", kind))
		return Factory{}, false
	}
	want, err := fid.String()
	if err != nil {
		b.errs.Add(err)
		return Factory{}, false
	}
	for _, f := range levels {
		if f.Fidelity == want && want != "" {
			return f, true
		}
	}
	if names := names(levels); len(names) > 0 {
		b.errs.Add(fid.Errorf(names, "kind %s has no fidelity %q", kind, want))
	} else {
		b.errs.Add(&configs.Error{Pos: el.value.KeyPos("fidelity"), Path: fid.Path(), Msg: "kind " + kind + " has one level only: leave fidelity out"})
	}
	return Factory{}, false
}

func names(levels []Factory) []string {
	var out []string
	for _, f := range levels {
		if f.Fidelity != "" {
			out = append(out, f.Fidelity)
		}
	}
	return out
}

// effective is v without the keys that only other fidelities have, each of
// which is reported: a key without effect is a mistake.
func (b *build) effective(v Value, f Factory) Value {
	out := v
	for _, key := range v.Keys() {
		if slices.Contains(f.Keys, key) || slices.Contains(nodeKeys, key) {
			continue
		}
		var users []string
		for _, o := range Fidelities(f.Kind) {
			if slices.Contains(o.Keys, key) {
				users = append(users, o.Fidelity)
			}
		}
		if len(users) == 0 {
			continue // Decode knows better what was meant
		}
		b.errs.Add(&configs.Error{
			Pos: v.KeyPos(key), Path: v.Get(key).Path(),
			Msg: "has no effect at fidelity " + f.Fidelity + " (used by: " + list(users) + ")",
		})
		out = out.Without(key)
	}
	return out
}
