package tile

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// conv is a convolution along one axis, with tensors of one byte elements that lie row by
// row: K C P R.
func conv(size [4]int64, stride int64) (*nest.Problem, []Operand) {
	p := &nest.Problem{}
	for i, name := range []string{"K", "C", "P", "R"} {
		p.Dims = append(p.Dims, nest.Dim{Name: name, Size: size[i]})
	}
	one := func(d int) []nest.Term { return []nest.Term{{Dim: d, Coef: 1}} }
	p.Tensors = []nest.Tensor{
		{Name: "Weights", Ranks: [][]nest.Term{one(0), one(1), one(3)}},
		{Name: "Inputs", Ranks: [][]nest.Term{one(1), {{Dim: 2, Coef: stride}, {Dim: 3, Coef: 1}}}},
		{Name: "Outputs", Ranks: [][]nest.Term{one(0), one(2)}, Written: true},
	}
	w := (size[2]-1)*stride + size[3]
	lay := func(id int, b dma.Buffer, sizes ...int64) Operand {
		o := Operand{Tensor: graph.TensorID(id), Buffer: b, Bits: 8, Size: sizes, Stride: make([]int64, len(sizes)), Shift: make([]int64, len(sizes))}
		n := int64(1)
		for i := len(sizes) - 1; i >= 0; i-- {
			o.Stride[i] = n
			n *= sizes[i]
		}
		return o
	}
	return p, []Operand{lay(0, dma.Filter, size[0], size[1], size[3]), lay(1, dma.Ifmap, size[1], w), lay(2, dma.Ofmap, size[0], size[2])}
}

// machine is a memory, a buffer, registers that are many, compute; fan is the mesh of
// buffers.
func machine(fan int64) *nest.Arch {
	one := nest.Level{WordBits: 8, Block: 1, Cluster: 1, Buffering: 1, Mesh: nest.Mesh{X: 1, Y: 1}}
	dram, buffer, regs := one, one, one
	dram.Name, buffer.Name, regs.Name = "DRAM", "Buffer", "Registers"
	buffer.Mesh, regs.Mesh = nest.Mesh{X: fan, Y: 1}, nest.Mesh{X: fan, Y: 6}
	return &nest.Arch{Levels: []nest.Level{dram, buffer, regs}, Compute: nest.Compute{Name: "MAC", Mesh: nest.Mesh{X: fan, Y: 6}}}
}

func draw(t *rapid.T) (*nest.Nest, *nest.Mapping, []Operand) {
	size := rapid.SampledFrom([]int64{1, 2, 3, 4, 6, 8})
	p, ops := conv([4]int64{size.Draw(t, "K"), size.Draw(t, "C"), size.Draw(t, "P"), size.Draw(t, "R")}, rapid.Int64Range(1, 3).Draw(t, "stride"))
	n, err := nest.New(p, machine(rapid.SampledFrom([]int64{1, 4}).Draw(t, "fan")), nil, rapid.SampledFrom([]nest.Rules{nest.Rules2024, nest.Rules2025}).Draw(t, "rules"))
	require.NoError(t, err)
	s, err := nest.NewSpace(n, nest.Free(3, 4), "edp")
	require.NoError(t, err)
	w, r := s.Walker(), rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	m := w.New()
	for !w.Random(r, m) {
	}
	return n, m, ops
}

