package topology

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Placements of nodes or ranks on the terminals of a network.
const (
	InOrder  = "linear" // in the order of terminals
	AtRandom = "random" // at any
	ByRouter = "router" // routers in random order, each with consecutive nodes
	ByGroup  = "group"  // groups of routers in random order, each with consecutive nodes
	Spread   = "spread" // consecutive nodes in consecutive groups
)

// Placements lists the placements.
func Placements() []string { return []string{InOrder, AtRandom, ByRouter, ByGroup, Spread} }

// PartOf returns the part of a network that a placement keeps together: the router of a terminal,
// or its group. The error is a placement by group on a topology without groups.
func PartOf(t Topology, placement string, terminal int) (int, error) {
	r, _ := t.Home(terminal)
	if placement == ByRouter {
		return r, nil
	}
	g, ok := t.(Grouped)
	if !ok {
		return 0, fmt.Errorf("placement %s needs a network with groups of routers (want one of: linear, random, router)", placement)
	}
	return g.Group(r), nil
}

// Arrange returns a list in the order of a placement; part returns PartOf of an item.
func Arrange[T any](placement string, list []T, part func(T) (int, error), rng *rand.Rand) ([]T, error) {
	switch placement {
	case AtRandom:
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		return list, nil
	case ByRouter, ByGroup, Spread:
	default:
		return list, nil
	}
	var parts [][]T
	at := map[int]int{}
	for _, x := range list {
		k, err := part(x)
		if err != nil {
			return nil, err
		}
		i, ok := at[k]
		if !ok {
			i = len(parts)
			at[k] = i
			parts = append(parts, nil)
		}
		parts[i] = append(parts[i], x)
	}
	if placement == Spread {
		out := make([]T, 0, len(list))
		for i := 0; len(out) < len(list); i++ {
			for _, p := range parts {
				if i < len(p) {
					out = append(out, p[i])
				}
			}
		}
		return out, nil
	}
	rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return slices.Concat(parts...), nil
}
