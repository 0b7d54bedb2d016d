package mapping

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Grids on n cores, told again by their rules: parts of an axis divide n, or are all that the axis has, or, with even
// set, parts of equal lengths; images are cut before their rows; rows of a transposed convolution are not cut; and no grid
// leaves more cores idle than half of the best one's.
func TestDivisionsAreAllGrids(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := func(name string, most int) int { return rapid.IntRange(1, most).Draw(t, name) }
		batch, images, rows, cols, n := size("batch", 6), size("images", 4), size("rows", 9), size("cols", 12), size("cores", 20)
		unit, even := int64(rapid.SampledFrom([]int{1, 4}).Draw(t, "unit")), rapid.Bool().Draw(t, "even")
		all := product.Share{Batch: product.Part{To: int64(batch)}, Image: product.Part{To: int64(images)}, Row: product.Part{To: int64(rows)}, N: product.Part{To: int64(cols) * unit}}
		fits := func(parts, length int) bool { return n%parts == 0 || parts == length || even && length%parts == 0 }
		if unit > 1 {
			rows = 1
		}
		want, most := map[division]bool{}, 0
		for b := 1; b <= batch; b++ {
			for i := 1; i <= images; i++ {
				for r := 1; r <= rows; r++ {
					for c := 1; c <= cols; c++ {
						d := division{b, i, r, c, 0}
						if d.cores() <= n && fits(b, batch) && fits(i, images) && fits(r, rows) && fits(c, cols) && (r == 1 || i >= min(images, n/(c*r))) {
							want[d], most = true, max(most, d.cores())
						}
					}
				}
			}
		}
		for d := range want {
			if d.cores() > 1 && 2*d.cores() <= most {
				delete(want, d)
			}
		}
		got := divisions(&all, unit, n, even)
		require.Len(t, got, len(want), "none twice")
		for _, d := range got {
			require.True(t, want[d], "%+v of %+v on %d", d, all, n)
			// Its portions cover everything once, and none is larger than the first.
			g := grids{all: &all, unit: unit, length: 24}
			first, volume := g.first(d), int64(0)
			for c, q := range d.portions(nil, &all, unit, 24) {
				require.Equal(t, [2]int{c, c}, [2]int{q.core, q.part})
				require.LessOrEqual(t, q.sh.Size(), first.sh.Size())
				volume += q.sh.Size()
			}
			require.Equal(t, all.Size(), volume)
		}
		// With the sum cut too, each group of k cores has one part of the results and all of the sum.
		d := got[rapid.IntRange(0, len(got)-1).Draw(t, "grid")]
		d.k = 3
		g := grids{all: &all, unit: unit, length: 24}
		portions := d.portions(nil, &all, unit, 24)
		require.Len(t, portions, d.cores())
		require.Equal(t, product.Part{From: 0, To: 8}, g.first(d).sh.K)
		require.Equal(t, dma.Fetch{At: 0, Of: 3}, g.first(d).sh.Sum)
		for c, q := range portions {
			j := int64(c % 3)
			require.Equal(t, product.Part{From: j * 8, To: j*8 + 8}, q.sh.K)
			require.Equal(t, dma.Fetch{At: j, Of: 3}, q.sh.Sum)
			require.Equal(t, portions[c/3*3].sh.N, q.sh.N)
			require.Equal(t, portions[c/3*3].sh.Row, q.sh.Row)
		}
	})
}

