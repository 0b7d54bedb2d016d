package mapping

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/components/glob"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// tiny has every kind of edge between operators: convolutions (plain, depthwise,
// transposed), fused and unfused activations, views, a residual, attention with
// shared keys and a cache.
func tiny(t testing.TB, batch int) *graph.Graph {
	b := graph.NewBuilder("tiny")
	b.Symbol("batch", batch)
	x := b.Input("x", batch, 3, 9, 9)
	x = b.Conv("conv1", x, graph.SquareConv(8, 3, 1, 1), graph.WithBias)
	x = b.Elementwise("relu1", "relu", x)
	y := b.Conv("depthwise", x, graph.Conv{K: 8, R: 3, S: 3, StrideH: 1, StrideW: 1, PadTop: 1, PadLeft: 1, PadBottom: 1, PadRight: 1, Groups: 8})
	y = b.Elementwise("silu", "silu", y)
	x = b.Add("residual", x, y)
	x = b.Conv("up", x, graph.Conv{K: 4, R: 3, S: 3, StrideH: 2, StrideW: 2, Transposed: true})
	x = b.Pool("pool", x, graph.SquarePool(2, 2, 0))
	x = b.Reshape("tokens", x, batch, 9, 36)
	x = b.Norm("norm", "layer", x, graph.WithBias)
	q := b.Linear("q", x, 4*6)
	k := b.Linear("k", x, 2*6)
	cache := b.Cache("k_cache", batch, 2, 9, 6)
	b.Into("append", graph.Move{Func: "append", Elements: b.Elements(k)}, []graph.TensorID{k}, cache)
	s := b.MatMul("QK^T", q, cache, graph.MatMul{Batch: 4 * batch, M: 9, N: 9, K: 6, SharedB: 2}, batch, 4, 9, 9)
	s = b.Softmax("softmax", s)
	s = b.MatMul("AV", s, cache, graph.MatMul{Batch: 4 * batch, M: 9, N: 6, K: 9, SharedB: 2}, batch, 4, 9, 6)
	s = b.Reshape("merge", s, batch, 9, 24)
	x = b.Elementwise("tanh", "tanh", b.BatchNorm("bn", b.Conv("conv2", b.Input("x2", batch, 4, 5, 5), graph.SquareConv(6, 3, 2, 1))))
	z := b.Conv("conv3", x, graph.SquareConv(6, 1, 1, 0)) // read twice: not fused
	b.Output(b.Add("both", z, x), b.Elementwise("relu3", "relu", z))
	odd := b.Linear("odd", b.Input("x3", 7, 5), 4) // 7 rows do not divide into requests
	b.Output(b.Softmax("odd_softmax", odd))
	b.Output(x, b.Linear("proj", s, 10, graph.WithBias))
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	return g
}

// Whatever the split and however the cores are delayed, no core reads a byte
// that has not been written, every byte is written once, and the work is
// conserved.
func TestSplitsComputeTheSame(t *testing.T) {
	core := machine.Core{Array: dataflow.Array{Rows: 4, Cols: 4}, Dataflow: "ws", SRAM: machine.SRAM{Ifmap: 512, Filter: 512, Ofmap: 1024}, Accumulator: graph.Int32, Lanes: 4}
	wide := core
	wide.Array.Rows, wide.Dataflow = 8, "os"
	for _, batch := range []int{1, 3} {
		g := tiny(t, batch)
		for _, split := range Splits() {
			for _, n := range []int{1, 2, 4, 5} {
				if testing.Short() && n != 2 && n != 5 {
					continue
				}
				cores := []machine.Core{wide}
				for len(cores) < n {
					cores = append(cores, core)
				}
				for way := range 4 {
					spec := DefaultSpec()
					spec.Split, spec.Fuse = split, way%2 == 0
					if micro := 2 + way%2; way > 1 && split == "layer" && micro <= batch {
						spec.MicroBatches = micro
					} else if way > 1 {
						continue
					}
					programs, err := Split(g, cores, spec)
					require.NoError(t, err)
					t.Run(fmt.Sprintf("%s/%d/%d/%d", split, batch, n, way), func(t *testing.T) {
						r := rand.New(rand.NewPCG(1, 1))
						runTogether(t, g, programs, func(ready []int) int { return ready[0] })
						runTogether(t, g, programs, func(ready []int) int { return ready[len(ready)-1] })
						runTogether(t, g, programs, func(ready []int) int { return ready[r.IntN(len(ready))] })
					})
				}
			}
		}
	}
}

