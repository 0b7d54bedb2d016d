package fusion

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// random is a small network of convolutions, poolings, sums and activations.
func random(r *rand.Rand, ops int) *graph.Graph {
	b := graph.NewBuilder("random")
	h, c := 8+r.IntN(20), 1+r.IntN(6)
	made := []graph.TensorID{b.Input("x", 1+r.IntN(3), c, h, h)}
	pick := func() graph.TensorID { return made[max(0, len(made)-1-r.IntN(3))] }
	for i := range ops {
		name, x := fmt.Sprintf("op%d", i), pick()
		s := b.Shape(x)
		switch k := r.IntN(6); {
		case k < 3:
			size := 1 + r.IntN(3)
			if s[2] < 4 {
				size = 1
			}
			stride := 1
			if s[2] > 8 && r.IntN(4) == 0 {
				stride = 2
			}
			made = append(made, b.Conv(name, x, graph.SquareConv(1+r.IntN(8), size, stride, r.IntN(size))))
		case k == 3 && s[2] > 6:
			made = append(made, b.Pool(name, x, graph.SquarePool(2+r.IntN(2), 1+r.IntN(2), 0)))
		case k == 4:
			for _, y := range made {
				if y != x && slices.Equal(b.Shape(y), s) {
					x, made = graph.None, append(made, b.Add(name, y, x))
					break
				}
			}
			if x == graph.None {
				continue
			}
			fallthrough
		default:
			made = append(made, b.Elementwise(name, "relu", x))
		}
	}
	b.Output(made[len(made)-1])
	g, err := b.Graph()
	if err != nil {
		panic(err)
	}
	return g
}

// groups cuts n units at random places.
func groups(r *rand.Rand, n int) [][]int {
	var cuts []int
	for i := 1; i < n; i++ {
		if r.IntN(3) == 0 {
			cuts = append(cuts, i)
		}
	}
	return Cuts(n, cuts...)
}

func options(r *rand.Rand) Options {
	return Options{Capacity: 1 << (9 + r.IntN(8)), Tiles: r.IntN(2) * (1 + r.IntN(9)), Recompute: r.IntN(2) == 0, Stream: r.IntN(3) == 0, Keep: r.IntN(2) == 0, Depth: 1 + r.IntN(3)}
}

// drafted is a plan before its graph is made; nil: it does not fit.
func drafted(g *graph.Graph, units, all [][]int, o Options) *draft {
	p := newPlanner(g, units, o)
	order, err := p.sort(all)
	if err != nil {
		panic(err)
	}
	d := p.draft()
	for _, x := range order {
		f := p.fused(x.units)
		if f == nil {
			return nil
		}
		d.append(f)
	}
	d.keep()
	return d
}

// Pieces on any number of cores, in any order that the waits allow, each as long as it
// likes: no byte of the scratchpad ever has two tenants, and none lies beyond its end. A
// result is there from the begin of the piece that makes it to the end of the last that
// reads it.
func TestCapacityIsNeverExceeded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	shared, tried := 0, 0
	for range 400 {
		g := random(r, 3+r.IntN(9))
		units, o := each(g), options(r)
		d := drafted(g, units, groups(r, len(units)), o)
		if d == nil {
			continue
		}
		tried++
		n := len(d.pieces)
		waits := make([][]int, n)
		for i := range d.pieces {
			waits[i] = append(waits[i], d.pieces[i].after...)
			if u := d.pieces[i].unit; d.stays(u) && i != d.by[u][0] {
				waits[i] = append(waits[i], d.by[u][0])
			}
		}
		d.alloc.waits(func(i, before int) {
			require.LessOrEqual(t, before, i, "a piece waits for a later one")
			if before < i {
				waits[i] = append(waits[i], before)
			}
		})
		// Any execution: a piece begins some time after all that it waits for.
		begin, end := make([]int, n), make([]int, n)
		for i := range n {
			for _, w := range waits[i] {
				begin[i] = max(begin[i], end[w])
			}
			begin[i] += r.IntN(3) * r.IntN(20)
			end[i] = begin[i] + 1 + r.IntN(10)
		}
		type stay struct{ from, to, lo, hi int }
		var all []stay
		for _, b := range d.alloc.blocks {
			s := stay{begin[b.writer], end[b.writer], int(b.offset), int(b.offset + b.bytes)}
			for _, x := range b.readers {
				s.to = max(s.to, end[x])
			}
			require.True(t, s.lo >= 0 && int64(s.hi) <= o.Capacity, "%+v of %d", b, o.Capacity)
			for _, y := range all {
				if y.lo < s.hi && s.lo < y.hi {
					shared++
					require.True(t, y.to <= s.from || s.to <= y.from, "%+v and %+v", y, s)
				}
			}
			all = append(all, s)
		}
	}
	require.Greater(t, tried, 150)
	require.Greater(t, shared, 1000, "bytes that several had, one after the other")
}

