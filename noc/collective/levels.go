package collective

// allToAll first brings together in each group what its ranks have for the i-th ranks of
// all groups, at its i-th rank, and sends that across as one message to each group.
func (l levels) allToAll() error {
	c := l.c
	c.halves()
	n := c.n
	first := -1 // n cells of scratch: those for group k from rank i of the own one at k*size+i
	for range n {
		if at := c.spare(0); first < 0 {
			first = at
		}
	}
	place := func(k, i int) int { return first + k*l.size + i }
	for d := range l.size {
		for at := range l.groups {
			for i := range l.size {
				from, j := l.rank(at, i), (i+d)%l.size
				for k := range l.groups {
					block, to := l.rank(k, j), place(k, i)
					if k == at {
						to = n + from // for the group itself: it has arrived
					}
					if d == 0 {
						c.copy(from, block, to, 1)
					} else {
						c.move(from, l.rank(at, j), block, to, 1, false, nil)
					}
				}
			}
		}
	}
	for d := 1; d < l.groups; d++ {
		for at := range l.groups {
			for i := range l.size {
				to := (at + d) % l.groups
				c.move(l.rank(at, i), l.rank(to, i), place(to, 0), n+l.rank(at, 0), l.size, false, nil)
			}
		}
	}
	return nil
}

// broadcast scatters the vector among the root's group, spreads each part across by a
// binomial tree, and gathers the parts in each group.
func (l levels) broadcast() error {
	c := l.c
	c.cut(l.size)
	home := c.root / l.size
	for i := range l.size {
		if r := l.rank(home, i); r != c.root {
			c.send(c.root, r, i, i+1, false)
		}
	}
	for d := 1; d < l.groups; d *= 2 {
		for v := range min(d, l.groups-d) {
			for i := range l.size {
				c.send(l.rank((home+v)%l.groups, i), l.rank((home+v+d)%l.groups, i), i, i+1, false)
			}
		}
	}
	c.gather()
	l.inside(func(k int, line []int) {
		if k == home { // its root has all
			c.missing(line, c.root)
			return
		}
		c.loopGather(line, cellOf)
	})
	return nil
}

// cellOf is the cell of each of a line.
func cellOf(i int) (lo, hi int) { return i, i + 1 }

// missing is loopGather for a line one of which has all: nothing is sent to it.
func (c *chunk) missing(line []int, full int) {
	n := len(line)
	for step := 0; step < n-1; step++ {
		for p := range line {
			if to := line[(p+1)%n]; to != full {
				cell := ((p-step)%n + n) % n
				c.send(line[p], to, cell, cell+1, false)
			}
		}
	}
}

// reduce adds up in each group, each part across to the root's group, and collects the
// parts there: a broadcast backwards.
func (l levels) reduce() error {
	c := l.c
	c.cut(l.size)
	home := c.root / l.size
	l.inside(func(_ int, line []int) { c.loopReduce(line, cellOf) })
	d := 1
	for d*2 < l.groups {
		d *= 2
	}
	for ; d >= 1; d /= 2 {
		for v := range min(d, l.groups-d) {
			for i := range l.size {
				c.send(l.rank((home+v+d)%l.groups, i), l.rank((home+v)%l.groups, i), i, i+1, true)
			}
		}
	}
	for i := range l.size {
		if r := l.rank(home, i); r != c.root {
			c.send(r, c.root, i, i+1, false)
		}
	}
	return nil
}
