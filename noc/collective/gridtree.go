package collective

func init() {
	add("grid_tree", "A multicast tree of neighbours of a grid: along the root's row, then along all columns, so that no link carries the data twice.",
		"Luczynski et al., Near-Optimal Wafer-Scale Reduce, HPDC 2024: broadcast in two dimensions",
		GridSpec{Pipeline: one.Pipeline}, overRooted(gridTree))
}

// gridTree reaches rank x + w*y of the root's column x by the root's row. On a torus each route
// takes the shorter side, and the forward one if both are equal.
func gridTree(c *chunk, s GridSpec) (tree, error) {
	w, h, err := gridOf(s.Dims, c.n)
	if err != nil {
		return tree{}, err
	}
	// back is the neighbour of at on the way to root, along a line of n.
	back := func(at, root, n int) int {
		ahead := (at - root + n) % n // steps forwards from the root
		switch {
		case s.Wrap && 2*ahead <= n, !s.Wrap && at > root:
			return (at - 1 + n) % n
		default:
			return (at + 1) % n
		}
	}
	rx, ry := c.root%w, c.root/w
	parent := make([]int, c.n)
	for v := range parent {
		switch x, y := v%w, v/w; {
		case y != ry:
			parent[v] = x + w*back(y, ry, h)
		case x != rx:
			parent[v] = back(x, rx, w) + w*y
		default:
			parent[v] = -1
		}
	}
	return treeOf(parent, c.root), nil
}