func runTogether(t *testing.T, g *graph.Graph, programs []Program, pick func(ready []int) int) {
	home := make([]graph.TensorID, len(g.Tensors)) // storage behind views
	for i := range home {
		home[i] = graph.TensorID(i)
	}
	made, produced := map[graph.TensorID]bool{}, map[graph.TensorID]bool{}
	for i := range g.Ops {
		if k, ok := g.Ops[i].Kind.(graph.Move); ok && k.Elements == 0 {
			home[g.Ops[i].Out[0]] = home[g.Ops[i].In[0]]
			continue
		}
		for _, id := range g.Ops[i].Out {
			produced[id] = true
		}
	}
	written := make([][]byte, len(g.Tensors))
	for i := range written {
		written[i] = make([]byte, g.Tensors[i].Bytes())
	}
	for _, p := range programs {
		for _, j := range p.Jobs {
			outs := j.Plan.Op.Out
			if n := len(j.Fused); n > 0 {
				outs = g.Ops[j.Fused[n-1]].Out
			}
			for _, id := range outs {
				made[id] = true
			}
		}
	}
	weights := map[graph.TensorID][]bool{}
	for i := range g.Ops {
		if _, ok := g.Ops[i].Matrix(); ok && g.Tensor(g.Ops[i].In[1]).Role == graph.Weight {
			weights[g.Ops[i].In[1]] = make([]bool, g.Tensor(g.Ops[i].In[1]).Bytes())
		}
	}
	told := map[Token]bool{}
	next := make([]int, len(programs))
	macs, left := int64(0), 0
	for _, p := range programs {
		left += len(p.Jobs)
		if len(programs) == 1 {
			for _, j := range p.Jobs {
				require.Empty(t, j.After)
				require.False(t, j.Awaited)
			}
		}
	}
	for ; left > 0; left-- {
		ready := []int{}
		for c, p := range programs {
			if next[c] == len(p.Jobs) {
				continue
			}
			ok := true
			for _, j := range p.Jobs[next[c]].After {
				for _, w := range j.Members {
					ok = ok && (told[w] || w.Core == int32(c))
				}
			}
			if ok {
				ready = append(ready, c)
			}
		}
		require.NotEmpty(t, ready, "deadlock")
		c := pick(ready)
		job, token := &programs[c].Jobs[next[c]], programs[c].Token(next[c])
		next[c]++
		macs += job.Plan.MACs
		for st := range job.Plan.All() {
			for i := range st.Loads {
				x := &st.Loads[i]
				if w := weights[x.Tensor]; w != nil {
					forEach(x, func(a, b int64) {
						for ; a < b; a++ {
							w[a] = true
						}
					})
				}
				if x.Tensor == dma.Scratch || !produced[home[x.Tensor]] {
					continue
				}
				forEach(x, func(a, b int64) {
					for ; a < b; a++ {
						require.NotZero(t, written[home[x.Tensor]][a], "core %d, %s: byte %d of %s is not there yet", c, job.Plan.Op.Name, a, g.Tensor(x.Tensor).Name)
					}
				})
			}
			for i := range st.Stores {
				x := &st.Stores[i]
				if x.Tensor == dma.Scratch {
					continue
				}
				forEach(x, func(a, b int64) {
					for ; a < b; a++ {
						written[x.Tensor][a]++
					}
				})
			}
		}
		if job.Awaited {
			told[token] = true
		}
	}
	require.Equal(t, g.MACs(), macs)
	for id, w := range weights {
		require.NotContains(t, w, false, "a part of %s was not read", g.Tensor(id).Name)
	}
	for id, w := range written {
		for i, n := range w {
			if made[graph.TensorID(id)] && n != 1 {
				require.Equal(t, byte(1), n, "byte %d of %s", i, g.Tensors[id].Name)
			}
		}
	}
}

