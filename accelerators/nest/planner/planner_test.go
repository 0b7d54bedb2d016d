package planner

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/nest/design"
	"github.com/causeway-sim/causeway/accelerators/search"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// describe reads a machine whose words are as wide as asked for.
func describe(t testing.TB, text string) func(graph.DType) (*nest.Description, error) {
	v, err := configs.ParseValue("machine.yaml", []byte(text))
	require.NoError(t, err)
	return func(word graph.DType) (*nest.Description, error) {
		s := design.Default()
		if err := v.Decode(&s); err != nil {
			return nil, err
		}
		s.Word, s.Problem = design.Bits(float64(word.Bits())), design.Problem{Dims: map[string]int64{"N": 1}}
		in, err := design.Read(v, &s, 1e9)
		if err != nil {
			return nil, err
		}
		return &in.Description, nil
	}
}

const small = `levels:
  - {name: DRAM}
  - {name: Buffer, capacity: 8KiB, fanout: {x: 4, y: 4, unroll_x: [M, P], unroll_y: [C, N]}}
  - {name: Registers, capacity: 32B}
`

func options() Options {
	return Options{Rules: nest.Rules2024, Search: search.Options{Algorithm: search.Local, Evaluations: 600, Seed: 1}}
}

// single is a graph of one operator on elements of one byte.
func single(k graph.Kind) (*graph.Graph, *graph.Op) {
	g := &graph.Graph{}
	add := func(role graph.Role, shape ...int) graph.TensorID {
		return g.Add(graph.Tensor{Shape: shape, Role: role, DType: graph.Int8})
	}
	op := graph.Op{Name: "op", Kind: k}
	switch k := k.(type) {
	case graph.MatMul:
		op.In = []graph.TensorID{add(graph.Input, k.Batch, k.M, k.K), add(graph.Activation, k.Batch/max(k.SharedB, 1), k.K, k.N)}
		op.Out = []graph.TensorID{add(graph.Output, k.Batch, k.M, k.N)}
	case graph.Conv:
		op.In = []graph.TensorID{add(graph.Input, k.N, k.C, k.H, k.W), add(graph.Weight, k.K, k.C/k.Groups, k.R, k.S)}
		op.Out = []graph.TensorID{add(graph.Output, k.N, k.K, k.OutH(), k.OutW())}
	}
	g.Append(op)
	return g, &g.Ops[0]
}

var kinds = map[string]graph.Kind{
	"product":   graph.MatMul{Batch: 1, M: 24, N: 36, K: 40},
	"vector":    graph.MatMul{Batch: 1, M: 1, N: 64, K: 48},
	"batched":   graph.MatMul{Batch: 6, M: 10, N: 14, K: 8},
	"grouped":   graph.MatMul{Batch: 8, M: 4, N: 12, K: 8, SharedB: 4},
	"conv":      graph.Conv{N: 2, C: 6, H: 14, W: 14, K: 8, R: 3, S: 3, StrideH: 1, StrideW: 1, PadTop: 1, PadLeft: 1, PadBottom: 1, PadRight: 1, DilationH: 1, DilationW: 1, Groups: 1},
	"strided":   graph.Conv{N: 1, C: 4, H: 15, W: 15, K: 6, R: 3, S: 3, StrideH: 2, StrideW: 2, DilationH: 1, DilationW: 1, Groups: 1},
	"dilated":   graph.Conv{N: 1, C: 4, H: 16, W: 16, K: 6, R: 3, S: 3, StrideH: 1, StrideW: 1, DilationH: 2, DilationW: 2, Groups: 1},
	"pointwise": graph.Conv{N: 1, C: 12, H: 8, W: 8, K: 16, R: 1, S: 1, StrideH: 2, StrideW: 2, DilationH: 1, DilationW: 1, Groups: 1},
	"prime":     graph.MatMul{Batch: 1, M: 197, N: 37, K: 41},
	"odd":       graph.Conv{N: 1, C: 13, H: 23, W: 23, K: 17, R: 3, S: 3, StrideH: 1, StrideW: 1, PadTop: 1, PadLeft: 1, PadBottom: 1, PadRight: 1, DilationH: 1, DilationW: 1, Groups: 1},
	"depthwise": graph.Conv{N: 1, C: 12, H: 12, W: 12, K: 12, R: 3, S: 3, StrideH: 1, StrideW: 1, PadTop: 1, PadLeft: 1, PadBottom: 1, PadRight: 1, DilationH: 1, DilationW: 1, Groups: 12},
	"groups":    graph.Conv{N: 1, C: 12, H: 8, W: 8, K: 24, R: 3, S: 3, StrideH: 1, StrideW: 1, DilationH: 1, DilationW: 1, Groups: 3},
}

