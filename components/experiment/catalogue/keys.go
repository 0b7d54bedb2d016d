package catalogue

import (
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
)

// A KeyOf is one key of an item of the catalogue, or of a section of the language.
type KeyOf struct {
	Item string // systolic/tile, workload
	What string // kind, section
	schema.Key
}

// FindKey returns the keys that a --set path may mean. Core.sram.ifmap matches the key sram.ifmap
// of every kind, workload.batch the key batch of that section, and batch every key of that name.
func FindKey(path string) (out []KeyOf) {
	first, rest, more := strings.Cut(path, ".")
	node := more && first != "" && first[0] >= 'A' && first[0] <= 'Z'
	add := func(what, item string, keys []schema.Key, want string) {
		for _, k := range keys {
			if k.Path == want {
				out = append(out, KeyOf{item, what, k})
			}
		}
	}
	for _, s := range All() {
		for _, it := range s.Items {
			switch {
			case node && s.What == "kind":
				add(s.What, it.Name, it.Keys, rest)
			case !node:
				add(s.What, it.Name, it.Keys, path)
				if more && (it.Name == first || strings.HasPrefix(it.Name, first+"/")) {
					add(s.What, it.Name, it.Keys, rest)
				}
			}
		}
	}
	for _, s := range languageSections() {
		keys := schema.Keys(s.Spec)
		if more && first == s.Name {
			add("section", s.Name, keys, rest)
		} else if !node {
			add("section", s.Name, keys, path)
		}
	}
	return out
}

// KeyNames lists the paths of all keys, each once, sorted.
func KeyNames() (out []string) {
	for _, s := range All() {
		for _, it := range s.Items {
			for _, k := range it.Keys {
				out = append(out, k.Path)
			}
		}
	}
	for _, s := range languageSections() {
		for _, k := range schema.Keys(s.Spec) {
			out = append(out, s.Name+"."+k.Path)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Paths lists the --set paths of the nodes and sections of the configuration root, for completion.
func Paths(root configs.Value) (out []string) {
	for _, n := range root.Get("nodes").Items() {
		seen := map[string]bool{}
		for _, s := range All() {
			for _, it := range s.Items {
				base, _, _ := strings.Cut(it.Name, "/")
				if s.What != "kind" || base != n.Get("kind").Text() {
					continue
				}
				for _, k := range it.Keys {
					if p := n.Get("name").Text() + "." + k.Path; !seen[p] {
						seen[p] = true
						out = append(out, p)
					}
				}
			}
		}
	}
	for _, s := range languageSections() {
		if root.Get(s.Name).Exists() || s.Name == "simulation" {
			for _, k := range schema.Keys(s.Spec) {
				out = append(out, s.Name+"."+k.Path)
			}
		}
	}
	return append(out, root.Get("params").Keys()...)
}
