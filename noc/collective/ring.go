package collective

import "fmt"

const ringSource = "Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations, JPDC 2009, section 3"

func init() {
	type m = map[Operation]algorithm[RingSpec]
	add("ring", "Each rank passes blocks to the next rank of a ring.", ringSource, RingSpec{Pipeline: one.Pipeline}, m{
		AllReduce:     func(c *chunk, s RingSpec) error { return c.ring(s, true, true) },
		ReduceScatter: func(c *chunk, s RingSpec) error { return c.ring(s, true, false) },
		AllGather:     func(c *chunk, s RingSpec) error { return c.ring(s, false, true) },
		AllToAll:      ringAllToAll,
		Broadcast:     func(c *chunk, s RingSpec) error { return c.ringChain(s, false) },
		ReduceTo:      func(c *chunk, s RingSpec) error { return c.ringChain(s, true) },
	})
}

// RingSpec sets the order of ranks on the ring.
type RingSpec struct {
	Pipeline `yaml:",inline"`
	Dims     []int `yaml:"dims" doc:"Width and height of the grid that ranks stand in, row by row; the ring then steps to neighbours. Left out: in the order of ranks"`
	Relay    bool  `yaml:"relay" doc:"On a grid of two odd sides one step of the ring is two hops long: the rank between takes each block whole and hands it on, in place of packets that pass it"`
}

// order is the ranks in the order of the ring.
func order(dims []int, n int) ([]int, error) {
	if len(dims) == 0 {
		return upTo(n), nil
	}
	return cycle(dims, n)
}

// order is the ranks in the order of the ring, without a relay.
func (s RingSpec) order(c *chunk) ([]int, error) {
	if s.Relay {
		return nil, fmt.Errorf("relay has no effect on %s (used by: %s, %s, %s)", c.b.r.Operation, AllReduce, ReduceScatter, AllGather)
	}
	return order(s.Dims, c.n)
}

// upTo is 0 to n-1.
func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// ring does a reduce-scatter, an all-gather or both. Cell i is block i; the rank
// at place p of the ring starts with the block of the rank before it, so that
// each rank ends with its own.
func (c *chunk) ring(s RingSpec, scatter, gather bool) error {
	at, err := order(s.Dims, c.n)
	if err != nil {
		return err
	}
	c.cut(c.n)
	pass := func(src, dst, block int, sum bool) { c.send(src, dst, block, block+1, sum) }
	if c.b.alone && (s.Relay || len(s.Dims) > 0 || !c.even()) {
		return errNotAlone
	}
	if s.Relay {
		if len(s.Dims) != 2 || s.Dims[0] < 3 || s.Dims[1] < 3 || s.Dims[0]%2 == 0 || s.Dims[1]%2 == 0 {
			return fmt.Errorf("relay has no effect with dims %v: every step is a hop (want both odd, 3 or more)", s.Dims)
		}
		pass = c.relay(at[0], at[c.n-1], pass)
	}
	if scatter {
		c.ringScatter(at, pass)
	}
	if gather {
		c.gather()
		c.ringGather(at, pass)
	}
	return nil
}

// relay sends a rank's blocks through another rank, which holds them in scratch: two alternating
// cells of each size.
func (c *chunk) relay(from, via int, pass func(src, dst, block int, sum bool)) func(src, dst, block int, sum bool) {
	type key struct {
		bytes int64
		turn  int
	}
	spare, turn := map[key]int{}, 0
	return func(src, dst, block int, sum bool) {
		if src != from {
			pass(src, dst, block, sum)
			return
		}
		turn ^= 1
		k := key{c.cells[block].Bytes, turn}
		cell, ok := spare[k]
		if !ok {
			cell = c.spare(block)
			spare[k] = cell
		}
		c.move(src, via, block, cell, 1, false, nil)
		c.move(via, dst, cell, block, 1, sum, nil)
	}
}

// ringScatter leaves block at[p] of the sum with the rank at[p].
func (c *chunk) ringScatter(at []int, pass func(src, dst, block int, sum bool)) {
	n := len(at)
	for step := 1; step < n; step++ {
		c.step(step - 1)
		for p := range c.places {
			pass(at[p], at[(p+1)%n], at[(p-step+n)%n], true)
		}
	}
}

// ringGather spreads block at[p] of rank at[p] to all.
func (c *chunk) ringGather(at []int, pass func(src, dst, block int, sum bool)) {
	n := len(at)
	for step := 0; step < n-1; step++ {
		c.step(n - 1 + step)
		for p := range c.places {
			pass(at[p], at[(p+1)%n], at[(p-step+n)%n], false)
		}
	}
}

// ringAllToAll relays: what goes d places on takes d hops, one after the other.
// A rank sends when the message of the step before is in, n(n-1)/2 steps in all.
func ringAllToAll(c *chunk, s RingSpec) error {
	at, err := s.order(c)
	if err != nil {
		return err
	}
	if c.b.alone {
		return errNotAlone
	}
	c.halves()
	n := c.n
	for r := range n {
		c.copy(r, r, n+r, 1)
	}
	if n < 2 {
		return nil
	}
	// Two scratch cells take turns. A block ends in its place in its last hop only.
	relay := [2]int{c.spare(0), c.spare(0)}
	last := make([]int32, n)
	for i := range last {
		last[i] = -1
	}
	hop := 0
	for d := 1; d < n; d++ {
		for h := 1; h <= d; h++ {
			next := make([]int32, n)
			for p := range at {
				src, dst := at[p], at[(p+1)%n]
				// The block that is here came from h-1 places back and goes d places from there.
				from, to := at[(p-h+1+n)%n], at[(p-h+1+d+n)%n]
				read, write := to, n+from
				if h > 1 {
					read = relay[(hop+1)%2]
				}
				if h < d {
					write = relay[hop%2]
				}
				var after []int32
				if last[src] >= 0 {
					after = []int32{last[src]}
				}
				_, next[dst] = c.move(src, dst, read, write, 1, false, after)
			}
			last = next
			hop++
		}
	}
	return nil
}

// ringChain sends whole vectors along the ring, from the root or to it.
func (c *chunk) ringChain(s RingSpec, sum bool) error {
	at, err := s.order(c)
	if err != nil {
		return err
	}
	if c.b.alone {
		return errNotAlone
	}
	c.cut(1)
	root := 0
	for p, r := range at {
		if r == c.root {
			root = p
		}
	}
	for i := range c.n - 1 {
		if sum {
			c.send(at[(root+1+i)%c.n], at[(root+2+i)%c.n], 0, 1, true)
		} else {
			c.send(at[(root+i)%c.n], at[(root+i+1)%c.n], 0, 1, false)
		}
	}
	return nil
}
