package collective

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/units"
)

const ttoSource = "Laskar, Majhi, Kim, Mahmud, Muzahid, Kim, Enhancing Collective Communication in MCM Accelerators for Deep Learning Training, HPCA 2024"

func init() {
	type m = map[Operation]algorithm[BiRingSpec]
	add("ring_bi", "Two rings in opposite directions, each with half of the data.", ttoSource+", section II", BiRingSpec{Pipeline: one.Pipeline}, m{
		AllReduce:     func(c *chunk, s BiRingSpec) error { return c.biring(s, true, true) },
		ReduceScatter: func(c *chunk, s BiRingSpec) error { return c.biring(s, true, false) },
		AllGather:     func(c *chunk, s BiRingSpec) error { return c.biring(s, false, true) },
	})
	add("ring_bi_odd", "Two rings in opposite directions through all of an odd grid but a corner, which two neighbours serve.",
		ttoSource+", section IV; message: its artifact", BiRingOddSpec{BiRingSpec: BiRingSpec{Pipeline: one.Pipeline}},
		map[Operation]algorithm[BiRingOddSpec]{AllReduce: ringBiOdd})
}

// BiRingSpec sets the order of ranks on the rings.
type BiRingSpec struct {
	Pipeline `yaml:",inline"`
	Dims     []int `yaml:"dims" doc:"Width and height of the grid that ranks stand in, row by row; the rings then step to neighbours. Left out: in the order of ranks"`
}

// BiRingOddSpec is the spec of ring_bi_odd.
type BiRingOddSpec struct {
	BiRingSpec `yaml:",inline"`
	// Message, if not 0, makes blocks as in the artifact of the TTO paper: an N-th of the data in
	// messages, rounded up, and N/(2(N-1)) of these, rounded up again. More bytes are sent than
	// requested.
	Message units.Bytes `yaml:"message" doc:"Blocks are whole messages of so many bytes: those of an N-th of the data, and N/(2(N-1)) of these, rounded up both times as the artifact of the TTO paper does. 0: blocks are as long as their data"`
}

// filled implements filler.
func (s BiRingOddSpec) filled(r Request) (func(bytes int64) int64, error) {
	m, n := int64(s.Message), int64(r.Ranks)
	switch {
	case m == 0:
		return nil, nil
	case m < 0 || m%r.Element != 0 || m > MaxBytes/(4*n):
		return nil, fmt.Errorf("message is %d B (want 0, or whole elements of %d B, up to %d B)", m, r.Element, MaxBytes/(4*n)/r.Element*r.Element)
	case n < 2:
		return nil, nil
	}
	up := func(a, b int64) int64 { return (a + b - 1) / b }
	return func(bytes int64) int64 {
		blocks := 2 * (n - 1)
		return up(up(bytes, m*n)*n, blocks) * blocks * m
	}, nil
}

// biring cuts each block into two cells, 2i and 2i+1, one per direction.
func (c *chunk) biring(s BiRingSpec, scatter, gather bool) error {
	at, err := order(s.Dims, c.n)
	if err != nil {
		return err
	}
	var cells []Range
	for _, block := range split(c.at.Off, c.at.Bytes, c.b.r.Element, c.n) {
		cells = append(cells, split(block.Off, block.Bytes, c.b.r.Element, 2)...)
	}
	c.use(cells)
	n := c.n
	pass := func(step, p, turn int, sum bool) {
		src, dst, block := p, p+1, p-step
		if turn == 1 {
			dst, block = p-1, p+step
		}
		cell := 2*at[(block+n)%n] + turn
		c.send(at[src], at[(dst+n)%n], cell, cell+1, sum)
	}
	for step := 1; scatter && step < n; step++ {
		c.step(step - 1)
		for p := range n {
			pass(step, p, 0, true)
			pass(step, p, 1, true)
		}
	}
	c.gather()
	for step := 0; gather && step < n-1; step++ {
		c.step(n - 1 + step)
		for p := range n {
			pass(step, p, 0, false)
			pass(step, p, 1, false)
		}
	}
	return nil
}

// oddCycle is a ring through all of a grid with odd sides but its corner (0, 0).
// It starts at (1, 0); the last but one column pair is a zigzag, so that (0, 1)
// is on it.
func oddCycle(w, h int) []int {
	at := func(x, y int) int { return x + w*y }
	var out []int
	for x := 1; x < w; x++ {
		out = append(out, at(x, 0))
	}
	for x := w - 1; x > 1; x-- { // down, up, down ... in rows 1 to h-1
		for i := 1; i < h; i++ {
			y := i
			if x%2 == 1 {
				y = h - i
			}
			out = append(out, at(x, y))
		}
	}
	for y := h - 1; y > 0; y-- {
		if y%2 == 0 {
			out = append(out, at(1, y), at(0, y))
		} else {
			out = append(out, at(0, y), at(1, y))
		}
	}
	return out
}

// ringBiOdd is a ring_bi of all but the corner. The corner adds its data through
// two neighbours on the ring, one per direction, a block ahead of each step, and
// gets the sums from the same.
func ringBiOdd(c *chunk, s BiRingOddSpec) error {
	w, h, err := gridOf(s.Dims, c.n)
	if err != nil {
		return err
	}
	if w < 3 || h < 3 || w%2 == 0 || h%2 == 0 {
		return fmt.Errorf("dims are %dx%d (want both odd, 3 or more; even grids have a whole ring: ring_bi)", w, h)
	}
	at := oddCycle(w, h)
	n := len(at)
	c.cut(2 * n)
	helper := [2]int{1, w} // ranks (1, 0) and (0, 1)
	step := func(k, turn int, sum bool) {
		for p := range n {
			dst, block := p+1, p-k
			if turn == 1 {
				dst, block = p-1, p+k
			}
			cell := 2*((block+2*n)%n) + turn
			if sum && at[p] == helper[turn] {
				c.send(0, at[p], cell, cell+1, true)
			}
			c.send(at[p], at[(dst+n)%n], cell, cell+1, sum)
			if !sum && at[p] == helper[turn] {
				c.send(at[p], 0, cell, cell+1, false)
			}
		}
	}
	for k := 1; k < n; k++ {
		c.step(k - 1)
		step(k, 0, true)
		step(k, 1, true)
	}
	own := func(turn int, back bool) { // the block that ends with the helper
		for p := range n {
			if at[p] != helper[turn] {
				continue
			}
			cell := 2*p + turn
			if !back {
				c.send(0, at[p], cell, cell+1, true)
				continue
			}
			// The last block to arrive is not passed on along the ring.
			last := p + 1
			if turn == 1 {
				last = p - 1
			}
			cell = 2*((last+n)%n) + turn
			c.send(at[p], 0, cell, cell+1, false)
		}
	}
	c.step(n - 1)
	own(0, false)
	own(1, false)
	c.gather()
	for k := range n - 1 {
		c.step(n + k)
		step(k, 0, false)
		step(k, 1, false)
	}
	c.step(2*n - 1)
	own(0, true)
	own(1, true)
	return nil
}
