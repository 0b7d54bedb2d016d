package replay

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/collective"
)

// base is the messages of an N-th of a vector.
func base(params int64, n int) float64 {
	return math.Ceil(float64(4*params) / 8192 / float64(n))
}

// ring2Dn is the artifact's ring2dn: a part of a line goes around on it for 2n-3
// steps, to the end, back to the start and up to where it came from, although it has
// met every other part before. It runs without strict steps. With apart flows of the halves have
// numbers of their own, which the artifact's have not: a part that has come lets the other
// half's go on there, too, and sums are wrong.
func ring2Dn(n int, params int64, apart bool) *artifact {
	nodes := n * n
	a := &artifact{interfaces: 4, nodes: make([]anode, nodes)}
	last := 2*n - 3
	type edge struct{ child, parent, flow int }
	// walk is the way of the part that ends with a node, backwards.
	walk := func(node, dim int) (out []edge) {
		stride, pos := 1, node%n
		if dim == 1 {
			stride, pos = n, node/n
		}
		at, dir := pos, 1
		for range last {
			if at == n-1 {
				if pos == 0 {
					break
				}
				dir = -1
			} else if at == 0 && pos != 0 {
				dir = 1
			}
			flow := node*4 + 2*dim
			if dir < 0 {
				flow++
			}
			p := node + (at-pos)*stride
			out = append(out, edge{p + dir*stride, p, flow})
			at += dir
		}
		return out
	}
	other := func(node, dim int) []edge { // of the half that goes along this dimension second
		w := walk(node, dim)
		for i := range w {
			if apart {
				w[i].flow += 1 << 10
			}
		}
		return w
	}
	most := func(x float64) int { return int(math.Ceil(x)) }
	b := base(params, nodes)
	for node := range nodes {
		for dim := range 2 {
			first, second := walk(node, dim), other(node, 1-dim)
			large, small := most(b*.5*float64(n)), most(b*.5)
			for t, e := range first {
				var needs []afrom
				if t+1 < len(first) {
					needs = []afrom{{first[t+1].flow, first[t+1].child}}
				}
				a.nodes[e.child].put(0, last-t-1, asend{e.parent, e.flow, large, needs})
				from := []afrom{}
				if t > 0 {
					from = append(from, afrom{1<<20 | first[t-1].flow, first[t-1].parent})
				} else {
					next := node + n
					if dim == 0 && node/n == n-1 {
						next = node % n
					}
					if dim == 1 {
						if next = node + 1; node%n == n-1 {
							next = node - n + 1
						}
					}
					w := other(next, 1-dim)
					from = append(from, afrom{1<<20 | w[len(w)-1].flow, w[len(w)-1].parent})
				}
				a.nodes[e.parent].put(1, last+t, asend{e.child, 1<<20 | e.flow, large, from})
			}
			for t, e := range second {
				var needs []afrom
				if t+1 < len(second) {
					needs = []afrom{{second[t+1].flow, second[t+1].child}}
				} else {
					w := walk(e.child, dim)
					needs = []afrom{{w[0].flow, w[0].child}}
				}
				a.nodes[e.child].put(0, 2*last-t-1, asend{e.parent, e.flow, small, needs})
				var from []afrom
				if t > 0 {
					from = []afrom{{1<<20 | second[t-1].flow, second[t-1].parent}}
				}
				a.nodes[e.parent].put(1, t, asend{e.child, 1<<20 | e.flow, small, from})
			}
			a.nodes[node].last = append(a.nodes[node].last, afrom{second[0].flow, second[0].child})
		}
	}
	return a
}

