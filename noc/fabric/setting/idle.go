package setting

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/noc/allocator"
	"github.com/causeway-sim/causeway/noc/topology"
)

// idle reports a key of a router that has no effect on the configuration it leads
// to.
func (r *RouterSpec) idle(c *Config) error {
	whole := c.Queueing == InputOutput
	alloc, ok := allocator.All.Entry(string(c.Allocator))
	switch {
	case !ok:
		return &KeyError{"allocator", allocator.All.Names(), fmt.Sprintf("unknown router allocator %q", c.Allocator)}
	case r.Iterations != 0 && !whole && !alloc.New.Iterates:
		return &KeyError{"iterations", nil, fmt.Sprintf("has no effect on allocator %s (used by: %s)", c.Allocator, strings.Join(iterating(), ", "))}
	case r.Allocator != "" && whole:
		return &KeyError{"allocator", nil, "has no effect on queueing input_output, whose switch serves the least recently granted"}
	case r.RoutingDelay != nil && whole:
		return &KeyError{"routing_delay", nil, "has no effect on queueing input_output, which routes while a packet waits"}
	case r.GlobalDepth != 0 && !slices.Contains(topology.Classes(c.Topology), topology.Global):
		return &KeyError{"global_depth", nil, "has no effect on a topology without global channels"}
	}
	return nil
}

// iterating are the allocators for which iterations make a difference.
func iterating() (names []string) {
	for _, e := range allocator.All.Entries() {
		if e.New.Iterates {
			names = append(names, e.Name)
		}
	}
	return names
}
