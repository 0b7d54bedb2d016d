package cause

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// A Group is layers that differ by the number of their repetition alone.
type Group struct {
	Name   string // without the numbers: "attention" of L0.attention, L1.attention, ...
	Like   string // "L*.attention"; of a single layer its name
	Layers int
	Weight float64
}

// likeOf is a name with a star for each of its numbers.
func likeOf(name string) string {
	out := make([]byte, 0, len(name))
	for i := range len(name) {
		if c := name[i]; c < '0' || c > '9' {
			out = append(out, c)
		} else if i == 0 || name[i-1] < '0' || name[i-1] > '9' {
			out = append(out, '*')
		}
	}
	return string(out)
}

// Groups sorts layers with weights into groups, the heaviest first. Layers of equal names are
// one layer.
func Groups(layers iter.Seq2[string, float64]) []Group {
	var out []Group
	at, seen := map[string]int{}, map[string]int{} // of patterns, of names
	for name, weight := range layers {
		k, ok := seen[name]
		if !ok {
			like := likeOf(name)
			if k, ok = at[like]; !ok {
				k = len(out)
				at[like] = k
				out = append(out, Group{Name: name, Like: like})
			}
			seen[name] = k
			out[k].Layers++
		}
		out[k].Weight += weight
	}
	for i := range out {
		g := &out[i]
		if g.Layers == 1 {
			g.Like = g.Name
		} else {
			g.Name = stem(g.Like)
		}
	}
	slices.SortStableFunc(out, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), strings.Compare(a.Like, b.Like))
	})
	return out
}

// stem is the parts of a pattern that have no numbers: between dots where there are some, else
// between underscores; of one without such parts, its letters.
func stem(like string) string {
	for _, cut := range []string{".", "._ "} {
		parts := strings.FieldsFunc(like, func(r rune) bool { return strings.ContainsRune(cut, r) })
		parts = slices.DeleteFunc(parts, func(p string) bool { return strings.Contains(p, "*") })
		if len(parts) > 0 {
			return strings.Join(parts, cut[:1])
		}
	}
	return strings.Trim(strings.ReplaceAll(like, "*", ""), "._ ")
}
