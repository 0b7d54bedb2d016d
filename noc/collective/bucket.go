package collective

import (
	"fmt"
	"slices"
)

func init() {
	add("bucket", "Rings along each dimension of a torus after each other; the data go in parts that begin along different dimensions, half of them the other way round.",
		"Jain and Sabharwal, Optimal bucket algorithms for large MPI collectives on torus interconnects, ICS 2010, section 3", BucketSpec{Pipeline: one.Pipeline, Both: true},
		map[Operation]algorithm[BucketSpec]{AllReduce: bucket})
}

// BucketSpec describes the torus.
type BucketSpec struct {
	Pipeline `yaml:",inline"`
	Dims     []int `yaml:"dims" doc:"Sides of the torus that ranks stand in, the first dimension the fastest; left out: a ring"`
	Both     bool  `yaml:"both" doc:"Rings go both ways, each with half of the data"`
}

// bucket cuts the data into a part for each dimension and direction, which goes through
// the dimensions in turn from its own on: sums along rings, each of what the one before
// has left, then back. All parts use different channels at any step.
func bucket(c *chunk, s BucketSpec) error {
	dims := s.Dims
	if len(dims) == 0 {
		dims = []int{c.n}
	}
	n := 1
	for _, d := range dims {
		if d < 1 || d > MaxRanks {
			n = 0
			break
		}
		if n *= d; n > c.n {
			break
		}
	}
	if n != c.n || len(dims) > 8 {
		return fmt.Errorf("dims are %v (want at most 8 whose product is %d, the ranks)", dims, c.n)
	}
	ways := 1
	if s.Both {
		ways = 2
	}
	parts := len(dims) * ways
	c.cells = split(c.at.Off, c.at.Bytes, c.b.r.Element, parts*c.n)
	walks := make([]walk, parts)
	for i := range walks {
		turned := slices.Concat(dims[i/ways:], dims[:i/ways])
		walks[i] = walk{c: c, dims: turned, stride: make([]int, len(dims)), first: i * c.n, back: i%ways == 1, before: make([][]int32, c.n)}
		at := 1
		for d := range dims {
			walks[i].stride[(d-i/ways+len(dims))%len(dims)] = at
			at *= dims[d]
		}
	}
	for j := range dims {
		for i := range walks {
			walks[i].stage(j, walks[i].sum)
		}
	}
	c.gather()
	for j := len(dims) - 1; j >= 0; j-- {
		for i := range walks {
			walks[i].stage(j, walks[i].spread)
		}
	}
	return nil
}

// A walk takes one part of the data through the dimensions, in its own order. The cells
// of a part are numbered by where they end, coordinate after coordinate.
//
// It keeps the dependencies itself: for 4,096 ranks the table of all cells of all ranks
// would have 100 million entries.
type walk struct {
	c            *chunk
	dims, stride []int // in the order of the stages
	first        int   // cell of the part
	back         bool  // rings go the other way round
	before       [][]int32
}

// stage calls do for each ring of a stage. What the ring's ranks share is m cells for
// each of them, from lo on.
func (w *walk) stage(j int, do func(line []int, lo, m int)) {
	m := w.c.n
	for _, d := range w.dims[:j+1] {
		m /= d
	}
	line := make([]int, w.dims[j])
	for r := range w.c.n {
		if r/w.stride[j]%w.dims[j] != 0 {
			continue
		}
		lo, span := w.first, w.c.n
		for i := range j { // where the stages before have left this ring's share
			span /= w.dims[i]
			lo += r / w.stride[i] % w.dims[i] * span
		}
		for i := range line {
			line[i] = r + i*w.stride[j]
		}
		do(line, lo, m)
	}
}

// block is what rank line[i] of a ring ends the sums with, and the rank after it.
func (w *walk) block(line []int, i, step, lo, m int) (src, dst int, part Range) {
	n, by := len(line), 1
	if w.back {
		by = n - 1
	}
	b := (i + (n-by)*step) % n
	return line[i], line[(i+by)%n], w.c.span(lo+b*m, lo+(b+1)*m)
}

// sum leaves block i of the sum with line[i].
func (w *walk) sum(line []int, lo, m int) {
	got := make([][]int32, len(line)) // what the next send of a rank waits for
	for i, r := range line {
		got[i] = w.before[r]
	}
	for step := 1; step < len(line); step++ {
		next := make([][]int32, len(line))
		for i := range line {
			src, dst, part := w.block(line, i, step, lo, m)
			if part.Bytes == 0 {
				continue
			}
			_, in := w.c.b.message(src, dst, part, Reduce, slices.Clone(got[i]), slices.Clone(w.before[dst]))
			next[slices.Index(line, dst)] = []int32{in}
		}
		got = next
	}
	for i, r := range line {
		if got[i] != nil {
			w.before[r] = got[i]
		}
	}
}

// spread gives block i of line[i] to all.
func (w *walk) spread(line []int, lo, m int) {
	got, all := make([][]int32, len(line)), make([][]int32, len(line))
	for i, r := range line {
		got[i] = w.before[r]
	}
	for step := range len(line) - 1 {
		next := make([][]int32, len(line))
		for i := range line {
			src, dst, part := w.block(line, i, step, lo, m)
			if part.Bytes == 0 {
				continue
			}
			_, in := w.c.b.message(src, dst, part, Recv, slices.Clone(got[i]), nil)
			to := slices.Index(line, dst)
			next[to] = []int32{in}
			all[to] = append(all[to], in)
		}
		got = next
	}
	for i, r := range line {
		w.before[r] = slices.Concat(w.before[r], all[i])
	}
}
