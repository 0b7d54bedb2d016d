package collective

import "fmt"

func init() {
	add("hierarchical", "Two levels: an operation in each group, and one across groups for each rank of a group. All-reduce: a ring reduce-scatter in each group, ring all-reduces across, a ring all-gather in each group.",
		"Cho, Finkler, Serrano, Kung, Hunter, BlueConnect: Decomposing all-reduce for deep learning on heterogeneous network hierarchy, IBM JRD 2019, section 3; all_to_all in two steps: Cowan et al., MSCCLang, ASPLOS 2023, section 2",
		HierarchicalSpec{Pipeline: one.Pipeline}, map[Operation]algorithm[HierarchicalSpec]{
			AllReduce:     inLevels(levels.allReduce),
			ReduceScatter: inLevels(levels.reduceScatter),
			AllGather:     inLevels(levels.allGather),
			AllToAll:      inLevels(levels.allToAll),
			Broadcast:     inLevels(levels.broadcast),
			ReduceTo:      inLevels(levels.reduce),
		})
}

// HierarchicalSpec sets the size of the groups.
type HierarchicalSpec struct {
	Pipeline `yaml:",inline"`
	Group    int `yaml:"group" doc:"Ranks per group, neighbours in number, as those of a node; 0 is the divisor of their number next to its square root, from above" jsonschema:"minimum=0"`
}

// levels are the groups of a chunk: size ranks in each.
type levels struct {
	c            *chunk
	size, groups int
}

// rank is the i-th rank of group k.
func (l levels) rank(k, i int) int { return k*l.size + i }

// inLevels finds the groups.
func inLevels(do func(l levels) error) algorithm[HierarchicalSpec] {
	return func(c *chunk, s HierarchicalSpec) error {
		g := s.Group
		if g == 0 {
			for g = 1; g*g < c.n || c.n%g != 0; g++ {
			}
		}
		if g < 1 || c.n%g != 0 {
			return fmt.Errorf("group is %d (want a divisor of %d, the ranks)", g, c.n)
		}
		return do(levels{c, g, c.n / g})
	}
}

// inside has the ranks of each group do something, in the order of a ring.
func (l levels) inside(do func(k int, line []int)) {
	for k := range l.groups {
		line := make([]int, l.size)
		for i := range line {
			line[i] = l.rank(k, i)
		}
		do(k, line)
	}
}

// across has the ranks of each number in their groups do something.
func (l levels) across(do func(i int, line []int)) {
	for i := range l.size {
		line := make([]int, l.groups)
		for k := range line {
			line[k] = l.rank(k, i)
		}
		do(i, line)
	}
}

// allReduce cuts the vector so that part i of a group's ring is groups cells in a row.
func (l levels) allReduce() error {
	c := l.c
	c.cut(c.n)
	part := func(i int) (int, int) { return i * l.groups, (i + 1) * l.groups }
	own := func(i int) func(int) (int, int) {
		return func(k int) (int, int) { return i*l.groups + k, i*l.groups + k + 1 }
	}
	l.inside(func(_ int, line []int) { c.loopReduce(line, part) })
	l.across(func(i int, line []int) { c.loopReduce(line, own(i)) })
	c.gather()
	l.across(func(i int, line []int) { c.loopGather(line, own(i)) })
	l.inside(func(_ int, line []int) { c.loopGather(line, part) })
	return nil
}

// block is the cell of the i-th rank of group k, where blocks are in the order of ranks.
func (l levels) block(k, i int) func(int) (int, int) {
	return func(int) (int, int) { return l.rank(k, i), l.rank(k, i) + 1 }
}

// reduceScatter adds up in each group what its i-th rank is to have for the i-th of all
// groups, block by block since they do not lie together, then across.
func (l levels) reduceScatter() error {
	c := l.c
	c.cut(c.n)
	for to := range l.groups {
		l.inside(func(_ int, line []int) {
			c.loopReduce(line, func(i int) (int, int) { return l.block(to, i)(0) })
		})
	}
	l.across(func(i int, line []int) {
		c.loopReduce(line, func(k int) (int, int) { return l.block(k, i)(0) })
	})
	return nil
}

// allGather gathers across groups, then spreads the result in each group.
func (l levels) allGather() error {
	c := l.c
	c.cut(c.n)
	c.gather()
	l.across(func(i int, line []int) {
		c.loopGather(line, func(k int) (int, int) { return l.block(k, i)(0) })
	})
	for from := range l.groups {
		l.inside(func(_ int, line []int) {
			c.loopGather(line, func(i int) (int, int) { return l.block(from, i)(0) })
		})
	}
	return nil
}
