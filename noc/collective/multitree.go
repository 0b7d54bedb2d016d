package collective

import (
	"cmp"
	"fmt"
	"slices"
)

func init() {
	add("multitree", "One tree per rank, grown together link by link so that trees of a step share none.",
		"Huang, Majumder, Kim, Muzahid, Yum, Kim, Communication Algorithm-Architecture Co-Design for Distributed Deep Learning, ISCA 2021, algorithm 1",
		MultiTreeSpec{Pipeline: one.Pipeline, Search: SearchFull}, map[Operation]algorithm[MultiTreeSpec]{
			AllReduce:     func(c *chunk, s MultiTreeSpec) error { return c.multiTree(s, true, true) },
			ReduceScatter: func(c *chunk, s MultiTreeSpec) error { return c.multiTree(s, true, false) },
			AllGather:     func(c *chunk, s MultiTreeSpec) error { return c.multiTree(s, false, true) },
		})
}

// GridSpec describes a mesh or torus.
type GridSpec struct {
	Pipeline `yaml:",inline"`
	Dims     []int `yaml:"dims" doc:"Width and height of the grid that ranks stand in, row by row; left out: a square"`
	Wrap     bool  `yaml:"wrap" doc:"The grid is a torus"`
}

// MultiTreeSpec describes the grid and how trees are found.
type MultiTreeSpec struct {
	Pipeline `yaml:",inline"`
	Dims     []int  `yaml:"dims" doc:"Width and height of the grid that ranks stand in, row by row; left out: a square"`
	Wrap     bool   `yaml:"wrap" doc:"The grid is a torus"`
	Search   string `yaml:"search" jsonschema:"enum=full,enum=last" doc:"When a step of the search ends: full when no tree finds a free link; last when the last tree of a turn finds none, as in the authors' program, which takes more steps (34 for 32 on 8 x 8)"`
}

// The values of Search.
const (
	SearchFull = "full"
	SearchLast = "last"
)

// An edge of a tree: the child is reached in a step of the all-gather.
type edge struct{ root, parent, child int }

// multiTree moves block i along tree i: up for the sum, steps backwards, and down.
func (c *chunk) multiTree(s MultiTreeSpec, scatter, gather bool) error {
	w, h, err := gridOf(s.Dims, c.n)
	if err != nil {
		return err
	}
	if s.Search != SearchFull && s.Search != SearchLast {
		return fmt.Errorf("unknown search %q (want one of: %s, %s)", s.Search, SearchFull, SearchLast)
	}
	steps := growTrees(neighbours(w, h, s.Wrap, s.Search), turns(w, h, s.Wrap, s.Search), s.Search == SearchLast)
	if s.stepped() { // interfaces take the sends of a step by tree, as in the authors' program
		for _, step := range steps {
			slices.SortStableFunc(step, func(a, b edge) int { return cmp.Compare(a.root, b.root) })
		}
	}
	c.cut(c.n)
	if scatter {
		for t, step := range slices.Backward(steps) {
			c.step(len(steps) - 1 - t)
			for _, e := range step {
				c.send(e.child, e.parent, e.root, e.root+1, true)
			}
		}
	}
	if gather {
		c.gather()
		for t, step := range steps {
			c.step(len(steps) + t)
			for _, e := range step {
				c.send(e.parent, e.child, e.root, e.root+1, false)
			}
		}
	}
	return nil
}

// neighbours lists the links of a grid, in the order of the search.
func neighbours(w, h int, wrap bool, search string) [][]int {
	sides := [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
	if search == SearchLast {
		sides = [][2]int{{0, -1}, {0, 1}, {-1, 0}, {1, 0}}
	}
	out := make([][]int, w*h)
	for v := range out {
		x, y := v%w, v/w
		for _, d := range sides {
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

// turns is the order in which trees take turns, from the second turn on. The authors'
// program begins with those of the largest depth: what it takes for the distance to
// the farthest corner, the second part of which is the corner's own row less its
// column (network/kncube.py, distance). Of equal ones, as all of a torus are, the last
// goes first.
func turns(w, h int, wrap bool, search string) []int {
	order := upTo(w * h)
	if search == SearchFull {
		return order
	}
	depth := make([]int, w*h)
	for v := range depth {
		if wrap {
			break
		}
		for _, c := range [][2]int{{0, 0}, {w - 1, 0}, {0, h - 1}, {w - 1, h - 1}} {
			depth[v] = max(depth[v], abs(v/w-c[1])+abs(c[1]-c[0]))
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(depth[b], depth[a]), cmp.Compare(b, a)) })
	return order
}

func abs(x int) int { return max(x, -x) }

// growTrees grows a tree from each rank. In each step every link may be used once, by one tree;
// trees alternate, and each takes the first link from a rank that it had before the step to one
// that it does not have. With last a step ends when the last tree of a round has found none.
func growTrees(near [][]int, order []int, last bool) (steps [][]edge) {
	n := len(near)
	has := make([][]bool, n)
	members := make([][]int, n)
	for r := range n {
		has[r] = make([]bool, n)
		has[r][r] = true
		members[r] = append(make([]int, 0, n), r)
	}
	turn := upTo(n) // the first is by number
	for left := n * (n - 1); left > 0; {
		free := make([][]int, n)
		old := make([]int, n)
		for v := range n {
			free[v] = slices.Clone(near[v])
			old[v] = len(members[v])
		}
		var step []edge
		for grown := true; grown; turn = order {
			grown = false
			for _, r := range turn {
				e, ok := take(free, members[r][:old[r]], has[r])
				if ok {
					e.root = r
					has[r][e.child] = true
					members[r] = append(members[r], e.child)
					step = append(step, e)
					left--
				}
				grown = ok || grown && !last
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