// What the pieces make is the network: shapes agree, every row of a result is made, all
// work is done, once where halos are kept.
func TestPiecesAreTheNetwork(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	more := 0
	for range 300 {
		g := random(r, 3+r.IntN(9))
		units, o := each(g), options(r)
		o.Capacity = 1 << 22
		p, err := New(g, units, groups(r, len(units)), o)
		require.NoError(t, err)
		require.NoError(t, p.Graph.Validate())
		macs, want := p.Graph.MACs(), g.MACs()
		if o.Recompute {
			if macs > want {
				more++
			}
		} else {
			require.Equal(t, want, macs)
		}
		rows := map[int]int64{} // by operator of the source
		for i := range p.Graph.Ops {
			rows[p.Source[i]] += rowsOf(p.Graph.Tensor(p.Graph.Ops[i].Out[0]))
		}
		for i := range g.Ops {
			need := rowsOf(g.Tensor(g.Ops[i].Out[0]))
			if !o.Recompute { // else some are made twice, and rows that strides leave out are not
				require.Equal(t, need, rows[i], g.Ops[i].Name)
			}
		}
		for _, b := range p.Before {
			require.Less(t, b[1], b[0], "an operator waits for a later one")
		}
	}
	require.Positive(t, more, "some rows are made twice")
}

// The search is at most 5% from the best of all groups of neighbours, which it is on
// small graphs.
func TestSearchIsNearExhaustive(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	worst, sum, n := 0.0, 0.0, 0
	for range 40 {
		g := random(r, 5+r.IntN(4))
		units := each(g)
		o := Options{Capacity: 1 << (8 + r.IntN(5)), Keep: true}
		best, err := Exhaustive(g, units, o)
		require.NoError(t, err)
		a, err := New(g, units, Search(g, units, o, 0), o)
		require.NoError(t, err)
		b, err := New(g, units, best, o)
		require.NoError(t, err)
		ratio := float64(a.OffChip()) / float64(b.OffChip())
		require.GreaterOrEqual(t, ratio, 1.0)
		worst, sum, n = max(worst, ratio), sum+ratio, n+1
	}
	require.Less(t, worst, 1.05)
	t.Logf("worst %.3f, mean %.4f", worst, sum/float64(n))
}

