package collective

func init() {
	type m = map[Operation]algorithm[Spec]
	add("double_binary_tree", "Two binary trees with half of the data each; the leaves of one are the inner ranks of the other.",
		"Sanders, Speck, Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan, Parallel Computing 2009, section 3", one, m{
			AllReduce: func(c *chunk, _ Spec) error { return c.doubleTree(true, true) },
			Broadcast: func(c *chunk, _ Spec) error { return c.doubleTree(false, true) },
			ReduceTo:  func(c *chunk, _ Spec) error { return c.doubleTree(true, false) },
		})
}

// doubleTree builds both trees over the ranks. A root is above both, and the trees join the other
// ranks.
func (c *chunk) doubleTree(up, down bool) error {
	c.cut(2)
	var trees [2]tree
	rooted := !(up && down)
	n := c.n
	if rooted {
		n--
	}
	for k := range trees {
		at := func(v int) int { return twin(v, n, k == 1) }
		parent := make([]int, c.n)
		root := c.root
		rank := func(v int) int { // the v-th rank that is not the root
			if rooted && v >= c.root {
				return v + 1
			}
			return v
		}
		if rooted {
			parent[c.root] = -1
		}
		inorder(0, n, -1, func(v, p int) {
			switch {
			case p >= 0:
				parent[rank(at(v))] = rank(at(p))
			case rooted:
				parent[rank(at(v))] = c.root
			default:
				parent[at(v)], root = -1, at(v)
			}
		})
		trees[k] = treeOf(parent, root)
	}
	steps := turnsOf(trees)
	c.stride = 2
	for k, t := range trees {
		if up {
			c.upIn(t, k, k+1, func(v int) { c.step(steps.up[k][v]) })
		}
	}
	c.gather()
	for k, t := range trees {
		if down {
			c.downIn(t, k, k+1, func(v int) { c.step(steps.first + steps.down[k][v]) })
		}
	}
	return nil
}

// inorder reports the parent of each of n numbers from off on in a binary tree
// whose leaves are the even ones (counted from 0).
func inorder(off, n, parent int, report func(v, parent int)) {
	if n == 0 {
		return
	}
	left := 1 // the largest 2^k - 1 below n; all of the left part is a full tree
	for left*2+1 < n {
		left = left*2 + 1
	}
	if n == 1 {
		left = 0
	}
	report(off+left, parent)
	inorder(off, left, off+left, report)
	inorder(off+left+1, n-left-1, off+left, report)
}

// twin maps a number of the first tree to the second: mirrored if n is even,
// shifted by one if n is odd, so that even and odd change places.
func twin(v, n int, second bool) int {
	switch {
	case !second:
		return v
	case n%2 == 0:
		return n - 1 - v
	default:
		return (v + 1) % n
	}
}