// Every kind of product is mapped: its work is done once, each result is stored once,
// transfers stay inside their tensors, and two tiles fit into the buffer.
func TestKinds(t *testing.T) {
	p := New(describe(t, small), options())
	for name, k := range kinds {
		t.Run(name, func(t *testing.T) {
			g, op := single(k)
			m := mapping.NewMapper()
			plan, err := m.Map(op, g, machine.Core{Planner: p, Lanes: 4, Accumulator: graph.Int32}, "time", mapping.Rule{})
			require.NoError(t, err)
			var macs, cycles int64
			stored := map[int64]int{}
			for s := range plan.All() {
				macs, cycles = macs+s.MACs, cycles+s.Cycles
				for i := range s.Loads {
					require.NoError(t, inside(g, plan, &s.Loads[i]))
				}
				for i := range s.Stores {
					x := &s.Stores[i]
					require.NoError(t, inside(g, plan, x))
					if x.Tensor == op.Out[0] {
						for a := range x.Planes {
							for b := range x.Rows {
								for c := range x.RowBytes {
									stored[x.Offset+a*x.PlaneStride+b*x.Stride+c]++
								}
							}
						}
					}
				}
			}
			matrix, _ := op.Matrix()
			require.Equal(t, matrix.MACs(), macs)
			require.Equal(t, plan.Cycles, cycles)
			require.GreaterOrEqual(t, plan.Cycles*16, macs)
			require.Len(t, stored, int(g.Tensor(op.Out[0]).Bytes()))
			for _, n := range stored {
				require.Equal(t, 1, n)
			}
			a, b, c := plan.Footprint()
			require.LessOrEqual(t, 2*(a+b+c), int64(8<<10))
		})
	}
	require.Len(t, p.found, len(kinds), "an entry per shape")
}

// Where every request costs a cycle, tiles are wide: a mapping that is searched for
// knowing so moves its bytes in fewer requests.
func TestRequestsAreCounted(t *testing.T) {
	requests := func(mem machine.Memory) (n int64) {
		p := New(describe(t, small), options())
		g, op := single(graph.MatMul{Batch: 2, M: 128, N: 128, K: 8})
		plan, err := mapping.NewMapper().Map(op, g, machine.Core{Planner: p, Lanes: 64, Accumulator: graph.Int32, Memory: mem}, "time", mapping.Rule{})
		require.NoError(t, err)
		for s := range plan.All() {
			for _, list := range [][]dma.Transfer{s.Loads, s.Stores} {
				for i := range list {
					x := list[i].Contiguous()
					n += x.Rows * x.Planes
				}
			}
		}
		return n
	}
	blind := requests(machine.Memory{})
	seeing := requests(machine.Memory{Burst: 64, Latency: 200, Outstanding: 4})
	require.Less(t, 2*seeing, blind)
}

// inside tells where a transfer leaves its tensor.
func inside(g *graph.Graph, p *mapping.Plan, x *dma.Transfer) error {
	size := p.Scratch
	if x.Tensor >= 0 {
		size = g.Tensor(x.Tensor).Bytes()
	}
	if end := x.Offset + (x.Planes-1)*x.PlaneStride + (x.Rows-1)*x.Stride + x.RowBytes; x.Offset < 0 || end > size {
		return fmt.Errorf("%+v leaves %d bytes", *x, size)
	}
	return nil
}