// Steps of sparse tensors load and store what the nest counts at the outermost level, metadata
// included, and compute for as long.
func TestSparseStepsAreTheCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dense, m, ops := draw(t)
		p, a := *dense.Problem(), *dense.Arch()
		density := func(name string) nest.Density {
			return nest.Density{Distribution: nest.Uniform, Value: rapid.SampledFrom([]float64{0.1, 0.25, 0.5, 0.9, 1}).Draw(t, name)}
		}
		p.Tensors[0].Density, p.Tensors[1].Density = density("weights"), density("inputs")
		a.Levels = append([]nest.Level(nil), a.Levels...)
		a.Levels[0].Metadata = nest.Metadata{Width: 32, Bits: 8}
		a.Levels[1].Metadata = a.Levels[0].Metadata
		sparse := &nest.Sparse{Formats: make([][][]nest.Rank, 3)}
		for l := range sparse.Formats {
			sparse.Formats[l] = make([][]nest.Rank, 3)
		}
		if rapid.Bool().Draw(t, "compressed") && m.Levels[1].Keep.Has(0) {
			f := []nest.Rank{{Format: nest.Bitmask, Flatten: 1<<0 | 1<<1 | 1<<3}}
			sparse.Formats[0][0], sparse.Formats[1][0] = f, f
		}
		sparse.Savings = []nest.Saving{{Level: rapid.IntRange(0, 2).Draw(t, "level"), Skip: rapid.Bool().Draw(t, "skip"), Options: []nest.Option{{Target: 1, Leaders: 1}}}}
		n, err := nest.New(&p, &a, sparse, nest.Rules2024)
		require.NoError(t, err)
		var r nest.Result
		n.Evaluate(m, &r)
		plan, err := New(n, m, &r, Task{Operands: ops, Sums: 8, Bias: graph.None, MACs: int64(r.Computes)})
		require.NoError(t, err)
		var s dma.Step
		var loads [4]int64
		stores, cycles, macs := int64(0), int64(0), int64(0)
		for w := plan.Walk(); w.Next(&s); {
			for i := range s.Loads {
				at := 3
				if s.Loads[i].Tensor != dma.Scratch {
					at = int(s.Loads[i].Tensor)
				}
				loads[at] += s.Loads[i].Bytes()
			}
			for i := range s.Stores {
				stores += s.Stores[i].Bytes()
			}
			cycles, macs = cycles+s.Cycles, macs+s.MACs
		}
		for k := range 2 {
			out, _ := n.OuterWords(&r, k)
			require.GreaterOrEqual(t, out, int64(r.Of(0, k).Actual.Reads))
			require.Equal(t, out, loads[k], "tensor %d", k)
		}
		out, in := n.OuterWords(&r, 2)
		require.Equal(t, out, loads[3], "sums that come back")
		require.Equal(t, in, stores, "results and sums")
		require.EqualValues(t, r.Cycles, cycles)
		if r.Computes >= 1 {
			require.EqualValues(t, int64(r.Computes), macs)
		}
	})
}

// visit calls f with every element, one byte each, of a transfer.
func visit(x *dma.Transfer, f func(at int64)) {
	for p := range x.Planes {
		for r := range x.Rows {
			for i := range x.RowBytes {
				f(x.Offset + p*x.PlaneStride + r*x.Stride + i)
			}
		}
	}
}

// The steps of any mapping load and store what the nest counts at the outermost level,
// and compute for as long.
func TestStepsAreTheCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m, ops := draw(t)
		var r nest.Result
		n.Evaluate(m, &r)
		p, err := New(n, m, &r, Task{Operands: ops, Sums: 8, Bias: graph.None})
		require.NoError(t, err)
		var s dma.Step
		var loads, stores [4]int64 // by tensor, scratch last
		cycles, macs, steps := int64(0), int64(0), int64(0)
		of := func(id graph.TensorID) int {
			if id == dma.Scratch {
				return 3
			}
			return int(id)
		}
		for w := p.Walk(); w.Next(&s); steps++ {
			for i := range s.Loads {
				loads[of(s.Loads[i].Tensor)] += s.Loads[i].Bytes()
			}
			for i := range s.Stores {
				stores[of(s.Stores[i].Tensor)] += s.Stores[i].Bytes()
			}
			cycles, macs = cycles+s.Cycles, macs+s.MACs
		}
		require.Equal(t, p.Steps, steps)
		require.EqualValues(t, r.Cycles, cycles)
		require.EqualValues(t, r.MACs, macs)
		require.EqualValues(t, r.Of(0, 0).Actual.Reads, loads[0], "weights")
		require.EqualValues(t, r.Of(0, 1).Actual.Reads, loads[1], "inputs")
		require.EqualValues(t, r.Of(0, 2).Actual.Reads, loads[3], "sums that come back")
		require.EqualValues(t, r.Of(0, 2).Actual.Reads, stores[3], "sums that are not complete")
		require.EqualValues(t, r.Of(0, 2).Actual.Updates, stores[2]+stores[3])
	})
}