// What Chosen writes out names cores where there are several, and none where there is one.
func TestChosenNamesSeveralCores(t *testing.T) {
	g := model(t, "resnet18", zoo.Params{Image: 32})
	for n := 1; n <= 2; n++ {
		cores := []machine.Core{tpu("ws"), tpu("ws")}[:n]
		programs, err := Split(g, cores, DefaultSpec())
		require.NoError(t, err)
		rules := DefaultSpec().Chosen(g, programs).Layers
		require.NotEmpty(t, rules)
		named := map[int]int{}
		for _, r := range rules {
			if n == 1 {
				require.Nil(t, r.Core)
				continue
			}
			named[*r.Core]++
		}
		if n == 2 {
			require.Positive(t, named[0]*named[1])
		}
	}
}

// What Chosen writes out, through YAML and back, makes the same programs.
func TestChosenGivesTheSamePrograms(t *testing.T) {
	names := []string{"resnet18", "mobilenet_v1", "llama3_8b"}
	if testing.Short() {
		names = names[:1]
	}
	for _, name := range names {
		g := model(t, name, zoo.Params{Batch: 2})
		for _, split := range []string{"column", "batch", "row", "auto", "auto of equal cores"} {
			cores := []machine.Core{tpu("ws"), tpu("os")}
			cores[1].SRAM.Ifmap /= 8
			if rest, ok := strings.CutSuffix(split, " of equal cores"); ok { // which fetch together
				split = rest
				for i := range cores {
					cores[i] = tpu("ws")
					cores[i].Memory = machine.Memory{Bandwidth: 64, Cycles: 1, Latency: 100, Burst: 4096, Outstanding: 32, Home: "Mem"}
				}
			}
			spec := DefaultSpec()
			spec.Split = split
			first, err := Split(g, cores, spec)
			require.NoError(t, err)
			text, err := yaml.Marshal(spec.Chosen(g, first))
			require.NoError(t, err)
			var back Spec
			require.NoError(t, yaml.Unmarshal(text, &back))
			second, err := Split(g, cores, back)
			require.NoError(t, err)
			require.Equal(t, len(first), len(second))
			for c := range first {
				require.Equal(t, len(first[c].Jobs), len(second[c].Jobs))
				for j := range first[c].Jobs {
					a, b := first[c].Jobs[j].Plan, second[c].Jobs[j].Plan
					require.Equal(t, a.Tile, b.Tile)
					require.Equal(t, a.Order, b.Order)
					require.Equal(t, a.Traffic, b.Traffic)
					require.Equal(t, a.Cycles, b.Cycles)
					require.Equal(t, a.Steps, b.Steps)
				}
			}
		}
	}
}