// What cannot be mapped says why.
func TestRefused(t *testing.T) {
	p := New(describe(t, small), options())
	up := kinds["conv"].(graph.Conv)
	up.Transposed = true
	for _, c := range []struct {
		kind    graph.Kind
		machine string
		want    string
	}{
		{up, small, "op: a transposed convolution is not mapped onto loop nests"},
		{kinds["conv"], "levels: [{name: DRAM}, {name: Buffer, capacity: 4B}]\n", "op: level Buffer holds 4 words, and in each of 2 parts has to keep a word of 3 tensors"},
	} {
		p = New(describe(t, c.machine), options())
		g, op := single(c.kind)
		_, err := mapping.NewMapper().Map(op, g, machine.Core{Planner: p, Accumulator: graph.Int32}, "time", mapping.Rule{})
		require.ErrorContains(t, err, c.want)
	}
	g, op := single(kinds["product"])
	_, err := mapping.NewMapper().Map(op, g, machine.Core{Planner: p}, "time", mapping.Rule{Tile: dma.Tile{M: 4}})
	require.ErrorContains(t, err, "a rule for tiles is for systolic arrays")
}

// A nest with the loops of a systolic dataflow counts what the systolic array counts:
// reads of both operand buffers, reads and writes of the buffer of sums.
func TestSystolicDataflows(t *testing.T) {
	const rows, cols, m, n, k = 4, 6, 24, 18, 12 // whole folds in every dataflow
	one := nest.Level{WordBits: 8, Block: 1, Cluster: 1, Buffering: 1, Mesh: nest.Mesh{X: 1, Y: 1}}
	memory, buffer, registers := one, one, one
	memory.Name, buffer.Name, registers.Name = "DRAM", "Buffer", "Registers"
	registers.Mesh = nest.Mesh{X: cols, Y: rows}
	a := &nest.Arch{Levels: []nest.Level{memory, buffer, registers}, Compute: nest.Compute{Name: "MAC", Mesh: nest.Mesh{X: cols, Y: rows}}}
	s := shape{sizes: [8]int64{m, 1, n, k, 1, 1, 1, 1}, stride: [2]int64{1, 1}, dilation: [2]int64{1, 1}}
	p := s.problem()
	nst, err := nest.New(&p, a, nil, nest.Rules2024)
	require.NoError(t, err)
	const N, M, C = 0, 2, 3
	const weights, inputs, outputs = 1, 2, 4
	for flow, x := range map[string]struct {
		x, y, stream int // dimensions along columns, rows, and in time
		keep         nest.Mask
	}{"ws": {M, C, N, weights}, "is": {N, C, M, inputs}, "os": {M, N, C, outputs}} {
		size := map[int]int64{N: m, M: n, C: k}
		loops := nest.Mapping{Levels: []nest.Placed{{Keep: 7}, {Keep: 7}, {Keep: x.keep}}}
		l := &loops.Levels[1]
		l.Temporal = []nest.Loop{{Dim: x.stream, Factor: size[x.stream]}, {Dim: x.y, Factor: size[x.y] / rows}, {Dim: x.x, Factor: size[x.x] / cols}}
		l.Spatial = []nest.Loop{{Dim: x.x, Factor: cols, Axis: nest.SpaceX}, {Dim: x.y, Factor: rows, Axis: nest.SpaceY}}
		require.NoError(t, nst.Legal(&loops))
		var r nest.Result
		nst.Evaluate(&loops, &r)
		g, op := single(graph.MatMul{Batch: 1, M: m, N: n, K: k})
		plan, err := mapping.Map(op, g, machine.Core{Array: dataflow.Array{Rows: rows, Cols: cols}, Dataflow: flow,
			SRAM: machine.SRAM{Ifmap: 1 << 20, Filter: 1 << 20, Ofmap: 1 << 20}, Accumulator: graph.Int32, Lanes: 1}, "traffic")
		require.NoError(t, err)
		require.EqualValues(t, plan.SRAM.FilterReads, r.Of(1, 0).Actual.Reads, "%s: weights", flow)
		require.EqualValues(t, plan.SRAM.IfmapReads, r.Of(1, 1).Actual.Reads, "%s: inputs", flow)
		require.EqualValues(t, plan.SRAM.OfmapReads, r.Of(1, 2).Actual.Reads, "%s: sums read", flow)
		require.EqualValues(t, plan.SRAM.OfmapWrites, r.Of(1, 2).Actual.Updates, "%s: sums written", flow)
		require.EqualValues(t, plan.MACs, r.MACs, flow)
		require.EqualValues(t, plan.Traffic.Total(), r.Of(0, 0).Actual.Reads+r.Of(0, 1).Actual.Reads+r.Of(0, 2).Actual.Updates, "%s: memory", flow)
		require.EqualValues(t, plan.Work()/(rows*cols), r.Steps, "%s: cycles in which every unit works", flow)
	}
}

