package evaluation

import (
	"slices"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/configs"
)

// nodesNamed returns the nodes that a name stands for: a node, or all elements of an array.
func nodesNamed(name string, nodes []string) (out []string) {
	for _, n := range nodes {
		if n == name || cause.Base(n) == name {
			out = append(out, n)
		}
	}
	return out
}

// named returns the nodes of a list of names, at v. An unknown name, and a node that stands twice or in
// taken, is an error; taken gains the nodes, with the name of who has them.
func named(v configs.Value, nodes []string, owner string, taken map[string]string) ([]string, error) {
	var errs configs.Errors
	var out []string
	for _, at := range v.Items() {
		found := nodesNamed(at.Text(), nodes)
		if len(found) == 0 {
			errs.Add(at.Errorf(bases(nodes), "no node %q", at.Text()))
		}
		for _, n := range found {
			if by, ok := taken[n]; ok {
				errs.Add(at.Errorf(nil, "node %s belongs to %s already", n, by))
				continue
			}
			taken[n] = owner
			out = append(out, n)
		}
	}
	return out, errs.Err()
}

// bases are the names of nodes, arrays once.
func bases(nodes []string) (out []string) {
	for _, n := range nodes {
		if b := cause.Base(n); !slices.Contains(out, b) {
			out = append(out, b)
		}
	}
	return out
}
