package collective

import "fmt"

func init() {
	add("hierarchical", "A ring reduce-scatter in each group, ring all-reduces across groups, a ring all-gather in each group.",
		"Cho, Finkler, Serrano, Kung, Hunter, BlueConnect: Decomposing all-reduce for deep learning on heterogeneous network hierarchy, IBM JRD 2019, section 3",
		HierarchicalSpec{Pipeline: one.Pipeline}, map[Operation]algorithm[HierarchicalSpec]{AllReduce: hierarchical})
}

// HierarchicalSpec sets the size of the groups.
type HierarchicalSpec struct {
	Pipeline `yaml:",inline"`
	Group    int `yaml:"group" doc:"Ranks per group, neighbours in number; 0 is the divisor of their number next to its square root, from above" jsonschema:"minimum=0"`
}

func hierarchical(c *chunk, s HierarchicalSpec) error {
	g := s.Group
	if g == 0 {
		for g = 1; g*g < c.n || c.n%g != 0; g++ {
		}
	}
	if g < 1 || c.n%g != 0 {
		return fmt.Errorf("group is %d (want a divisor of %d, the ranks)", g, c.n)
	}
	groups := c.n / g
	c.cut(c.n) // part i of a group's ring is cells i*groups to (i+1)*groups-1
	inner := func(do func([]int, func(int) (int, int))) {
		for k := range groups {
			line := make([]int, g)
			for i := range line {
				line[i] = k*g + i
			}
			do(line, func(i int) (int, int) { return i * groups, (i + 1) * groups })
		}
	}
	outer := func(do func([]int, func(int) (int, int))) {
		for i := range g {
			line := make([]int, groups)
			for k := range line {
				line[k] = k*g + i
			}
			do(line, func(k int) (int, int) { return i*groups + k, i*groups + k + 1 })
		}
	}
	inner(c.loopReduce)
	outer(c.loopReduce)
	c.gather()
	outer(c.loopGather)
	inner(c.loopGather)
	return nil
}