// Where the next level keeps a tensor, what a step needs of it is there: it was loaded
// with the step, or with the one before and is still in the tile. Each result is stored
// once.
func TestWhatAStepNeedsIsThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m, ops := draw(t)
		var r nest.Result
		n.Evaluate(m, &r)
		p, err := New(n, m, &r, Task{Operands: ops, Sums: 8, Bias: graph.None})
		require.NoError(t, err)
		var s dma.Step
		held := [2]map[int64]bool{{}, {}}
		stored := map[int64]int{}
		w := p.Walk()
		for {
			index := append([]int64(nil), w.base...)
			if !w.Next(&s) {
				break
			}
			for k := range held {
				x, o := &p.tensors[k], &ops[k]
				if !m.Levels[1].Keep.Has(k) || x.words != x.boxes { // several buffers, each with its part
					continue
				}
				b := newBox(len(x.ranks))
				x.box(&b, index, p.extent)
				now := map[int64]bool{}
				for i := range s.Loads {
					if l := &s.Loads[i]; int(l.Tensor) == k {
						visit(l, func(at int64) { now[at] = true })
					}
				}
				need := o.transfers(nil, 0, 8, &b, b.words())
				for i := range need {
					visit(&need[i], func(at int64) {
						require.True(t, now[at] || held[k][at], "element %d of tensor %d", at, k)
						now[at] = true
					})
				}
				held[k] = now
			}
			for i := range s.Stores {
				if x := &s.Stores[i]; x.Tensor == 2 {
					visit(x, func(at int64) { stored[at]++ })
				}
			}
		}
		require.Len(t, stored, int(ops[2].Elements()))
		for _, times := range stored {
			require.Equal(t, 1, times)
		}
	})
}

// A run is what follows itself in memory: whole rows join the next ones.
func TestRun(t *testing.T) {
	o := Operand{Size: []int64{3, 4, 5}, Stride: []int64{20, 5, 1}}
	for _, c := range []struct{ n, h, w, want int64 }{{1, 1, 3, 3}, {1, 2, 3, 3}, {1, 2, 5, 10}, {2, 4, 5, 40}, {2, 3, 5, 15}, {1, 9, 9, 20}, {2, 1, 1, 1}} {
		require.Equal(t, c.want, o.Run(c.n, c.h, c.w), c)
		b := box{[]int64{0, 0, 0}, []int64{min(c.n, 3), min(c.h, 4), min(c.w, 5)}}
		o.Shift = make([]int64, 3)
		require.Equal(t, c.want, o.transfers(nil, 0, 8, &b, b.words())[0].RowBytes)
	}
	o.Packed = true
	require.EqualValues(t, 6, o.Run(1, 2, 3))
}

// Padding is no data: of a window that hangs over the edge only what is there moves.
func TestPaddingIsNotLoaded(t *testing.T) {
	o := Operand{Tensor: 1, Bits: 8, Size: []int64{2, 5}, Stride: []int64{5, 1}, Shift: []int64{0, 1}}
	b := box{[]int64{0, 0}, []int64{2, 7}}
	require.Equal(t, []dma.Transfer{{Tensor: 1, RowBytes: 10, Rows: 1, Planes: 1}}, o.transfers(nil, 1, 8, &b, b.words()))
	b = box{[]int64{0, 4}, []int64{2, 7}}
	require.Equal(t, []dma.Transfer{{Tensor: 1, Offset: 3, RowBytes: 2, Rows: 2, Stride: 5, Planes: 1}}, o.transfers(nil, 1, 8, &b, b.words()))
	b = box{[]int64{0, 6}, []int64{2, 7}}
	require.Empty(t, o.transfers(nil, 1, 8, &b, b.words()))
}
