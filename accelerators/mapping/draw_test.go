package mapping

import (
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// one wraps a single operator into a graph of the given types.
func one(k graph.Kind, d graph.DTypes, bias bool) (*graph.Graph, *graph.Op) {
	g := &graph.Graph{Name: "one"}
	op := graph.Op{Name: "op", Kind: k}
	switch k := k.(type) {
	case graph.MatMul:
		role := graph.Weight
		if k.Batch > 1 {
			role = graph.Activation
		}
		op.In = []graph.TensorID{g.Add(graph.Tensor{Name: "a", Shape: []int{k.Batch, k.M, k.K}, Role: graph.Input}),
			g.Add(graph.Tensor{Name: "b", Shape: []int{k.Batch / max(k.SharedB, 1), k.K, k.N}, Role: role})}
		if bias {
			op.In = append(op.In, g.Add(graph.Tensor{Name: "bias", Shape: []int{k.N}, Role: graph.Weight}))
		}
		op.Out = []graph.TensorID{g.Add(graph.Tensor{Name: "c", Shape: []int{k.Batch, k.M, k.N}, Role: graph.Output})}
	case graph.Conv:
		w := []int{k.K, k.C / k.Groups, k.R, k.S}
		if k.Transposed {
			w = []int{k.C, k.K / k.Groups, k.R, k.S}
		}
		op.In = []graph.TensorID{g.Add(graph.Tensor{Name: "x", Shape: []int{k.N, k.C, k.H, k.W}, Role: graph.Input}),
			g.Add(graph.Tensor{Name: "w", Shape: w, Role: graph.Weight})}
		if bias {
			op.In = append(op.In, g.Add(graph.Tensor{Name: "bias", Shape: []int{k.K}, Role: graph.Weight}))
		}
		op.Out = []graph.TensorID{g.Add(graph.Tensor{Name: "y", Shape: []int{k.N, k.K, k.OutH(), k.OutW()}, Role: graph.Output})}
	case graph.Attention:
		h := k.Batch * k.Group
		op.In = []graph.TensorID{g.Add(graph.Tensor{Name: "q", Shape: []int{h, k.Queries, k.Size}, Role: graph.Input}),
			g.Add(graph.Tensor{Name: "k", Shape: []int{k.Batch, k.Keys, k.Size}, Role: graph.KV}),
			g.Add(graph.Tensor{Name: "v", Shape: []int{k.Batch, k.Keys, k.Value}, Role: graph.KV})}
		op.Out = []graph.TensorID{g.Add(graph.Tensor{Name: "o", Shape: []int{h, k.Queries, k.Value}, Role: graph.Output})}
	}
	for i := range g.Tensors {
		g.Tensors[i].DType = d.Of(g.Tensors[i].Role)
	}
	g.Append(op)
	g.SettleBlocks(d.Plain())
	return g, &g.Ops[0]
}

func drawCore(t *rapid.T, minSRAM uint64) machine.Core {
	sram := func(n string) units.Bytes { return units.Bytes(rapid.Uint64Range(minSRAM, 1<<16).Draw(t, n)) }
	c := machine.Core{
		Array: dataflow.Array{Rows: rapid.IntRange(1, 20).Draw(t, "rows"), Cols: rapid.IntRange(1, 20).Draw(t, "cols"),
			OverlapPreload: rapid.Bool().Draw(t, "preload"), OverlapDrain: rapid.Bool().Draw(t, "drain"),
			OverlapFirst: rapid.Bool().Draw(t, "first"), Stages: rapid.IntRange(0, 4).Draw(t, "stages")},
		Dataflow:    rapid.SampledFrom(dataflow.All.Names()).Draw(t, "dataflow"),
		SRAM:        machine.SRAM{Ifmap: sram("ifmap"), Filter: sram("filter"), Ofmap: sram("ofmap")},
		Accumulator: graph.Int32, Lanes: 1 << 40,
		Rates: drawRates(t).Table(),
	}
	if e, _ := dataflow.All.Entry(c.Dataflow); e.New.Check(c.Array) != nil {
		c.Array.Cols = c.Array.Rows // dip
	}
	return c
}

func drawTypes(t *rapid.T) graph.DTypes {
	d := graph.Uniform(rapid.SampledFrom([]graph.DType{graph.Int8, graph.BF16, graph.FP32, graph.Int4}).Draw(t, "dtype"))
	if rapid.Bool().Draw(t, "blocks") {
		d.Weight = rapid.SampledFrom([]graph.DType{graph.MXFP8, graph.MXFP6, graph.MXFP4, graph.NVFP4, graph.Q4, graph.Q8}).Draw(t, "weights")
	}
	return d
}

func drawGEMM(t *rapid.T, most int) graph.MatMul {
	n := func(s string) int { return rapid.IntRange(1, most).Draw(t, s) }
	m := graph.MatMul{Batch: 1, M: n("m"), N: n("n"), K: n("k")}
	if rapid.Bool().Draw(t, "batched") {
		m.SharedB = rapid.IntRange(1, 3).Draw(t, "shared")
		m.Batch = m.SharedB * rapid.IntRange(1, 4).Draw(t, "batch")
	}
	return m
}

func drawConv(t *rapid.T) graph.Conv {
	n := func(s string, a, b int) int { return rapid.IntRange(a, b).Draw(t, s) }
	g := rapid.SampledFrom([]int{1, 1, 2, 6}).Draw(t, "groups")
	c := graph.Conv{N: n("images", 1, 3), C: g * n("c", 1, 8), K: g * n("filters", 1, 8), R: n("r", 1, 4), S: n("s", 1, 4),
		StrideH: n("sh", 1, 3), StrideW: n("sw", 1, 3), DilationH: n("dh", 1, 2), DilationW: n("dw", 1, 2),
		PadTop: n("pt", 0, 3), PadLeft: n("pl", 0, 3), PadBottom: n("pb", 0, 3), PadRight: n("pr", 0, 3), Groups: g}
	c.H, c.W = c.DilationH*(c.R-1)+1+n("h", 0, 14), c.DilationW*(c.S-1)+1+n("w", 0, 14)
	if rapid.IntRange(0, 4).Draw(t, "transposed") == 0 {
		c.Transposed = true
		c.PadTop, c.PadBottom = min(c.PadTop, c.R-1), 0
		c.PadLeft, c.PadRight = min(c.PadLeft, c.S-1), 0
	}
	return c
}

func drawKind(t *rapid.T) graph.Kind {
	if rapid.Bool().Draw(t, "conv") {
		return drawConv(t)
	}
	return drawGEMM(t, 60)
}

// tooSmall tells that err is a lack of capacity; any other error fails the test.
func tooSmall(t require.TestingT, err error) bool {
	if err != nil {
		require.Regexp(t, "more than the|no loop order keeps", err.Error())
	}
	return err != nil
}

// forEach walks the runs of a transfer.
func forEach(x *dma.Transfer, f func(from, to int64)) {
	for p := range x.Planes {
		for r := range x.Rows {
			o := x.Offset + p*x.PlaneStride + r*x.Stride
			f(o, o+x.RowBytes)
		}
	}
}

// drawRates is no rates, or the same of all types.
func drawRates(t *rapid.T) machine.Rates {
	rate := rapid.SampledFrom([]machine.Rate{{}, {Num: 1, Den: 1}, {Num: 2, Den: 1}, {Num: 4, Den: 1}, {Num: 1, Den: 4}, {Num: 1, Den: 3}, {Num: 3, Den: 2}}).Draw(t, "rate")
	if rate.Num == 0 {
		return nil
	}
	r := machine.Rates{}
	for _, n := range graph.DTypeNames() {
		r[n] = rate
	}
	return r
}
