package mapping

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// No trivial alternative beats the mapper: not a layer in two halves, not another
// objective, not less of a resource. Each test says the worst ratio that it found.

// a random product on a random core, and how long it takes alone.
type trial struct {
	r    *rand.Rand
	core machine.Core
	k    graph.MatMul
	d    graph.DType
}

func (x *trial) size(most float64) int {
	return int(math.Exp(x.r.Float64() * math.Log(most)))
}

func drawTrial(r *rand.Rand) *trial {
	x := &trial{r: r, d: []graph.DType{graph.Int8, graph.BF16}[r.IntN(2)]}
	side := 8 << r.IntN(6)
	overlap := r.IntN(2) == 0
	sram := units.Bytes(64<<10) << r.IntN(7)
	bandwidth := int64(8) << r.IntN(8)
	x.core = machine.Core{
		Array: dataflow.Array{Rows: side, Cols: side, OverlapPreload: overlap, OverlapDrain: overlap}, Dataflow: []string{"ws", "os", "is"}[r.IntN(3)],
		SRAM: machine.SRAM{Ifmap: sram, Filter: sram, Ofmap: sram}, Accumulator: graph.Int32, Lanes: side,
		Memory: machine.Memory{Bandwidth: bandwidth, Cycles: 1, Latency: 20 + r.Int64N(200), Burst: 4096, Outstanding: 64},
	}
	x.k = graph.MatMul{Batch: 1, M: x.size(4096), N: 7 + x.size(8192), K: 7 + x.size(8192)}
	return x
}

// time is the estimate of a product in cycles.
func (x *trial) time(t *testing.T, core machine.Core, k graph.MatMul, objective string) float64 {
	if core.Gemv < 0 { // none
		core.Gemv = 0
	} else {
		row := int64(core.Array.Cols) * x.d.Bytes(1)
		core.Gemv = int(min((2*core.Memory.Bandwidth+row-1)/row, int64(core.Array.Rows)))
	}
	g, op := one(k, graph.Uniform(x.d), false)
	p, err := Map(op, g, core, objective)
	require.NoError(t, err)
	return float64(p.Estimate())
}

// A limit is what is held of many trials: ratios stay within the bound but for so many, and
// those within the cap.
type limit struct {
	bound float64
	over  int
	cap   float64
}

// worstOf runs so many trials and says the greatest ratio.
func worstOf(t *testing.T, n int, l limit, ratio func(*trial) float64) {
	t.Helper()
	if os.Getenv("CAUSEWAY_LONG") == "" {
		n /= 3
	}
	if testing.Short() {
		n /= 3
	}
	r, worst, over := rand.New(rand.NewPCG(25, 1)), 0.0, 0
	for range n {
		x := drawTrial(r)
		q := ratio(x)
		worst = max(worst, q)
		if q > l.bound {
			over++
			t.Logf("%.3f: %dx%d %s overlap %v, buffers of %v, memory %+v, %+v %s", q, x.core.Array.Rows, x.core.Array.Cols, x.core.Dataflow, x.core.Array.OverlapDrain, x.core.SRAM.Ifmap, x.core.Memory, x.k, x.d)
		}
	}
	t.Logf("%d trials, worst ratio %.4f, %d over %.2f", n, worst, over, l.bound)
	require.LessOrEqual(t, over, l.over)
	require.LessOrEqual(t, worst, l.cap)
}

func TestHalvesGainNothing(t *testing.T) {
	worstOf(t, 120, limit{1.02, 0, 1.02}, func(x *trial) float64 {
		whole, worst := x.time(t, x.core, x.k, "time"), 0.0
		for axis := range 2 {
			a, b := x.k, x.k
			if axis == 0 {
				a.M, b.M = x.k.M/2, x.k.M-x.k.M/2
			} else {
				a.N, b.N = x.k.N/2, x.k.N-x.k.N/2
			}
			if a.M > 0 && a.N > 0 {
				worst = max(worst, whole/(x.time(t, x.core, a, "time")+x.time(t, x.core, b, "time")))
			}
		}
		return worst
	})
}

func TestMoreOfAResourceNeverLoses(t *testing.T) {
	var before []float64
	for name, more := range map[string]func(*machine.Core){
		"bandwidth": func(c *machine.Core) { c.Memory.Bandwidth *= 2 },
		"ifmap":     func(c *machine.Core) { c.SRAM.Ifmap *= 2 },
		"filter":    func(c *machine.Core) { c.SRAM.Filter *= 2 },
		"ofmap":     func(c *machine.Core) { c.SRAM.Ofmap *= 2 },
		"array":     func(c *machine.Core) { c.Array.Rows, c.Array.Cols = 2*c.Array.Rows, 2*c.Array.Cols },
		"latency":   func(c *machine.Core) { c.Memory.Latency /= 2 },
		"requests":  func(c *machine.Core) { c.Memory.Outstanding *= 2 },
	} {
		t.Run(name, func(t *testing.T) {
			i := 0
			worstOf(t, 80, limit{1.01, 0, 1.01}, func(x *trial) float64 {
				if i == len(before) { // the trials are the same for all resources
					before = append(before, x.time(t, x.core, x.k, "time"))
				}
				big := x.core
				more(&big)
				i++
				return x.time(t, big, x.k, "time") / before[i-1]
			})
		})
	}
}

// One row more costs its share, at most of the next tile, and 1%.
func TestNoCliffInM(t *testing.T) {
	worstOf(t, 120, limit{1.01, 2, 1.035}, func(x *trial) float64 {
		rows := x.core.Array.Rows
		worst := 0.0
		for _, m := range []int{x.k.M, rows - 1, rows, 2*rows - 1, 2 * rows} {
			a, b := x.k, x.k
			a.M, b.M = m, m+1
			tiles := func(m int) float64 { return float64((m + rows - 1) / rows) }
			share := max(float64(b.M)/float64(a.M), tiles(b.M)/tiles(a.M))
			worst = max(worst, x.time(t, x.core, b, "time")/x.time(t, x.core, a, "time")/share)
		}
		return worst
	})
}

func TestTheDefaultIsNoSlowerThanOtherKeys(t *testing.T) {
	worstOf(t, 120, limit{1.01, 0, 1.01}, func(x *trial) float64 {
		best := x.time(t, x.core, x.k, "time")
		other := min(x.time(t, x.core, x.k, "traffic"), x.time(t, x.core, x.k, "cycles"))
		none := x.core
		none.Gemv = -1
		return best / min(other, x.time(t, none, x.k, "time"))
	})
}