// Cores that fetch an operand together are those that read the same part of it: of inputs those of one range of rows, of
// weights those of one range of columns, each at a place of its own.
func TestWhoFetchesTogether(t *testing.T) {
	all := product.Share{Batch: product.Part{To: 2}, Image: product.Part{To: 3}, Row: product.Part{To: 8}, N: product.Part{To: 12}}
	for _, d := range []division{{2, 3, 4, 6, 0}, {1, 1, 2, 4, 0}, {2, 1, 1, 3, 2}, {1, 3, 1, 1, 0}} {
		portions := d.portions(nil, &all, 1, 16)
		d.shareFetches(portions, &all, 1)
		for operand, same := range []func(a, b *product.Share) bool{
			func(a, b *product.Share) bool {
				return a.Batch == b.Batch && a.Image == b.Image && a.Row == b.Row && a.K == b.K
			},
			func(a, b *product.Share) bool { return a.Batch == b.Batch && a.N == b.N && a.K == b.K },
		} {
			for i := range portions {
				places, n := map[int64]bool{}, int64(0)
				for j := range portions {
					if same(&portions[i].sh, &portions[j].sh) {
						n++
						places[portions[j].sh.Fetches[operand].At] = true
					}
				}
				require.Equal(t, n, max(portions[i].sh.Fetches[operand].Of, 1), "%+v", d)
				require.Len(t, places, int(n))
			}
		}
	}
	uneven := division{1, 1, 3, 1, 0} // 8 rows
	portions := uneven.portions(nil, &all, 1, 16)
	uneven.shareFetches(portions, &all, 1)
	require.Zero(t, portions[0].sh.Fetches)
	for text, want := range map[string]bool{"": true, "auto": true, "all": true, "none": false} {
		require.Equal(t, want, (&Spec{Multicast: text}).casts(&machine.Core{Memory: machine.Memory{Home: "Mem"}}), text)
		require.Equal(t, text == "all", (&Spec{Multicast: text}).casts(&machine.Core{Memory: machine.Memory{Home: "Mem", Caches: true}}), text)
		require.Equal(t, text == "all", (&Spec{Multicast: text}).casts(&machine.Core{}), text)
	}
}

// The grid that a search takes is no worse than any grid on all cores, than the best of all trials, and than grids near it.
func TestSearchTakesTheBestGrid(t *testing.T) {
	for _, c := range []struct{ m, n, k, cores int }{{64, 96, 256, 8}, {8, 1000, 64, 16}, {1, 128, 8192, 12}, {300, 30, 50, 6}} {
		g, op := one(graph.MatMul{Batch: 1, M: c.m, N: c.n, K: c.k}, graph.Uniform(graph.Int8), false)
		m, _ := op.Matrix()
		all := product.Whole(product.Collapse(m))
		begin := func() *grids {
			s := &grids{x: NewMapper(), g: g, op: op, all: &all, cores: equalCores(c.cores), together: c.cores, spec: &Spec{Split: "auto", Objective: "time"}}
			s.begin()
			return s
		}
		rank := func(d division) int64 {
			s := begin()
			s.try(d)
			return s.least
		}
		s := begin()
		best := s.search()
		least := rank(best)
		require.Equal(t, least, s.least)
		for _, d := range s.among(c.cores, false) {
			require.LessOrEqual(t, least, rank(d), "%+v: %+v", c, d)
		}
		trials := begin()
		trials.try(divisions(&all, 1, c.cores, false)[0])
		list := trials.trials()
		require.True(t, slices.IsSortedFunc(list, func(a, b ranked) int { return int(a.rank - b.rank) }))
		require.False(t, trials.x.trial)
		for i, r := range list {
			if i < finalGrids || r.near(best) {
				require.LessOrEqual(t, least, rank(r.division), "%+v: %+v", c, r.division)
			}
		}
		require.Equal(t, best, begin().search())
		again := s.search()
		require.Equal(t, best, again, "remembered")
	}
	require.True(t, division{1, 1, 2, 4, 0}.near(division{1, 2, 1, 8, 1}))
	require.True(t, division{2, 1, 2, 4, 2}.near(division{1, 1, 1, 2, 1}))
	for i := range 5 {
		d := [5]int{1, 1, 1, 1, 1}
		d[i] = 3
		far := division{d[0], d[1], d[2], d[3], d[4]}
		require.False(t, far.near(division{1, 1, 1, 1, 0}), i)
		require.False(t, division{1, 1, 1, 1, 0}.near(far), i)
	}
}