// Two convolutions of 3 x 3 over 16 rows in four parts, by hand: the first makes 5, 4, 4
// and 3 rows with halos kept, and 5, 6, 6, 5 with halos made again.
func TestTwoConvolutions(t *testing.T) {
	b := graph.NewBuilder("two")
	x := b.Conv("a", b.Input("x", 1, 2, 16, 16), graph.SquareConv(4, 3, 1, 1))
	b.Output(b.Conv("b", x, graph.SquareConv(3, 3, 1, 1)))
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	o := Options{Capacity: 4096, Tiles: 4, Depth: 1}
	heights := func(p *Plan) (out []string) {
		for i := range p.Graph.Ops {
			op := &p.Graph.Ops[i]
			out = append(out, fmt.Sprintf("%s %d>%d", op.Name, op.Kind.(graph.Conv).H, op.Kind.(graph.Conv).OutH()))
		}
		return out
	}
	p, err := New(g, each(g), [][]int{{0, 1}}, o)
	require.NoError(t, err)
	require.Equal(t, []string{"a.0 6>5", "b.0 5>4", "a.1 6>4", "b.1 6>4", "a.2 6>4", "b.2 6>4", "a.3 4>3", "b.3 5>4"}, heights(p))
	// Inputs with the rows that pieces share, weights once, results.
	require.Equal(t, Traffic{Weights: 2*4*9 + 4*3*9, Read: (6 + 6 + 6 + 4) * 16 * 2, Written: 16 * 16 * 3,
		PadRead: (5+6+6+5)*16*4 + 3*(2*4*9+4*3*9), PadWritten: 16 * 16 * 4}, p.Traffic)
	o.Recompute = true
	p, err = New(g, each(g), [][]int{{0, 1}}, o)
	require.NoError(t, err)
	require.Equal(t, []string{"a.0 6>5", "b.0 5>4", "a.1 8>6", "b.1 6>4", "a.2 8>6", "b.2 6>4", "a.3 6>5", "b.3 5>4"}, heights(p))
}

// What cannot be names the group and says why.
func TestRefuses(t *testing.T) {
	g, err := zoo.Build("resnet18", zoo.Params{Image: 64})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	units := each(g)
	_, err = New(g, units, [][]int{{0, 2}}, Options{Capacity: 1 << 20})
	require.EqualError(t, err, "group 0: is cyclic: group 0 (conv1...) waits for conv1.bn waits for group 0 (conv1...)")
	_, err = New(g, units, [][]int{{0, 1}, {1, 2}}, Options{Capacity: 1 << 20})
	require.EqualError(t, err, "group 1: conv1.bn is in group 0 too")
	_, err = New(g, units, [][]int{{0, 1, 2, 3}}, Options{Capacity: 4096, Tiles: 8})
	require.EqualError(t, err, "group 0: its results need 42176 B of the scratchpad while conv1 is made (in 8 tiles), 38080 more than the 4096 there are")
	_, err = Exhaustive(g, units, Options{Capacity: 4096})
	require.ErrorContains(t, err, "can be cut in 2^67 ways")
}

// A transformer block: keys and values are needed whole, everything else flows.
func TestTransformerBlock(t *testing.T) {
	g, err := zoo.Build("vit_b", zoo.Params{})
	require.NoError(t, err)
	g, err = g.Layers(0, 0)
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	units := each(g)
	var all []int
	for u := range units {
		all = append(all, u)
	}
	p, err := New(g, units, [][]int{all}, Options{Capacity: 16 << 20, Tiles: 8})
	require.NoError(t, err)
	require.NoError(t, p.Graph.Validate())
	require.Equal(t, g.MACs(), p.Graph.MACs())
	require.Equal(t, g.Bytes(graph.Weight), p.Weights+p.bias(g), "every weight once, but for vectors, which every piece reads")
	require.EqualValues(t, 197*768, p.Written)
}

// bias is what is read too little of vectors, as a negative number: they are read by each
// piece.
func (p *Plan) bias(g *graph.Graph) (n int64) {
	seen := map[string]int64{}
	for i := range p.Graph.Ops {
		for _, id := range p.Graph.Ops[i].In {
			if x := p.Graph.Tensor(id); x.Role == graph.Weight && len(x.Shape) < 2 {
				if seen[x.Name]++; seen[x.Name] > 1 {
					n -= x.Bytes()
				}
			}
		}
	}
	return n
}

// each returns one unit per operator, without views.
func each(g *graph.Graph) (out [][]int) {
	for i := range g.Ops {
		if !view(&g.Ops[i]) {
			out = append(out, []int{i})
		}
	}
	return out
}
