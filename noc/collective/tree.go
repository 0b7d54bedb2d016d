package collective

import "slices"

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
func (c *chunk) up(t tree, lo, hi int) { c.upIn(t, lo, hi, func(int) {}) }

// upIn is up, with a function for the step of each child's send.
func (c *chunk) upIn(t tree, lo, hi int, step func(child int)) {
	for i := len(t.order) - 1; i > 0; i-- {
		v := t.order[i]
		step(v)
		c.send(v, t.parent[v], lo, hi, true)
	}
}

// down spreads cells lo to hi-1 of the root.
func (c *chunk) down(t tree, lo, hi int) {
	for _, v := range t.deepestFirst() {
		c.send(t.parent[v], v, lo, hi, false)
	}
}

// downIn is down with the children of a rank in the order of their indices, with a function for the step
// of the send to each.
func (c *chunk) downIn(t tree, lo, hi int, step func(child int)) {
	for _, v := range t.order[1:] {
		step(v)
		c.send(t.parent[v], v, lo, hi, false)
	}
}

// deepestFirst is the ranks below the root in the order in which they get what the root spreads: parents
// before children, and of the children of a rank first those with most levels below them, since the
// others are done sooner. A binomial tree takes log2 n rounds so, and the sum of 1 to log2 n the other way round.
func (t *tree) deepestFirst() []int {
	levels := make([]int, len(t.parent))
	children := make([][]int, len(t.parent))
	for i := len(t.order) - 1; i > 0; i-- {
		v := t.order[i]
		p := t.parent[v]
		levels[p] = max(levels[p], levels[v]+1)
	}
	for _, v := range t.order[1:] {
		children[t.parent[v]] = append(children[t.parent[v]], v)
	}
	out := []int{t.order[0]}
	for i := 0; i < len(out); i++ {
		below := children[out[i]]
		slices.SortStableFunc(below, func(a, b int) int { return levels[b] - levels[a] })
		out = append(out, below...)
	}
	return out[1:]
}

// rootedAt rotates a tree with root 0: rank v takes the place of v-root.
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

// overTree is the operations that one tree carries out, which is written for rank 0
// as root.
func overTree[S any](parents func(c *chunk, s S) ([]int, error)) map[Operation]algorithm[S] {
	return overRooted(func(c *chunk, s S) (tree, error) {
		p, err := parents(c, s)
		if err != nil {
			return tree{}, err
		}
		return rootedAt(p, c.root), nil
	})
}

// overRooted is the same for a tree that knows its root.
func overRooted[S any](treeFor func(c *chunk, s S) (tree, error)) map[Operation]algorithm[S] {
	with := func(do func(c *chunk, t tree)) algorithm[S] {
		return func(c *chunk, s S) error {
			t, err := treeFor(c, s)
			if err == nil {
				do(c, t)
			}
			return err
		}
	}
	return map[Operation]algorithm[S]{
		ReduceTo: with(func(c *chunk, t tree) {
			c.cut(1)
			c.up(t, 0, 1)
		}),
		Broadcast: with(func(c *chunk, t tree) {
			c.cut(1)
			c.down(t, 0, 1)
		}),
		AllReduce: with(func(c *chunk, t tree) {
			c.cut(1)
			c.up(t, 0, 1)
			c.gather()
			c.down(t, 0, 1)
		}),
		Gather:  with((*chunk).collect),
		Scatter: with((*chunk).hand),
		Barrier: with((*chunk).joinAtRoot),
	}
}

// runs calls f for each run of blocks of v and all ranks below it, by rank: what one
// message can carry.
func (t tree) runs() func(v int, f func(lo, hi int)) {
	below := make([][]int, len(t.parent))
	for i := len(t.order) - 1; i >= 0; i-- {
		v := t.order[i]
		below[v] = append(below[v], v)
		slices.Sort(below[v])
		if p := t.parent[v]; p >= 0 {
			below[p] = append(below[p], below[v]...)
		}
	}
	return func(v int, f func(lo, hi int)) {
		for b := below[v]; len(b) > 0; {
			k := 1
			for k < len(b) && b[k] == b[0]+k {
				k++
			}
			f(b[0], b[0]+k)
			b = b[k:]
		}
	}
}

// collect brings block v of each rank v to the root; a rank sends when it has all of
// the ranks below it.
func (c *chunk) collect(t tree) {
	c.cut(c.n)
	runs := t.runs()
	for i := len(t.order) - 1; i > 0; i-- {
		v := t.order[i]
		runs(v, func(lo, hi int) { c.send(v, t.parent[v], lo, hi, false) })
	}
}

// hand brings block v of the root to each rank v.
func (c *chunk) hand(t tree) {
	c.cut(c.n)
	runs := t.runs()
	for _, v := range t.deepestFirst() {
		runs(v, func(lo, hi int) { c.send(t.parent[v], v, lo, hi, false) })
	}
}

// joinAtRoot makes the root depend on all ranks, and all ranks on the root.
func (c *chunk) joinAtRoot(t tree) {
	heard := make([][]int32, c.n)
	for i := len(t.order) - 1; i > 0; i-- {
		v := t.order[i]
		p := t.parent[v]
		_, got := c.b.message(v, p, Range{}, Recv, heard[v], nil)
		heard[p] = append(heard[p], got)
	}
	for _, v := range t.deepestFirst() {
		p := t.parent[v]
		_, got := c.b.message(p, v, Range{}, Recv, heard[p], nil)
		heard[v] = []int32{got}
	}
}