// Sizes with a large prime factor are rounded up where that fills more units.
func TestRounded(t *testing.T) {
	s, up := shape{sizes: [8]int64{197, 1, 768, 13, 55, 14, 3, 11}}.rounded()
	require.True(t, up)
	require.Equal(t, [8]int64{208, 1, 768, 14, 56, 14, 3, 11}, s.sizes)
	_, up = shape{sizes: [8]int64{196, 12, 64, 100, 7, 7, 3, 3}}.rounded()
	require.False(t, up)
	p := New(describe(t, small), options())
	cycles := func(m int) float64 {
		g, op := single(graph.MatMul{Batch: 1, M: m, N: 64, K: 64})
		plan, err := mapping.NewMapper().Map(op, g, machine.Core{Planner: p, Lanes: 64, Accumulator: graph.Int32}, "time", mapping.Rule{})
		require.NoError(t, err)
		return float64(plan.Cycles)
	}
	require.Less(t, cycles(197), 1.06*cycles(208), "of 4 x 4 units none is idle for long")
	require.GreaterOrEqual(t, 16*cycles(197), 197.*64*64)
}

// Attention as one operator reads queries, keys and values once, writes results once and
// takes the cycles of both nests, or those of the vector unit.
func TestAttention(t *testing.T) {
	g := &graph.Graph{}
	add := func(role graph.Role, shape ...int) graph.TensorID {
		return g.Add(graph.Tensor{Shape: shape, Role: role, DType: graph.Int8})
	}
	const batch, group, queries, keys, size = 3, 2, 24, 20, 16
	op := graph.Op{Name: "op", Kind: graph.Attention{Batch: batch, Group: group, Queries: queries, Keys: keys, Size: size, Value: size},
		In:  []graph.TensorID{add(graph.Input, batch, group, queries, size), add(graph.Activation, batch, keys, size), add(graph.Activation, batch, keys, size)},
		Out: []graph.TensorID{add(graph.Output, batch, group, queries, size)}}
	g.Append(op)
	p := New(describe(t, small), options())
	plan, err := mapping.NewMapper().Map(&g.Ops[0], g, machine.Core{Planner: p, Lanes: 64, Accumulator: graph.Int32}, "time", mapping.Rule{})
	require.NoError(t, err)
	moved := map[graph.TensorID]map[int64]int{}
	var macs, cycles int64
	for s := range plan.All() {
		macs, cycles = macs+s.MACs, cycles+s.Cycles
		for _, list := range [][]dma.Transfer{s.Loads, s.Stores} {
			for i := range list {
				x := &list[i]
				require.NoError(t, inside(g, plan, x))
				if moved[x.Tensor] == nil {
					moved[x.Tensor] = map[int64]int{}
				}
				for b := range x.RowBytes {
					moved[x.Tensor][x.Offset+b]++
				}
			}
		}
	}
	for id, bytes := range moved {
		require.Len(t, bytes, int(g.Tensor(id).Bytes()))
		for _, n := range bytes {
			require.Equal(t, 1, n)
		}
	}
	require.Len(t, moved, 4)
	require.EqualValues(t, 2*batch*group*queries*keys*size, macs)
	require.GreaterOrEqual(t, cycles, macs/16)
	require.LessOrEqual(t, cycles, 2*macs/16, "a nest fills at least half of the units")
	a, b, c := plan.Footprint()
	require.LessOrEqual(t, 2*(a+b)+c, int64(8<<10))

	long := op
	long.Kind = graph.Attention{Batch: batch, Group: group, Queries: queries, Keys: 200, Size: size, Value: size}
	require.ErrorContains(t, mapping.NewMapper().AttentionFits(&long, g, machine.Core{Planner: p, Accumulator: graph.Int32}), "more than there are")
}

