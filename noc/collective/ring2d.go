package collective

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
}

// ring2D cuts the data into halves, each into as many parts as a line has ranks,
// and these again for the other dimension. Half k starts along dimension k.
// Cell order: half, part of the first dimension, part of the second.
func ring2D(c *chunk, s Ring2DSpec) error {
	w, h, err := gridOf(s.Dims, c.n)
	if err != nil {
		return err
	}
	c.cut(2 * w * h)
	side := [2]int{w, h}
	at := func(dim, along, across int) int {
		if dim == 0 {
			return along + w*across
		}
		return across + w*along
	}
	type phase func(line []int, cell func(i int) (lo, hi int))
	reduce, gather := c.lineReduce, c.lineGather
	if s.Wrap {
		reduce, gather = c.loopReduce, c.loopGather
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
	first(reduce)
	second(reduce)
	c.gather()
	second(gather)
	first(gather)
	return nil
}

// loopReduce leaves part i of the sum with line[i].
func (c *chunk) loopReduce(line []int, cell func(i int) (lo, hi int)) {
	n := len(line)
	for step := 1; step < n; step++ {
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
		for p := range n {
			lo, hi := cell((p - step + n) % n)
			c.send(line[p], line[(p+1)%n], lo, hi, false)
		}
	}
}

// lineReduce does the same without a link from the last to the first: part i is
// summed up from the first rank to the last, and walks back to line[i]; part 0 is
// summed up from the last. Step by step all parts move.
func (c *chunk) lineReduce(line []int, cell func(i int) (lo, hi int)) {
	n := len(line)
	for step := range 2*n - 3 {
		for i := range n {
			lo, hi := cell(i)
			// The walk of part i ends with step 2n-4; it begins when that leaves time enough.
			at := step - (2*n - 3 - lineSteps(i, n))
			switch {
			case at < 0:
			case i == 0:
				c.send(line[n-1-at], line[n-2-at], lo, hi, true)
			case at < n-1:
				c.send(line[at], line[at+1], lo, hi, true)
			default:
				back := at - (n - 1)
				c.send(line[n-1-back], line[n-2-back], lo, hi, false)
			}
		}
	}
}

// lineGather is the way back of lineReduce: to the last rank, then to the first.
func (c *chunk) lineGather(line []int, cell func(i int) (lo, hi int)) {
	n := len(line)
	for step := range 2*n - 3 {
		for i := range n {
			lo, hi := cell(i)
			switch {
			case step >= lineSteps(i, n):
			case i == 0 || step < n-1-i:
				c.send(line[i+step], line[i+step+1], lo, hi, false)
			default:
				back := step - (n - 1 - i)
				c.send(line[n-1-back], line[n-2-back], lo, hi, false)
			}
		}
	}
}

// lineSteps is the length of the walk of part i.
func lineSteps(i, n int) int {
	if i == 0 {
		return n - 1
	}
	return 2*(n-1) - i
}
