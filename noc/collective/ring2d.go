package collective

import (
	"errors"
	"slices"
)

func init() {
	type m = map[Operation]algorithm[Ring2DSpec]
	add("ring_2d", "Rings along rows, then along columns, and back; half of the data goes the other way round.",
		"Ying, Kumar, Chen, Wang, Cheng, Image Classification at Supercomputer Scale, 2018, section 2.3; on a mesh as in the artifact of "+ttoSource, Ring2DSpec{Pipeline: one.Pipeline},
		m{AllReduce: ring2D})
}

// Ring2DSpec describes the grid.
type Ring2DSpec struct {
	Pipeline `yaml:",inline"`
	Dims     []int `yaml:"dims" doc:"Width and height of the grid that ranks stand in, row by row; left out: a square"`
	Wrap     bool  `yaml:"wrap" doc:"The grid is a torus: rings close. Else what would go round walks back along the line"`
	Detour   bool  `yaml:"detour" doc:"On a mesh a part begins its walk at the rank before its own and goes to the start of the line first, 2n-3 steps on a line of n ranks whatever the part, as the artifact of the TTO paper does. Not for a torus"`
}

// ring2D cuts the data into halves, each into as many parts as a line has ranks,
// and these again for the other dimension. Half k starts along dimension k.
// Cell order: half, part of the first dimension, part of the second.
func ring2D(c *chunk, s Ring2DSpec) error {
	w, h, err := gridOf(s.Dims, c.n)
	if err != nil {
		return err
	}
	if s.Wrap && s.Detour {
		return errors.New("detour has no effect with wrap: rings close, and nothing walks back")
	}
	c.cut(2 * w * h)
	c.detour = s.Detour
	side := [2]int{w, h}
	at := func(dim, along, across int) int {
		if dim == 0 {
			return along + w*across
		}
		return across + w*along
	}
	type phase func(line []int, cell func(i int) (lo, hi int))
	reduce, gather, long := c.lineReduce, c.lineGather, max(2*max(w, h)-3, 0)
	if s.Wrap {
		reduce, gather, long = c.loopReduce, c.loopGather, max(w, h)-1
	}
	first := func(do phase) {
		for k := range 2 {
			n, m := side[k], side[1-k]
			for across := range m {
				line := make([]int, n)
				for i := range line {
					line[i] = at(k, i, across)
				}
				do(line, func(i int) (int, int) { return k*w*h + i*m, k*w*h + (i+1)*m })
			}
		}
	}
	second := func(do phase) {
		for k := range 2 {
			n, m := side[k], side[1-k]
			for part := range n { // the ranks that own this part after the first dimension
				line := make([]int, m)
				for i := range line {
					line[i] = at(1-k, i, part)
				}
				do(line, func(i int) (int, int) { return k*w*h + part*m + i, k*w*h + part*m + i + 1 })
			}
		}
	}
	c.phase(0)
	first(reduce)
	c.phase(long)
	second(reduce)
	c.gather()
	c.phase(2 * long)
	second(gather)
	c.phase(3 * long)
	first(gather)
	return nil
}

// loopReduce leaves part i of the sum with line[i].
func (c *chunk) loopReduce(line []int, cell func(i int) (lo, hi int)) {
	n := len(line)
	for step := 1; step < n; step++ {
		c.mark(step - 1)
		for p := range n {
			lo, hi := cell((p - step + n) % n)
			c.send(line[p], line[(p+1)%n], lo, hi, true)
		}
	}
}

// loopGather spreads part i of line[i].
func (c *chunk) loopGather(line []int, cell func(i int) (lo, hi int)) {
	n := len(line)
	for step := range n - 1 {
		c.mark(step)
		for p := range n {
			lo, hi := cell((p - step + n) % n)
			c.send(line[p], line[(p+1)%n], lo, hi, false)
		}
	}
}

// lineReduce does the same without a link from the last to the first: parts walk along
// the line. Step by step all parts move.
func (c *chunk) lineReduce(line []int, cell func(i int) (lo, hi int)) {
	n := len(line)
	walks := walksOf(n, c.detour)
	for step := range 2*n - 3 {
		c.mark(step)
		for i, w := range walks {
			// The walk of part i ends with step 2n-4; it begins when that leaves time enough.
			if at := step - (2*n - 3 - (len(w) - 1)); at >= 0 {
				lo, hi := cell(i)
				c.send(line[w[at]], line[w[at+1]], lo, hi, !slices.Contains(w[:at+1], w[at+1]))
			}
		}
	}
}

// lineGather is the way back of lineReduce.
func (c *chunk) lineGather(line []int, cell func(i int) (lo, hi int)) {
	n := len(line)
	walks := walksOf(n, c.detour)
	for step := range 2*n - 3 {
		c.mark(step)
		for i, w := range walks {
			if at := len(w) - 1 - step; at > 0 {
				lo, hi := cell(i)
				c.send(line[w[at]], line[w[at-1]], lo, hi, false)
			}
		}
	}
}

// walksOf is the places of a line of n that each part passes on its way to its own. Part
// i is summed up from the first rank to the last, and walks back to i; part 0 is summed up
// from the last. With detour part i begins at i-1 and goes down to the first, where it
// would have begun else: 2n-3 steps for all parts but the first.
func walksOf(n int, detour bool) [][]int {
	out := make([][]int, n)
	for i := range out {
		var w []int
		if i == 0 {
			for at := n - 1; at >= 0; at-- {
				w = append(w, at)
			}
			out[i] = w
			continue
		}
		for at := i - 1; detour && at > 0; at-- {
			w = append(w, at)
		}
		for at := range n {
			w = append(w, at)
		}
		for at := n - 2; at >= i; at-- {
			w = append(w, at)
		}
		out[i] = w
	}
	return out
}