// Numbers of cores that are tried: all and halves of halves, those first that keep the memory busy.
func TestNumbersOfCores(t *testing.T) {
	s := grids{cores: equalCores(40)}
	require.Equal(t, []int{40, 20, 10, 5, 2, 1}, s.numbers(), "nothing is known of the memory")
	s.array, s.floor = 90, 100
	require.Equal(t, []int{20, 10, 40, 5, 2, 1}, s.numbers(), "16 are likely: 20/16, 16/10 and so on")
	s.array = 100
	require.Equal(t, []int{40, 20, 10, 5, 2, 1}, s.numbers(), "32 are")
}

// A rank is the time and a little for the requests of all cores at one memory; results of several cores go to the memory
// and back, where those of one may stay.
func TestRanksOfGrids(t *testing.T) {
	x, cores := NewMapper(), equalCores(8)
	cores[6].Memory.Home, cores[7].Memory.Home = "Other", "Other"
	require.Equal(t, 6, x.sharers(cores, "Mem"))
	require.Equal(t, 2, x.sharers(cores, "Other"))
	require.False(t, x.alike(cores))
	require.False(t, x.spares(cores))
	require.EqualValues(t, 1000+64*3/32, x.spread(cores, 3, 1000, 64))
	require.EqualValues(t, 1000+64*6/32, x.spread(cores, 8, 1000, 64), "six are before it")
	for i := range cores {
		cores[i].OnChip = machine.KeepAll
	}
	require.EqualValues(t, 1000+2*102+64*3/32, x.spread(cores, 3, 1000, 64))
	require.EqualValues(t, 1000+64/32, x.spread(cores, 1, 1000, 64))
	equal := equalCores(3)
	require.True(t, x.alike(equal))
	require.True(t, x.spares(equal))
	require.Equal(t, 3, x.sharers(equal, "Mem"), "other cores are looked at anew")
	cached := equalCores(3)
	for i := range cached {
		cached[i].Memory.Caches = true
	}
	require.False(t, x.spares(cached), "behind a cache")
}

// Ranges of a sum begin with a unit of either operand.
func TestUnitsOfSums(t *testing.T) {
	for _, c := range []struct {
		a, b graph.DType
		want int64
	}{{graph.Int8, graph.Int8, 1}, {graph.BF16, graph.MXFP8, 32}, {graph.NVFP4, graph.MXFP4, 32}, {graph.NVFP4, graph.NVFP4, 16}} {
		g, op := one(graph.MatMul{Batch: 1, M: 4, N: 64, K: 64}, graph.DTypes{Weight: c.b, Activation: c.a, KV: c.a}, false)
		for i := range op.In {
			g.Tensors[op.In[i]].DType = []graph.DType{c.a, c.b}[i]
		}
		g.SettleBlocks(graph.FP32)
		require.Equal(t, c.want, sumUnit(g, op), "%v %v", c.a, c.b)
		for _, id := range op.In[:2] {
			require.Zero(t, sumUnit(g, op)%max(g.Tensor(id).Unit().Elements, 1), "%v %v", c.a, c.b)
		}
	}
}

