package nest

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/search"
)

// conv is a convolution with a stride and halos: dims K C P R, sizes small and with
// several factors.
func conv(sizes [4]int64, stride int64) *Problem {
	p := &Problem{Name: "conv"}
	for i, name := range []string{"K", "C", "P", "R"} {
		p.Dims = append(p.Dims, Dim{name, sizes[i]})
	}
	p.Tensors = []Tensor{
		{Name: "Weights", Ranks: [][]Term{{{0, 1}}, {{1, 1}}, {{3, 1}}}},
		{Name: "Inputs", Ranks: [][]Term{{{1, 1}}, {{2, stride}, {3, 1}}}},
		{Name: "Outputs", Ranks: [][]Term{{{0, 1}}, {{2, 1}}}, Written: true},
	}
	return p
}

// machine has an outer memory, a fan-out, a buffer, a fan-out, registers, compute.
func machine(x, y int64) *Arch {
	one := Level{WordBits: 8, Block: 1, Cluster: 1, Buffering: 1, Mesh: Mesh{1, 1}, Energy: Actions{Read: 2, Write: 3, Update: 5}}
	dram, buffer, regs := one, one, one
	dram.Name, buffer.Name, regs.Name = "DRAM", "Buffer", "Registers"
	buffer.Mesh, regs.Mesh = Mesh{x, 1}, Mesh{x, y}
	return &Arch{Levels: []Level{dram, buffer, regs}, Compute: Compute{Name: "MAC", Mesh: Mesh{x, y}, Energy: 1}}
}

// draw makes a problem, a machine and a legal mapping of them.
func draw(t *rapid.T) (*Nest, *Mapping) {
	size := rapid.SampledFrom([]int64{1, 2, 3, 4, 6, 8, 12})
	p := conv([4]int64{size.Draw(t, "K"), size.Draw(t, "C"), size.Draw(t, "P"), size.Draw(t, "R")}, rapid.Int64Range(1, 3).Draw(t, "stride"))
	n, err := New(p, machine(4, 6), nil, rapid.SampledFrom([]Rules{Rules2024, Rules2025}).Draw(t, "rules"))
	require.NoError(t, err)
	s, err := NewSpace(n, Free(3, 4), "edp")
	require.NoError(t, err)
	w := s.Walker()
	m := w.New()
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	for !w.Random(r, m) {
	}
	return n, m
}

// total is a count of a level over all its instances.
func (c *Counts) total(words float64) float64 { return words * c.Instances }

// The points of the nest are conserved, every output is stored once, and what a level
// reads is what the level below fills, less what is multicast.
func TestConservation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := draw(t)
		require.NoError(t, n.Legal(m))
		var r Result
		n.Evaluate(m, &r)
		require.Equal(t, n.p.MACs(), r.Steps*r.ComputeInstances)
		out := 2
		c := r.Of(0, out)
		require.Equal(t, n.whole[out], c.Actual.Updates-c.Actual.Reads, "outputs that are stored")
		for k := range n.p.Tensors {
			for l := range n.nL {
				c := r.Of(l, k)
				if !c.Kept {
					continue
				}
				if b := n.below(&r, l, k); b >= 0 {
					in := r.Of(b, k)
					most := in.Instances / c.Instances // instances that one read can serve
					if n.p.Tensors[k].Written {
						require.LessOrEqual(t, c.total(c.Actual.Updates), in.total(in.Actual.Fills)+in.Partition*in.Instances+1e-6)
						continue
					}
					require.GreaterOrEqual(t, c.total(c.Actual.Reads)*most, in.total(in.Actual.Fills))
					require.LessOrEqual(t, c.total(c.Actual.Reads), in.total(in.Actual.Fills))
				}
			}
		}
	})
}

// Names and the order in which dimensions and tensors are listed mean nothing.
func TestRenaming(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := draw(t)
		perm := rapid.Permutation([]int{0, 1, 2, 3}).Draw(t, "dims") // new place of a dimension
		p := &Problem{Dims: make([]Dim, 4)}
		for d, to := range perm {
			p.Dims[to] = Dim{"x" + n.p.Dims[d].Name, n.p.Dims[d].Size}
		}
		for k := len(n.p.Tensors) - 1; k >= 0; k-- {
			x := n.p.Tensors[k]
			x.Ranks = nil
			for _, r := range n.p.Tensors[k].Ranks {
				var to []Term
				for _, y := range r {
					to = append(to, Term{perm[y.Dim], y.Coef})
				}
				x.Ranks = append([][]Term{to}, x.Ranks...)
			}
			p.Tensors = append(p.Tensors, x)
		}
		q := m.Clone()
		for l := range q.Levels {
			q.Levels[l].Keep = 0
			for k := range 3 {
				if m.Levels[l].Keep.Has(k) {
					q.Levels[l].Keep |= 1 << uint(2-k)
				}
			}
			for _, loops := range [2][]Loop{q.Levels[l].Temporal, q.Levels[l].Spatial} {
				for i := range loops {
					loops[i].Dim = perm[loops[i].Dim]
				}
			}
		}
		n2, err := New(p, n.a, nil, n.rules)
		require.NoError(t, err)
		var a, b Result
		n.Evaluate(m, &a)
		n2.Evaluate(q, &b)
		require.Equal(t, a.Cycles, b.Cycles)
		require.InEpsilon(t, a.Energy, b.Energy, 1e-12)
		for l := range n.nL {
			for k := range 3 {
				require.Equal(t, *a.Of(l, k), *b.Of(l, 2-k))
			}
		}
	})
}

