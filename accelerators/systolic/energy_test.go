package systolic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Energy of one product by hand: 1 pJ per byte that a register takes over, 10 pJ per
// multiply-accumulate, 100 pJ per byte of a buffer. With every multiply-accumulate the
// two operands that move are taken over (os), or the one that moves and the partial sum
// (ws: the input, is: the weight).
func TestEnergyByHand(t *testing.T) {
	const m, n, k = 40, 24, 56
	e := func(pj float64) *units.Energy { v := units.Energy(pj * 1e-12); return &v }
	for _, c := range []struct {
		flow        string
		input       graph.DType
		perMAC, acc float64 // bytes that registers take over, of a partial sum
	}{
		{"os", graph.Int8, 1 + 1, 4},
		{"ws", graph.Int8, 1 + 4, 4},
		{"is", graph.Int8, 1 + 4, 4},
		{"os", graph.BF16, 2 + 2, 4},
		{"ws", graph.BF16, 2 + 4, 4},
		{"is", graph.BF16, 2 + 4, 4},
	} {
		b := defaultBench()
		b.spec.Dataflow = Flow(c.flow)
		b.spec.Energy = Energy{Process: "7nm", MAC: e(10), Register: e(1), Vector: e(0), IfmapByte: e(100), FilterByte: e(100), OfmapByte: e(100)}
		g := product(m, n, k, c.input)
		for _, fidelity := range []string{"tile", "analytic"} {
			w, _ := b.network(t, fidelity, shareOf(t, g, b.spec))
			l := &w.inside().layers[0]
			p := l.job.Plan
			require.InDelta(t, 10*m*n*k, l.energy.MAC, 1e-6)
			require.InEpsilon(t, c.perMAC*m*n*k, l.energy.Register, 1e-12, "%s %s", c.flow, c.input)
			require.EqualValues(t, p.RegisterBytes(), l.energy.Register, "as the mapper counts them")
			width := float64(c.input.Bits()) / 8
			sram := [buffers]float64{
				float64(p.SRAM.IfmapReads)*width + float64(l.read[dma.Ifmap]),
				float64(p.SRAM.FilterReads)*width + float64(l.read[dma.Filter]),
				float64(p.SRAM.OfmapReads+p.SRAM.OfmapWrites)*c.acc + float64(l.read[dma.Ofmap]+l.written.sum()),
			}
			for i, bytes := range p.BufferBytes() {
				require.InEpsilon(t, 100*sram[i], l.energy.SRAM[i], 1e-9)
				require.InEpsilon(t, 100*float64(bytes), l.energy.SRAM[i], 1e-9)
			}
			require.InEpsilon(t, l.energy.MAC+l.energy.Register+l.energy.SRAM[0]+l.energy.SRAM[1]+l.energy.SRAM[2], l.energy.Total(), 1e-12)
			got := map[string]float64{}
			for _, x := range w.Stats().Metrics() {
				got[x.Name] = x.Value
			}
			require.Positive(t, got["energy_static"])
			require.InEpsilon(t, l.energy.Total()+got["energy_static"], got["energy"], 1e-12)
			require.InEpsilon(t, l.energy.Register, got["energy_register"], 1e-12)
		}
	}
}

// product is a graph of one m x k by k x n product of type d.
func product(m, n, k int, d graph.DType) *graph.Graph {
	g := &graph.Graph{Name: "product"}
	a := g.Add(graph.Tensor{Name: "a", Shape: []int{m, k}, DType: d, Role: graph.Activation})
	w := g.Add(graph.Tensor{Name: "w", Shape: []int{k, n}, DType: d, Role: graph.Weight})
	c := g.Add(graph.Tensor{Name: "c", Shape: []int{m, n}, DType: d, Role: graph.Activation})
	g.Ops = append(g.Ops, graph.Op{Name: "gemm", Kind: graph.MatMul{M: m, N: n, K: k, Batch: 1, SharedB: 1}, In: []graph.TensorID{a, w}, Out: []graph.TensorID{c}})
	return g
}
