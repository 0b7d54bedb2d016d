package collective

import "slices"

func init() {
	add("multitree", "One tree per rank, grown together link by link so that trees of a step share none.",
		"Huang, Majumder, Kim, Muzahid, Yum, Kim, Communication Algorithm-Architecture Co-Design for Distributed Deep Learning, ISCA 2021, algorithm 1",
		GridSpec{Pipeline: one.Pipeline}, map[Operation]algorithm[GridSpec]{
			AllReduce:     func(c *chunk, s GridSpec) error { return c.multiTree(s, true, true) },
			ReduceScatter: func(c *chunk, s GridSpec) error { return c.multiTree(s, true, false) },
			AllGather:     func(c *chunk, s GridSpec) error { return c.multiTree(s, false, true) },
		})
}

// GridSpec describes a mesh or torus.
type GridSpec struct {
	Pipeline `yaml:",inline"`
	Dims     []int `yaml:"dims" doc:"Width and height of the grid that ranks stand in, row by row; left out: a square"`
	Wrap     bool  `yaml:"wrap" doc:"The grid is a torus"`
}

// An edge of a tree: the child is reached in a step of the all-gather.
type edge struct{ root, parent, child int }

// multiTree moves block i along tree i: up for the sum, steps backwards, and down.
func (c *chunk) multiTree(s GridSpec, scatter, gather bool) error {
	w, h, err := gridOf(s.Dims, c.n)
	if err != nil {
		return err
	}
	steps := growTrees(neighbours(w, h, s.Wrap))
	c.cut(c.n)
	if scatter {
		for _, step := range slices.Backward(steps) {
			for _, e := range step {
				c.send(e.child, e.parent, e.root, e.root+1, true)
			}
		}
	}
	if gather {
		for _, step := range steps {
			for _, e := range step {
				c.send(e.parent, e.child, e.root, e.root+1, false)
			}
		}
	}
	return nil
}

// neighbours lists who is linked with whom in a grid.
func neighbours(w, h int, wrap bool) [][]int {
	out := make([][]int, w*h)
	for v := range out {
		x, y := v%w, v/w
		for _, d := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			nx, ny := x+d[0], y+d[1]
			if wrap {
				nx, ny = (nx+w)%w, (ny+h)%h
			}
			if u := nx + w*ny; nx >= 0 && ny >= 0 && nx < w && ny < h && u != v && !slices.Contains(out[v], u) {
				out[v] = append(out[v], u)
			}
		}
	}
	return out
}

// growTrees grows a tree from each rank. In each step every link may be used
// once, by one tree; trees take turns, and each takes the first link that leads
// from a rank it had before the step to one that it has not.
func growTrees(near [][]int) (steps [][]edge) {
	n := len(near)
	has := make([][]bool, n)
	members := make([][]int, n)
	for r := range n {
		has[r] = make([]bool, n)
		has[r][r] = true
		members[r] = append(make([]int, 0, n), r)
	}
	for left := n * (n - 1); left > 0; {
		free := make([][]int, n)
		old := make([]int, n)
		for v := range n {
			free[v] = slices.Clone(near[v])
			old[v] = len(members[v])
		}
		var step []edge
		for grown := true; grown; {
			grown = false
			for r := range n {
				if e, ok := take(free, members[r][:old[r]], has[r]); ok {
					e.root = r
					has[r][e.child] = true
					members[r] = append(members[r], e.child)
					step = append(step, e)
					left--
					grown = true
				}
			}
		}
		if len(step) == 0 {
			panic("collective: a grid that is not connected")
		}
		steps = append(steps, step)
	}
	return steps
}

func take(free [][]int, members []int, has []bool) (edge, bool) {
	for _, p := range members {
		for i, u := range free[p] {
			if !has[u] {
				free[p] = slices.Delete(free[p], i, i+1)
				return edge{parent: p, child: u}, true
			}
		}
	}
	return edge{}, false
}