// Under a mask blocks skip the pieces of keys of which none of their queries sees any: as
// many as a count query by query finds. What is seen is multiplied once.
func TestMaskedAttention(t *testing.T) {
	for _, k := range []graph.Attention{
		{Batch: 2, Group: 1, Queries: 64, Keys: 64, Size: 16, Value: 16, Mask: masking.Mask{Causal: true}},
		{Batch: 1, Group: 4, Queries: 16, Keys: 96, Size: 8, Value: 16, Mask: masking.Mask{Causal: true}},
		{Batch: 1, Group: 2, Queries: 48, Keys: 48, Size: 16, Value: 16, Mask: masking.Mask{Causal: true, Window: 12}},
		{Batch: 1, Group: 1, Queries: 60, Keys: 60, Size: 16, Value: 16, Mask: masking.Mask{Causal: true, Chunk: 20}},
		{Batch: 3, Group: 4, Queries: 1, Keys: 40, Size: 16, Value: 16, Mask: masking.Mask{Causal: true}},
	} {
		g := &graph.Graph{}
		add := func(role graph.Role, shape ...int) graph.TensorID {
			return g.Add(graph.Tensor{Shape: shape, Role: role, DType: graph.Int8})
		}
		op := graph.Op{Name: "op", Kind: k, In: []graph.TensorID{add(graph.Input, k.Batch, k.Group, k.Queries, k.Size), add(graph.Activation, k.Batch, k.Keys, k.Size), add(graph.Activation, k.Batch, k.Keys, k.Value)},
			Out: []graph.TensorID{add(graph.Output, k.Batch, k.Group, k.Queries, k.Value)}}
		g.Append(op)
		p := New(describe(t, small), options())
		plan, err := mapping.NewMapper().Map(&g.Ops[0], g, machine.Core{Planner: p, Lanes: 1 << 20, Accumulator: graph.Int32}, "time", mapping.Rule{})
		require.NoError(t, err)
		rows, piece := plan.Own().Tile.M, plan.Own().Tile.N
		scores, sums := p.found[productKey(rows, piece, int64(k.Size))], p.found[productKey(rows, int64(k.Value), piece)]
		var macs, cycles int64
		i := int64(0)
		for s := range plan.All() {
			touched, pairs := map[int64]bool{}, int64(0)
			for row := i * rows; row < (i+1)*rows; row++ {
				from, to := k.Mask.Range(row%int64(k.Queries), int64(k.Queries), int64(k.Keys))
				for key := from; key < to; key++ {
					touched[key/piece] = true
				}
				pairs += to - from
			}
			require.Equal(t, int64(len(touched))*int64(scores.result.Cycles+sums.result.Cycles), s.Cycles, "%+v, block %d", k, i)
			require.Equal(t, pairs*int64(k.Size+k.Value), s.MACs)
			macs, cycles = macs+s.MACs, cycles+s.Cycles
			i++
		}
		require.Equal(t, k.Pairs()*int64(k.Size+k.Value), macs)
		require.Equal(t, plan.Cycles, cycles)
		if all := int64(k.Batch*k.Group*k.Queries*k.Keys) * int64(k.Size+k.Value); k.Queries > 16 {
			require.Less(t, cycles, all/16, "%+v: fewer than without a mask", k)
		}
	}
}

func productKey(n, m, c int64) key {
	return key{shape: shape{sizes: [8]int64{n, 1, m, c, 1, 1, 1, 1}, stride: [2]int64{1, 1}, dilation: [2]int64{1, 1}}, inside: true}
}

// Mappings evaluated for time, with the memory, fill and drain in what they cost.
func BenchmarkTime(b *testing.B) {
	o := options()
	o.Objective, o.Search.Evaluations = "time", int64(b.N)
	p := New(describe(b, small), o)
	g, op := single(kinds["conv"])
	_, err := mapping.NewMapper().Map(op, g, machine.Core{Planner: p, Lanes: 64, Accumulator: graph.Int32, Memory: machine.Memory{Bandwidth: 8, Cycles: 1, Burst: 256, Latency: 50, Outstanding: 16}}, "time", mapping.Rule{})
	require.NoError(b, err)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "mappings/s")
}
