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
	if len(out) == 0 && more {
		out = parameters(path)
	}
	return out
}

// parameters returns the keys of what the key before the last dot chooses by name: mixed of
// Serve.rules.mixed is a key of the rules that have it. Serve.rules.name is Serve.rules itself.
func parameters(path string) (out []KeyOf) {
	dot := strings.LastIndexByte(path, '.')
	seen := map[string]bool{}
	for _, chooser := range FindKey(path[:dot]) {
		if path[dot+1:] == "name" && len(chooser.Names) > 0 {
			out = append(out, chooser)
			continue
		}
		for _, s := range All() {
			if !s.has(chooser.Names) {
				continue
			}
			for _, it := range s.Items {
				for _, k := range it.Keys {
					if k.Path == path[dot+1:] && !seen[s.What+it.Name] {
						seen[s.What+it.Name] = true
						out = append(out, KeyOf{it.Name, s.What, k})
					}
				}
			}
		}
	}
	return out
}

// has reports whether names are the items of s.
func (s Section) has(names []string) bool {
	own := make([]string, len(s.Items))
	for i, it := range s.Items {
		own[i] = it.Name
	}
	return len(names) > 0 && slices.Equal(slices.Sorted(slices.Values(own)), slices.Sorted(slices.Values(names)))
}

// KeyNames lists the paths of all keys, each once, sorted.
func KeyNames() (out []string) {
	for _, s := range All() {
		for _, it := range s.Items {
			for _, k := range it.Keys {
				if s.What == "section" {
					k.Path = it.Name + "." + k.Path
				}
				out = append(out, k.Path)
			}
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
