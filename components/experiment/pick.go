package experiment

import (
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// pick returns the workers that a pattern of the configuration names.
func (a *assembly) pick(at configs.Value, names string) ([]int, error) {
	if names == "" {
		if len(a.workers) == 0 {
			return nil, at.Errorf(nil, "there is a workload, but no node that can carry it out (%s)", a.noWorker())
		}
		out := make([]int, len(a.workers))
		for i := range out {
			out[i] = i
		}
		return out, nil
	}
	var out []int
	for name := range strings.SplitSeq(names, ",") {
		name = strings.TrimSpace(name)
		nodes := a.named(name)
		if len(nodes) == 0 {
			var have []string
			for _, w := range a.workers {
				have = append(have, withoutIndices(w.Name()))
			}
			slices.Sort(have)
			return nil, at.Errorf(slices.Compact(have), "no node %q", name)
		}
		for _, n := range nodes {
			i := slices.IndexFunc(a.workers, func(w worker) bool { return w.Name() == n.Name() })
			if i < 0 {
				return nil, at.Errorf(nil, "%s cannot carry out a workload", n.Name())
			}
			if slices.Contains(out, i) {
				return nil, at.Errorf(nil, "%s is named twice", n.Name())
			}
			out = append(out, i)
		}
	}
	return out, nil
}

// noWorker says which nodes have something else to do, or else which kinds carry out
// workloads.
func (a *assembly) noWorker() string {
	var why []string
	for _, n := range a.sys.Nodes() {
		if x, ok := n.(system.Occupied); ok {
			why = append(why, x.NoWorker()+", which is all that it does")
		}
	}
	if why == nil {
		return "kinds: " + strings.Join(system.WorkerKinds(), ", ")
	}
	return strings.Join(why, "; ")
}

// named lists the nodes that a name of the configuration stands for: one node,
// an array, or all of a kind inside an array of groups (Tile.Core is every
// Tile[i].Core), or everything inside a group.
func (a *assembly) named(name string) []system.Node {
	if n := a.sys.Node(name); n != nil {
		return []system.Node{n}
	}
	if nodes := a.sys.Array(name); len(nodes) > 0 {
		return nodes
	}
	var out []system.Node
	for _, w := range a.workers {
		for _, full := range []string{w.Name(), withoutIndices(w.Name())} {
			if full == name || strings.HasPrefix(full, name+".") {
				out = append(out, w)
				break
			}
		}
	}
	return out
}

// withoutIndices is Tile.Core for Tile[3].Core[0].
func withoutIndices(name string) string {
	var b strings.Builder
	depth := 0
	for _, r := range name {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}