func TestRulesFixAndFail(t *testing.T) {
	g := model(t, "resnet18", zoo.Params{})
	spec := DefaultSpec()
	spec.Layers = []Rule{{Match: "res2*", Tile: dma.Tile{M: 56 * 4, N: 32}, Resident: "filter"}}
	ps, err := Split(g, []machine.Core{tpu("ws")}, spec)
	require.NoError(t, err)
	found := 0
	for _, j := range ps[0].Jobs {
		if glob.Match("res2*", j.Plan.Op.Name) && j.Plan.Matrix {
			found++
			require.Equal(t, dma.Tile{Batch: 1, M: 224, N: 32, K: j.Plan.Tile.K}, j.Plan.Tile)
			require.Equal(t, "m", j.Plan.Order[2:])
			require.Equal(t, "filter", j.Plan.Resident())
		}
	}
	require.NotZero(t, found)
	two := 2
	spec = Spec{Split: "rows", Objective: "speed", Layers: []Rule{{Match: "conv1"}, {Match: "no*"}, {Match: "conv?"}, {Match: "fc", Core: &two, Order: "abc", Resident: "x", Tile: dma.Tile{K: -1}}}}
	_, err = Split(g, []machine.Core{tpu("ws")}, spec)
	require.EqualError(t, err, `mapping.split: unknown "rows" (want one of: auto, layer, batch, head, column, row)
mapping.objective: unknown "speed" (want one of: time, traffic, cycles)
mapping.layers[1].match: "no*" fits no convolution, matrix product or attention that an earlier rule does not take
mapping.layers[2].match: "conv?" fits no convolution, matrix product or attention that an earlier rule does not take
mapping.layers[3].order: unknown "abc" (want one of: mnk, nmk, nkm, knm, mkn, kmn)
mapping.layers[3].resident: unknown "x" (want one of: ifmap, filter, ofmap)
mapping.layers[3].tile.k: -1 (want at least 1, or none)
mapping.layers[3].core: 2 (want 0 to 0)`)
	// A rule that fixes nothing keeps layers from later ones, or says nothing.
	spec = DefaultSpec()
	spec.Layers = []Rule{{Match: "conv1"}, {Match: "*", Order: "mnk"}}
	_, err = Split(g, []machine.Core{tpu("ws")}, spec)
	require.NoError(t, err)
	spec.Layers = []Rule{{Match: "conv1", Order: "mnk"}, {Match: "*"}}
	_, err = Split(g, []machine.Core{tpu("ws")}, spec)
	require.EqualError(t, err, "mapping.layers[1]: fixes nothing (want one of: tile, order, resident)")
	spec = DefaultSpec()
	spec.Layers = []Rule{{Match: "conv1", Tile: dma.Tile{M: 112 * 112, N: 64, K: 147}}, {Match: "fc", Tile: dma.Tile{M: 1, N: 1000, K: 512}, Order: "mnk"}}
	core := tpu("ws")
	core.SRAM.Filter = 512 << 10
	_, err = Split(g, []machine.Core{core}, spec)
	require.EqualError(t, err, `conv1: tile 1 x (12544 x 147 by 147 x 64): ofmap needs 3211264 B, 2162688 B more than the 1048576 B of half the buffer
fc: tile 1 x (1 x 512 by 512 x 1000): filter needs 512000 B, 249856 B more than the 262144 B of half the buffer`)
	spec.Layers = []Rule{{Match: "conv1", Tile: dma.Tile{M: 113}}}
	_, err = Split(g, []machine.Core{tpu("ws")}, spec)
	require.EqualError(t, err, "conv1: tile m is 113 (want less than a row of 112, whole rows, or whole planes of 12544)")
}

func TestFusionSavesOneRoundTrip(t *testing.T) {
	g := model(t, "resnet18", zoo.Params{})
	total := func(fuse bool) (bytes int64, jobs int) {
		spec := DefaultSpec()
		spec.Fuse = fuse
		ps, err := Split(g, []machine.Core{tpu("ws")}, spec)
		require.NoError(t, err)
		for _, j := range ps[0].Jobs {
			bytes += j.Plan.Traffic.Total()
			jobs += 1 + len(j.Fused)
		}
		return bytes, jobs
	}
	plain, n := total(false)
	fused, m := total(true)
	require.Equal(t, n, m)
	saved := int64(0)
	list, _ := fusible(g, true, false)
	for i, f := range list {
		for _, j := range f {
			saved += 2 * g.Tensor(g.Ops[i].Out[0]).Bytes()
			if _, ok := g.Ops[j].Kind.(graph.Norm); ok {
				saved += g.Tensor(g.Ops[j].In[1]).Bytes() // the scale is in the weights
			}
		}
	}
	require.Equal(t, plain-saved, fused)
	require.Equal(t, 20+9, len(g.Ops)-jobsOf(t, g)) // 20 batch norms, 9 of 17 relu follow one
}