// Vector work goes to as many cores as take it the least time, with a little for their requests; none is left idle behind
// a cache. Parts are equal.
func TestCoresOfVectorWork(t *testing.T) {
	for _, c := range []struct{ rows, cols, cores int }{{2, 2048, 16}, {4000, 64, 16}, {3, 8, 16}, {1, 100000, 8}, {64, 256, 13}} {
		b := graph.NewBuilder("v")
		b.Output(b.Softmax("s", b.Input("x", c.rows, c.cols)))
		g, err := b.Graph()
		require.NoError(t, err)
		g.SetDTypes(graph.Uniform(graph.Int8))
		x, cores := NewMapper(), equalCores(c.cores)
		rank := func(n int) int64 {
			core := cores[0]
			core.Memory = core.Memory.Shared(n)
			p, err := x.stream(&g.Ops[0], g, core, product.Part{From: int64(n) - 1, To: int64(n)}, int64(n))
			require.NoError(t, err)
			return x.spread(cores, n, p.without(nil, &core), p.requests(&core.Memory))
		}
		out := x.shareVector(g, &g.Ops[0], cores)
		for i, q := range out {
			require.Equal(t, portion{core: i, part: i, cut: product.Part{From: int64(i), To: int64(i) + 1}, of: int64(len(out))}, q)
		}
		if len(out) > 1 {
			require.LessOrEqual(t, rank(len(out)), rank(1), "%+v", c)
		}
		require.LessOrEqual(t, len(out), max(c.rows, 1), "a row is a unit")
		for i := range cores {
			cores[i].Memory.Caches = true
		}
		require.Len(t, NewMapper().shareVector(g, &g.Ops[0], cores), c.cores)
	}
}

// Attention is cut into the parts of which the largest is smallest; positions into runs of about as many pairs, none empty.
func TestCutsOfAttention(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := func(name string, most int) int { return rapid.IntRange(1, most).Draw(t, name) }
		k := graph.Attention{Batch: size("heads", 6), Group: size("group", 4), Queries: size("queries", 30), Size: 8, Value: 8}
		k.Keys = k.Queries + size("before", 10) - 1
		k.Mask.Causal = rapid.Bool().Draw(t, "causal")
		cores := size("cores", 20)
		h, g, r := attentionGrid(k, cores)
		work := func(h, g, r int) int64 {
			return integer.Ceil(int64(k.Batch), int64(h)) * integer.Ceil(int64(k.Group), int64(g)) * integer.Ceil(int64(k.Queries), int64(r))
		}
		require.LessOrEqual(t, h*g*r, cores)
		for a := 1; a <= min(k.Batch, cores); a++ {
			for b := 1; b <= min(k.Group, cores/a); b++ {
				for c := 1; c <= min(k.Queries, cores/(a*b)); c++ {
					require.GreaterOrEqual(t, work(a, b, c), work(h, g, r))
					if work(a, b, c) == work(h, g, r) {
						require.LessOrEqual(t, a, h, "heads before query heads")
						require.True(t, a < h || b <= g, "query heads before positions")
					}
				}
			}
		}
		runs := min(size("runs", 8), k.Queries)
		q, n, at := int64(k.Queries), int64(k.Keys), int64(0)
		pairs := func(to int64) int64 { return k.Mask.Pairs(0, to, q, n) }
		for i, p := range evenPairs(k, runs) {
			require.Equal(t, at, p.From)
			require.Greater(t, p.To, p.From)
			left, want := int64(runs-1-i), integer.Scale(pairs(q), int64(i)+1, int64(runs))
			if i < runs-1 {
				require.True(t, pairs(p.To) >= want || p.To == q-left, "run %d ends early", i)
				require.True(t, pairs(p.To-1) < want || p.To == at+1, "run %d ends late", i)
			}
			at = p.To
		}
		require.Equal(t, q, at)
		// Portions cover all heads and positions once; a core has at most one.
		s := &splitter{split: rapid.SampledFrom([]string{"head", "row"}).Draw(t, "split"), cores: cores, g: &graph.Graph{}}
		volume, used := int64(0), 0
		for _, p := range s.attention(0, k) {
			if !p.none() {
				used++
				volume += p.sh.Batch.Len() * p.sh.N.Len() * p.sh.Row.Len()
			}
		}
		require.Equal(t, int64(k.Batch)*int64(k.Group)*int64(k.Queries), volume)
		if cores > 1 && s.split == "row" {
			require.Equal(t, min(cores, k.Queries), used)
		}
		// Split by batch each core has all heads of its requests, or the first core has everything.
		requests := size("requests", 6)
		s.split, s.batch, s.image, volume = "batch", int64(requests), product.Even(int64(requests), cores), 0
		for c, p := range s.attention(0, k) {
			if !p.none() {
				require.True(t, c == 0 || k.Batch%requests == 0)
				if cores > 1 && k.Batch%requests == 0 {
					require.True(t, p.local)
					require.Equal(t, s.image[c].Times(int64(k.Batch/requests)), p.sh.Batch)
				}
				volume += p.sh.Batch.Len() * p.sh.N.Len() * p.sh.Row.Len()
			}
		}
		require.Equal(t, int64(k.Batch)*int64(k.Group)*int64(k.Queries), volume)
	})
}