// multiTree is the artifact's multitree: trees by step.
func multiTree(n int, params int64, steps [][][3]int) *artifact {
	a := &artifact{interfaces: 4, strict: true, nodes: make([]anode, n*n)}
	m := int(base(params, n*n))
	parent := map[[2]int]int{}
	children := map[[2]int][]int{}
	for _, s := range steps {
		slices.SortStableFunc(s, func(a, b [3]int) int { return a[0] - b[0] })
		for _, e := range s {
			root, p, c := e[0], e[1], e[2]
			parent[[2]int{root, c}] = p
			children[[2]int{root, p}] = append(children[[2]int{root, p}], c)
		}
	}
	for t, s := range steps {
		for _, e := range s {
			root, p, c := e[0], e[1], e[2]
			var needs []afrom
			for _, x := range children[[2]int{root, c}] {
				needs = append(needs, afrom{root, x})
			}
			a.nodes[c].put(0, len(steps)-1-t, asend{p, root, m, needs})
			var from []afrom
			if p != root {
				from = []afrom{{1<<20 | root, parent[[2]int{root, p}]}}
			}
			a.nodes[p].put(1, t, asend{c, 1<<20 | root, m, from})
		}
	}
	for root := range n * n {
		for _, x := range children[[2]int{root, root}] {
			a.nodes[root].last = append(a.nodes[root].last, afrom{root, x})
		}
	}
	return a
}

// doubleTree is the artifact's dtree: edges of two colours, which take turns.
func doubleTree(nodes int, params int64) *artifact {
	a := &artifact{interfaces: 1, strict: true, nodes: make([]anode, nodes)}
	m := int(base(params, nodes))
	up := func(rank int) int { // of the first tree
		if rank == 0 {
			return -1
		}
		bit := rank & -rank
		if u := rank ^ bit | bit<<1; u < nodes {
			return u
		}
		return rank ^ bit
	}
	twin := func(v int) int {
		if v < 0 {
			return v
		}
		return nodes - 1 - v
	}
	parent := func(tree, v int) int {
		if tree == 0 {
			return up(v)
		}
		return twin(up(twin(v)))
	}
	var colour [2][]int
	for k := range colour {
		colour[k] = make([]int, nodes)
	}
	var inner func(v int) int
	inner = func(v int) int { // of the edge to the parent, in the tree where v is inside
		tree := v % 2
		p := parent(tree, v)
		if p < 0 {
			return tree
		}
		c := inner(p)
		if (nodes/2)%2 == 1 {
			c ^= 1
		}
		if (tree == 0) == (p < v) && p != v {
			c ^= 1
		}
		return c
	}
	for v := range nodes {
		colour[v%2][v] = inner(v)
		colour[1-v%2][v] = 1 - inner(v)
	}
	for tree := range 2 {
		kids := make([][]int, nodes)
		root := 0
		for v := range nodes {
			if p := parent(tree, v); p >= 0 {
				kids[p] = append(kids[p], v)
			} else {
				root = v
			}
		}
		// Levels by height, leaves first; a step for each colour that a level has.
		height := func(v int) int {
			if tree == 1 {
				v = twin(v)
			}
			if v == 0 {
				return bits.Len(uint(nodes - 1))
			}
			return bits.TrailingZeros(uint(v))
		}
		stage, stages := make([]int, nodes), 0
		c := 1
		for h := range bits.Len(uint(nodes-1)) + 1 {
			var level []int
			for v := range nodes {
				if height(v) == h && v != root {
					level = append(level, v)
				}
			}
			for len(level) > 0 {
				var rest []int
				for _, v := range level {
					if colour[tree][v] == c {
						stage[v] = stages
					} else {
						rest = append(rest, v)
					}
				}
				level = rest
				stages++
				c ^= 1
			}
		}
		down := make([]int, nodes)
		open, step := kids[root], 0
		for c = 1; len(open) > 0; c ^= 1 {
			var rest []int
			for _, v := range open {
				if colour[tree][v] == c {
					down[v] = step
					rest = append(rest, kids[v]...)
				} else {
					rest = append(rest, v)
				}
			}
			open = rest
			step++
		}
		for v := range nodes {
			for f := range nodes / 2 {
				flow := tree*nodes/2 + f
				if p := parent(tree, v); p >= 0 {
					var needs, from []afrom
					for _, x := range kids[v] {
						needs = append(needs, afrom{flow, x})
					}
					a.nodes[v].put(0, 2*f+stage[v], asend{p, flow, m, needs})
					if p != root {
						from = []afrom{{1<<20 | flow, parent(tree, p)}}
					}
					a.nodes[p].put(1, 2*f+down[v], asend{v, 1<<20 | flow, m, from})
				}
				for _, x := range kids[v] {
					a.nodes[v].last = append(a.nodes[v].last, afrom{flow, x})
				}
			}
		}
	}
	return a
}