// A loop cut into two of the same dimension, one right inside the other, counts as it
// did.
func TestSplitLoop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := draw(t)
		q := m.Clone()
		for l := range q.Levels {
			var loops []Loop
			for _, x := range q.Levels[l].Temporal {
				f := int64(1)
				for _, d := range []int64{2, 3} {
					if x.Factor%d == 0 && rapid.Bool().Draw(t, "cut") {
						f = d
						break
					}
				}
				if f > 1 {
					loops = append(loops, Loop{Dim: x.Dim, Factor: f})
				}
				loops = append(loops, Loop{Dim: x.Dim, Factor: x.Factor / f})
			}
			q.Levels[l].Temporal = loops
		}
		var a, b Result
		n.Evaluate(m, &a)
		n.Evaluate(q, &b)
		require.Equal(t, a.Cycles, b.Cycles)
		require.Equal(t, a.Counts, b.Counts)
	})
}

// slow counts by going through every point of the nest, in the plainest way: the fills
// of a level are the elements of each tile that were not in the one before, where the
// rules keep them.
func slowFills(n *Nest, m *Mapping, level, t int) float64 {
	type step struct {
		dim, level    int
		factor, inner int64
	}
	inner := make([]int64, n.nD)
	for d := range inner {
		inner[d] = 1
	}
	extent := make([]int64, n.nD)
	var loops []step // temporal loops above the level, innermost first
	for l := n.nL - 1; l >= 0; l-- {
		for k, list := range [2][]Loop{m.Levels[l].Spatial, m.Levels[l].Temporal} {
			for _, x := range list {
				if l < level && k == 1 && x.Factor > 1 {
					loops = append(loops, step{x.Dim, l, x.Factor, inner[x.Dim]})
				}
				inner[x.Dim] *= x.Factor
			}
		}
		if l == level {
			copy(extent, inner)
		}
	}
	index := make([]int64, len(loops))
	var before map[[4]int64]bool
	fills := 0.0
	for {
		base := make([]int64, n.nD)
		for i, x := range loops {
			base[x.dim] += index[i] * x.inner
		}
		tile := map[[4]int64]bool{}
		at := make([]int64, n.nD)
		var walk func(d int)
		walk = func(d int) {
			if d == n.nD {
				var e [4]int64
				for i, r := range n.p.Tensors[t].Ranks {
					for _, y := range r {
						e[i] += y.Coef * (base[y.Dim] + at[y.Dim])
					}
				}
				tile[e] = true
				return
			}
			if !n.dims[t].Has(d) {
				walk(d + 1)
				return
			}
			for at[d] = 0; at[d] < extent[d]; at[d]++ {
				walk(d + 1)
			}
			at[d] = 0
		}
		walk(0)
		for e := range tile {
			if !before[e] {
				fills++
			}
		}
		before = tile
		i := 0
		for ; i < len(loops); i++ {
			if index[i]++; index[i] < loops[i].factor {
				break
			}
			index[i] = 0
		}
		if i == len(loops) {
			return fills
		}
	}
}

// The closed form counts what going through every tile finds, for tensors without
// halos: there both rules say the same.
func TestDumbTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := draw(t)
		var r Result
		n.Evaluate(m, &r)
		for l := 1; l < n.nL; l++ {
			if c := r.Of(l, 0); c.Kept {
				fills := slowFills(n, m, l, 0)
				require.LessOrEqual(t, fills, c.Actual.Fills)
				// The plain walk also finds what one outer loop leaves at its end and
				// begins with again; Timeloop fetches that anew.
				if !n.turnsBack(m, l, 0) {
					require.Equal(t, fills, c.Actual.Fills)
				}
			}
		}
	})
}

// turnsBack reports whether a loop that does not move the tile lies outside one that does.
func (n *Nest) turnsBack(m *Mapping, level, t int) bool {
	moved := false
	for l := level - 1; l >= 0; l-- {
		for _, x := range m.Levels[l].Temporal {
			if x.Factor == 1 {
				continue
			}
			if n.dims[t].Has(x.Dim) {
				moved = true
			} else if moved {
				return true
			}
		}
	}
	return false
}