// Layers go to cores in order, each where the middle of its work falls. The batch is that of the symbol, else of the
// first input.
func TestLayersGoWhereTheirMiddleFalls(t *testing.T) {
	b := graph.NewBuilder("chain")
	x, widths := b.Input("x", 6, 10), []int{10, 40, 5, 5, 200, 30, 1, 80}
	for i, n := range widths {
		x = b.Linear(fmt.Sprint("fc", i), x, n)
	}
	b.Output(x)
	g, err := b.Graph()
	require.NoError(t, err)
	for cores := 1; cores < 6; cores++ {
		s := newSplitter(g, "layer", cores)
		total, done := 0.0, 0.0
		work := func(i int) float64 { return float64(g.Ops[i].MACs() + g.Ops[i].VectorOps() + 1) }
		for i := range g.Ops {
			total += work(i)
		}
		for i := range g.Ops {
			middle := done + work(i)/2
			home := 0
			for float64(home+1)*total <= middle*float64(cores) {
				home++
			}
			require.Equal(t, home, s.home[i], "%d cores: operator %d", cores, i)
			done += work(i)
		}
		require.EqualValues(t, 6, s.batch)
		require.Nil(t, newSplitter(g, "row", cores).home)
	}
	g.Symbols = map[string]int{"batch": 3}
	require.EqualValues(t, 3, newSplitter(g, "batch", 2).batch)
	require.Equal(t, []product.Part{{From: 0, To: 2}, {From: 2, To: 3}}, newSplitter(g, "batch", 2).image)
}

// Plans that fetch together are in step if those of the same products have the same tiles in the same order.
func TestPlansInStep(t *testing.T) {
	shared := func(time, m int64, order string) *Plan {
		p := &Plan{Time: time, Tile: dma.Tile{M: m}, Order: order}
		p.tiles.Fetches[0] = dma.Fetch{Of: 2}
		return p
	}
	at := func(from ...int64) (out []portion) {
		for _, f := range from {
			out = append(out, portion{sh: product.Share{Batch: product.Part{From: f, To: f + 1}}})
		}
		return out
	}
	require.True(t, inStep([]*Plan{shared(1, 8, "mnk"), shared(2, 8, "mnk")}, at(0, 0)))
	require.False(t, inStep([]*Plan{shared(1, 8, "mnk"), shared(2, 9, "mnk")}, at(0, 0)))
	require.False(t, inStep([]*Plan{shared(1, 8, "mnk"), shared(2, 8, "nmk")}, at(0, 0)))
	require.True(t, inStep([]*Plan{shared(1, 8, "mnk"), shared(2, 9, "nmk")}, at(0, 1)), "other products")
	require.True(t, inStep([]*Plan{shared(1, 8, "mnk"), {Time: 2, Order: "nmk"}}, at(0, 0)), "it fetches for itself")
	plans := []*Plan{shared(5, 1, "a"), shared(7, 2, "b"), shared(7, 3, "c"), shared(9, 4, "d")}
	require.Same(t, plans[1], slowest(plans, at(0, 0, 0, 1), product.Part{From: 0, To: 1}), "the first of the slowest")
	require.EqualValues(t, 9, longestTime(plans))
}