// A batch norm after an activation cannot be folded into the weights.
func TestOnlyADirectBatchNormFolds(t *testing.T) {
	b := graph.NewBuilder("late")
	x := b.Elementwise("relu", "relu", b.Conv("conv", b.Input("x", 1, 3, 5, 5), graph.SquareConv(4, 3, 1, 1)))
	b.Output(b.BatchNorm("bn", x))
	g, err := b.Graph()
	require.NoError(t, err)
	ps, err := Split(g, []machine.Core{tpu("ws")}, DefaultSpec())
	require.NoError(t, err)
	require.Len(t, ps[0].Jobs, 2)
	require.Equal(t, []int{1}, ps[0].Jobs[0].Fused)
}

func jobsOf(t *testing.T, g *graph.Graph) int {
	ps, err := Split(g, []machine.Core{tpu("ws")}, DefaultSpec())
	require.NoError(t, err)
	return len(ps[0].Jobs) + 1 // and the view
}

// Work is shared evenly: no core has more than one unit more than another.
func TestEven(t *testing.T) {
	require.Equal(t, []product.Part{{From: 0, To: 4}, {From: 4, To: 7}, {From: 7, To: 10}}, product.Even(10, 3))
	require.Equal(t, []product.Part{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 2}}, product.Even(2, 3))
}

// Rows of a transposed convolution overlap: its cores take filters each.
func TestTransposedSplitsByFilters(t *testing.T) {
	g, op := one(graph.Conv{N: 1, C: 2, H: 6, W: 6, K: 4, R: 3, S: 3, StrideH: 2, StrideW: 2, DilationH: 1, DilationW: 1, Groups: 1, Transposed: true}, graph.Uniform(graph.Int8), false)
	spec := DefaultSpec()
	spec.Split = "row"
	ps, err := Split(g, []machine.Core{tpu("ws"), tpu("ws")}, spec)
	require.NoError(t, err)
	for _, p := range ps {
		require.Equal(t, g.Tensor(op.In[0]).Bytes(), p.Jobs[0].Plan.Traffic.Ifmap)
		require.Equal(t, int64(2*9*2), p.Jobs[0].Plan.Traffic.Filter)
	}
}

// Two heads on four cores: each has half the rows of one.
func TestHeadsShareTheirRows(t *testing.T) {
	g, op := one(graph.MatMul{Batch: 2, M: 8, N: 4, K: 4, SharedB: 1}, graph.Uniform(graph.Int8), false)
	spec := DefaultSpec()
	spec.Split = "head"
	c := tpu("ws")
	ps, err := Split(g, []machine.Core{c, c, c, c}, spec)
	require.NoError(t, err)
	for _, p := range ps {
		require.Len(t, p.Jobs, 1)
		require.Equal(t, op.MACs()/4, p.Jobs[0].Plan.MACs)
	}
}

// Fused operators take their time on the vector unit where that is more than
// the array's.
func TestFusedWorkTakesTime(t *testing.T) {
	b := graph.NewBuilder("fused")
	b.Output(b.Elementwise("relu", "relu", b.Linear("fc", b.Input("x", 400, 4), 4)))
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	core := tpu("ws")
	core.Array, core.Lanes = dataflow.Array{Rows: 4, Cols: 4}, 1
	ps, err := Split(g, []machine.Core{core}, DefaultSpec())
	require.NoError(t, err)
	require.Len(t, ps[0].Jobs, 1)
	p := ps[0].Jobs[0].Plan
	require.Equal(t, int64(4+400+6), p.Cycles)
	require.Equal(t, int64(1600), p.Vector)
	total, steps := int64(0), 0
	for st := range p.All() {
		total += st.Cycles
		steps++
	}
	require.Greater(t, steps, 4)
	require.Equal(t, int64(1600), total, "each step waits for the vector unit")
}