// An imperfect mapping conserves the points of the nest and the traffic of a tensor
// whose ranks have one dimension each.
func TestImperfect(t *testing.T) {
	p := conv([4]int64{10, 1, 1, 1}, 1)
	n, err := New(p, machine(4, 1), nil, Rules2024)
	require.NoError(t, err)
	m := &Mapping{Levels: []Placed{
		{Temporal: []Loop{{Dim: 0, Factor: 2}}, Spatial: []Loop{{Dim: 0, Factor: 4, Axis: SpaceX}}, Keep: 7},
		{Keep: 7}, {Temporal: []Loop{{Dim: 0, Factor: 2}}, Keep: 7},
	}}
	require.NoError(t, n.Legal(m))
	var r Result
	n.Evaluate(m, &r)
	// 10 = 2 rounds over 4 instances of 2 elements: the second round has one instance.
	require.EqualValues(t, 10, r.MACs)
	require.EqualValues(t, 4, r.Steps)
	require.EqualValues(t, 4, r.ComputeInstances)
	w := r.Of(1, 0)
	require.InDelta(t, 10, w.total(w.Actual.Fills), 1e-9)
	require.InDelta(t, 10, r.Of(0, 0).Actual.Reads, 1e-9)
	require.InDelta(t, 10, r.Of(0, 2).Actual.Updates-r.Of(0, 2).Actual.Reads, 1e-9)
	m.Levels[0].Temporal[0].Factor = 3
	require.EqualError(t, n.Legal(m), "factors of K multiply to 24, its size is 10: the last of 3 iterations at DRAM has nothing to do")
}

// Exhaustive search sees each mapping once and nothing is cheaper than what it finds.
func TestExhaustiveIsTheLeast(t *testing.T) {
	n, err := New(conv([4]int64{4, 2, 3, 1}, 1), machine(2, 2), nil, Rules2024)
	require.NoError(t, err)
	n.a.Levels[1].Words, n.a.Levels[2].Words = 24, 10
	c := Free(3, 4)
	for l := 1; l < 3; l++ {
		c.Levels[l].Keep = 7
	}
	s, err := NewSpace(n, c, "edp")
	require.NoError(t, err)
	w := s.Walker()
	var all []string
	least := 0.0
	for part := range 3 {
		w.All(part, 3, w.New(), func(m *Mapping) bool {
			require.NoError(t, n.Legal(m))
			all = append(all, print(m))
			if x := w.Cost(m); least == 0 || x < least {
				least = x
			}
			return true
		})
	}
	slices.Sort(all)
	require.Greater(t, len(all), 200)
	require.Len(t, slices.Compact(slices.Clone(all)), len(all), "each mapping once")
	_, full, err := search.Run(context.Background(), s, search.Options{Algorithm: search.Exhaustive})
	require.NoError(t, err)
	require.Equal(t, least, full.Cost)
	_, walk, err := search.Run(context.Background(), s, search.Options{Algorithm: search.Local, Evaluations: 20_000})
	require.NoError(t, err)
	require.Equal(t, least, walk.Cost)
	r := rand.New(rand.NewPCG(5, 5))
	for m, i := w.New(), 0; i < 2000; i++ {
		if w.Random(r, m) {
			require.NoError(t, n.Legal(m))
			require.GreaterOrEqual(t, w.Cost(m), least)
		}
	}
}

// print is a mapping without its loops of one iteration.
func print(m *Mapping) string {
	s := ""
	for i := range m.Levels {
		for _, loops := range [2][]Loop{m.Levels[i].Temporal, m.Levels[i].Spatial} {
			for _, x := range loops {
				if x.Factor > 1 {
					s += string(rune('a'+x.Dim)) + string(rune('0'+x.Factor)) + string(rune('A'+int(x.Axis)))
				}
			}
			s += "|"
		}
		s += string(rune('0' + int(m.Levels[i].Keep)))
	}
	return s
}

// Where levels are so small that hardly a draw fits, loops move to the outermost level
// until one does: a search finds a mapping if there is any.
func TestSmallLevels(t *testing.T) {
	a := machine(4, 6)
	a.Levels[1].Words, a.Levels[2].Words = 6, 3
	n, err := New(conv([4]int64{16, 16, 16, 8}, 1), a, nil, Rules2024)
	require.NoError(t, err)
	c := Free(3, 4)
	for l := range c.Levels {
		c.Levels[l].Keep = 7
	}
	s, err := NewSpace(n, c, "edp")
	require.NoError(t, err)
	m, _, err := search.Run(context.Background(), s, search.Options{Algorithm: search.Local, Evaluations: 32})
	require.NoError(t, err)
	require.NoError(t, n.Legal(m))
}
