package systolic

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// shareOfProduct maps a matrix product onto the core of a bench.
func shareOfProduct(t require.TestingT, b bench, g *graph.Graph, objective string) (work.Share, *mapping.Plan) {
	_, k := b.build(t, "analytic")
	p, err := mapping.Map(&g.Ops[0], g, k.(work.Mappable).Core(graph.Uniform(graph.Int8)), objective)
	require.NoError(t, err)
	base := uint64(p.Scratch+4095) &^ 4095
	at := make([]uint64, len(g.Tensors))
	for i := range g.Tensors {
		at[i] = base
		base += uint64(g.Tensors[i].Bytes()+4095) &^ 4095
	}
	return work.Share{Name: "w", Graph: g, Program: mapping.Program{Jobs: []mapping.Job{{Plan: p}}, Scratch: p.Scratch},
		Base: func(id graph.TensorID) uint64 {
			if id == dma.Scratch {
				return 0
			}
			return at[id]
		}}, p
}

// matrixRun is how long a core takes for a matrix product, and its plan.
func matrixRun(t require.TestingT, b bench, g *graph.Graph, objective string) (cycles uint64, p *mapping.Plan) {
	w, p := shareOfProduct(t, b, g, objective)
	e, k := b.build(t, "analytic")
	require.NoError(t, work.IssueAll(k, w))
	require.NoError(t, k.Start())
	require.NoError(t, e.Run())
	return rows(k.inside())[0].end, p
}

// The objective time is near what the machine takes, and the machine is hardly ever
// slower than with tiles of least traffic or least cycles.
func TestTimeIsWhatTheMachineTakes(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 4))
	size := func() int { return int(math.Exp(math.Log(16) + r.Float64()*math.Log(3000/16.))) }
	off, gain, worst, n := 0.0, 0.0, 1.0, 0
	trials := 120
	if testing.Short() {
		trials = 30
	}
	for range trials {
		b := defaultBench()
		b.spec.Rows, b.spec.Cols = 16<<r.IntN(4), 16<<r.IntN(4)
		b.spec.Dataflow = []Flow{"ws", "os", "is"}[r.IntN(3)]
		b.spec.Overlap = Overlap{Preload: r.IntN(2) == 0, Drain: r.IntN(2) == 0}
		s := units.Bytes(32<<10) << r.IntN(6)
		b.spec.SRAM = machine.SRAM{Ifmap: s, Filter: s, Ofmap: s}
		b.spec.DMA.Outstanding = 64
		b.mem.Latency = units.InCycles(uint64(20 + r.IntN(200)))
		b.mem.Bandwidth = units.Bandwidth(64e9) << r.IntN(8)
		g := product(size(), size(), size(), graph.Int8)
		time, p := matrixRun(t, b, g, "time")
		traffic, _ := matrixRun(t, b, g, "traffic")
		cycles, _ := matrixRun(t, b, g, "cycles")
		n++
		off += math.Abs(math.Log(float64(p.Time) / float64(time)))
		least := float64(min(traffic, cycles))
		gain += math.Log(least / float64(time))
		worst = min(worst, least/float64(time))
	}
	off, gain = math.Exp(off/float64(n))-1, math.Exp(gain/float64(n))
	t.Logf("estimate off by %.1f%%; %.2f times as fast as the better of traffic and cycles, at worst %.2f", 100*off, gain, worst)
	require.Less(t, off, 0.05)
	require.Greater(t, gain, 1.06)
	require.Greater(t, worst, 0.94)
}
