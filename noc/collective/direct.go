package collective

func init() {
	type m = map[Operation]algorithm[Spec]
	add("direct", "Every rank sends to every other at once.",
		"Thakur, Rabenseifner, Gropp, Optimization of collective communication operations in MPICH, IJHPCA 2005, section 3", one, m{
			AllReduce:     func(c *chunk, _ Spec) error { return c.direct(true, true) },
			ReduceScatter: func(c *chunk, _ Spec) error { return c.direct(true, false) },
			AllGather:     func(c *chunk, _ Spec) error { return c.direct(false, true) },
			AllToAll:      directAllToAll,
			Gather:        func(c *chunk, _ Spec) error { return c.directRoot(false) },
			Scatter:       func(c *chunk, _ Spec) error { return c.directRoot(true) },
		})
}

// direct sends block i of every rank to rank i, then all blocks to all. Rank r
// starts with r+1, so that not all begin with one.
func (c *chunk) direct(scatter, gather bool) error {
	if c.b.alone {
		return errNotAlone
	}
	c.cut(c.n)
	for d := 1; scatter && d < c.n; d++ {
		for r := range c.n {
			to := (r + d) % c.n
			c.send(r, to, to, to+1, true)
		}
	}
	c.gather()
	for d := 1; gather && d < c.n; d++ {
		for r := range c.n {
			c.send(r, (r+d)%c.n, r, r+1, false)
		}
	}
	return nil
}

func directAllToAll(c *chunk, _ Spec) error {
	c.halves()
	if c.b.alone && !c.even() {
		return errNotAlone
	}
	for r := range c.n {
		c.copy(r, r, c.n+r, 1)
	}
	for d := 1; d < c.n; d++ {
		for r := range c.sendersAt(d) {
			to := (r + d) % c.n
			c.move(r, to, to, c.n+r, 1, false, nil)
		}
	}
	return nil
}

// directRoot moves block i between the root and rank i.
func (c *chunk) directRoot(scatter bool) error {
	if c.b.alone {
		return errNotAlone
	}
	c.cut(c.n)
	for i := range c.n {
		switch {
		case i == c.root:
		case scatter:
			c.send(c.root, i, i, i+1, false)
		default:
			c.send(i, c.root, i, i+1, false)
		}
	}
	return nil
}
