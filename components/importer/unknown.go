package importer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/configs"
)

// Also names keys that the tool knows and that the table does not have one by one. They are for
// the search of a nearest name.
func (r *Reader) Also(keys ...string) { r.also = append(r.also, keys...) }

// Stranger notes an unknown key that is no setting, such as an attribute in a tree that another
// package reads.
func (r *Reader) Stranger(place, key, nearest string) {
	r.strangers = append(r.strangers, Left{Key: key, Place: place, Nearest: nearest})
}

// unknown lists the keys that the tool does not know. It adds an error for each where the tool ends
// with one: at any unknown key, or because a key that it needs is missing and was meant.
func (r *Reader) unknown() []Left {
	out := slices.Clone(r.strangers)
	for _, name := range r.order {
		v := r.settings[name]
		if _, known := r.keys[name]; known || r.used[name] {
			continue
		}
		if _, ok := r.group(name); ok {
			continue
		}
		near := r.nearest(name)
		switch k := r.keys[r.name(near)]; {
		case r.format.Strict:
			v.Fail("unknown key%s; %s", didYouMean(near), r.format.Unknown)
		case k.Needed && !r.Has(near):
			v.Fail("unknown key%s; %s ends with an error, as %s is missing", didYouMean(near), r.tool, near)
		}
		out = append(out, Left{Key: v.Key, Value: v.Text, Place: v.Place, Nearest: near})
	}
	return out
}

func didYouMean(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", name)
}

// nearest is the known key that looks most like an unknown one: of the same group, else of the same
// name in a group that looks like its own.
func (r *Reader) nearest(name string) string {
	group, last := split(name)
	var names, wholes []string // names of the same group, keys of the same name
	for _, key := range slices.Concat(slices.Sorted(maps.Keys(r.keys)), r.also) {
		if k, ok := r.keys[key]; ok {
			key = k.Name // not in lower case
		}
		switch g, l := split(key); {
		case l == "*":
		case r.name(g) == group:
			names = append(names, l)
		case r.name(l) == last:
			wholes = append(wholes, key)
		}
	}
	if near := configs.Nearest(last, names); near != "" {
		return strings.TrimPrefix(group+"."+near, ".")
	}
	return configs.Nearest(name, wholes)
}

// split is the group of a key and its name in it.
func split(key string) (group, name string) {
	at := strings.LastIndexByte(key, '.')
	return key[:max(at, 0)], key[at+1:]
}
