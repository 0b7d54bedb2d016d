package system

import (
	"slices"

	"github.com/causeway-sim/causeway/configs"
)

// factory finds the registered kind and fidelity of an element.
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
	if fid.Kind() == configs.Null {
		b.errs.Add(fid.Errorf(names(levels), "null takes away what a file says, and none says a fidelity here"))
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