// endpoint is what the artifact does for an algorithm of those that it runs in steps,
// nil for another.
func endpoint(name string, nodes int, params int64) *artifact {
	n := int(math.Sqrt(float64(nodes)))
	var a *artifact
	switch name {
	case "ring2dn":
		a = ring2Dn(n, params, false)
	case "dtree":
		a = doubleTree(nodes, params)
	case "multitree":
		a = multiTree(n, params, collective.Trees(n, n, collective.SearchLast))
	default:
		return nil
	}
	// An estimate of its own of what a step takes, in cycles of a message for one
	// flit: 58 messages find room in buffers.
	m := int(base(params, nodes))
	a.late = m
	if m > 58 {
		a.late = 17*m - 16*58
	}
	return a
}

// How far figures with the endpoint of the artifact are off the published, in %: up
// to 256 MB by CAUSEWAY_LONG. The first is what noc/collective has without it (allowed).
//
//	                  without      packets
//	2D ring           -8 to +35    -11.0 to +0.4, from 32 MB on on 4 x 4 -1.2 to -0.3
//	multitree         -18 to +7    -7.5 to +2.3
//	double tree 4 x 4 -1 to -24    -5.2 to +0.8
//	double tree 8 x 8 -13 to -26   -2.4 to +0.8
//
// So the steps and the buffers are what makes the difference. What is left is the order
// of events in one cycle, which the artifact leaves to hashes.
func TestArtifactSteps(t *testing.T) {
	for _, row := range stepped(t) {
		params, nodes := number(t, row["params"]), int(number(t, row["nodes"]))
		if params > 64<<20 || params > limit() && (params > 5<<20 || nodes == 16 || nodes == 64) {
			continue
		}
		a := endpoint(row["alg"], nodes, params)
		if a == nil {
			continue
		}
		b := map[string]deviation{"ring2dn": {-11.1, .5}, "dtree": {-5.3, .9}, "multitree": {-7.6, 2.4}}[row["alg"]]
		if row["alg"] == "dtree" && nodes == 64 {
			b.lo = -2.5
		}
		top, alg := anyMesh(t, int(math.Sqrt(float64(nodes))))
		got, want := a.run(t, top, alg), number(t, row["cycles"])
		off := 100 * (float64(got)/float64(want) - 1)
		t.Logf("%-9s %2d nodes, %9d params: %9d, published %9d, %+.2f%%", row["alg"], nodes, params, got, want, off)
		require.GreaterOrEqual(t, off, b.lo)
		require.LessOrEqual(t, off, b.hi)
	}
}

// The artifact's figures of 2D ring come from its mistake: with flows of their own for each
// half, so that sums are right, its endpoint takes up to 30% more of a small vector. Kind
// ranks with the same rules (ring_2d_steps of configs/studies/tto) takes 221,123, 75,320 and
// 87,884 cycles of these.
func TestArtifactRing2DWithRightSums(t *testing.T) {
	for _, x := range []struct {
		n      int
		params int64
		ours   float64
	}{{3, 864000, 221123}, {4, 262144, 75320}, {8, 262144, 87884}} {
		top, alg := anyMesh(t, x.n)
		wrong, right := ring2Dn(x.n, x.params, false).run(t, top, alg), ring2Dn(x.n, x.params, true).run(t, top, alg)
		t.Logf("%d x %d: %d, with right sums %d", x.n, x.n, wrong, right)
		require.Greater(t, float64(right), 1.2*float64(wrong))
		require.InEpsilon(t, x.ours, right, .04)
	}
}

// stepped is the artifact's results, in one form.
func stepped(t *testing.T) []map[string]string {
	rows := table(t, "testdata/tto_bandwidth.csv")
	for _, row := range table(t, "testdata/tto_scalability.csv") {
		row["cycles"] = row["allreduce_cycles"]
		rows = append(rows, row)
	}
	return rows
}
