package collective

// A tree joins ranks; parent is -1 at the root and at ranks that are no part of
// it.
type tree struct {
	parent []int
	order  []int // from the root on, parents before children
}

// treeOf orders a tree breadth first; children go by index.
func treeOf(parent []int, root int) tree {
	children := make([][]int, len(parent))
	for v, p := range parent {
		if p >= 0 {
			children[p] = append(children[p], v)
		}
	}
	t := tree{parent, []int{root}}
	for i := 0; i < len(t.order); i++ {
		t.order = append(t.order, children[t.order[i]]...)
	}
	return t
}

// up adds cells lo to hi-1 of all ranks at the root.
func (c *chunk) up(t tree, lo, hi int) {
	for i := len(t.order) - 1; i > 0; i-- {
		v := t.order[i]
		c.send(v, t.parent[v], lo, hi, true)
	}
}

// down spreads cells lo to hi-1 of the root.
func (c *chunk) down(t tree, lo, hi int) {
	for _, v := range t.order[1:] {
		c.send(t.parent[v], v, lo, hi, false)
	}
}

// rootedAt turns a tree that is written for rank 0 as root: rank v stands where
// v-root stood.
func rootedAt(parent []int, root int) tree {
	n := len(parent)
	out := make([]int, n)
	for v, p := range parent {
		at := (v + root) % n
		if p < 0 {
			out[at] = -1
		} else {
			out[at] = (p + root) % n
		}
	}
	return treeOf(out, root)
}

// overTree is the operations that one tree carries out.
func overTree[S any](parents func(c *chunk, s S) ([]int, error)) map[Operation]algorithm[S] {
	make1 := func(c *chunk, s S) (tree, error) {
		p, err := parents(c, s)
		if err != nil {
			return tree{}, err
		}
		c.cut(1)
		return rootedAt(p, c.root), nil
	}
	return map[Operation]algorithm[S]{
		ReduceTo: func(c *chunk, s S) error {
			t, err := make1(c, s)
			if err == nil {
				c.up(t, 0, 1)
			}
			return err
		},
		Broadcast: func(c *chunk, s S) error {
			t, err := make1(c, s)
			if err == nil {
				c.down(t, 0, 1)
			}
			return err
		},
		AllReduce: func(c *chunk, s S) error {
			t, err := make1(c, s)
			if err == nil {
				c.up(t, 0, 1)
				c.down(t, 0, 1)
			}
			return err
		},
	}
}
