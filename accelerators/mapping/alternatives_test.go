package mapping

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/tile"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// No trivial alternative beats the mapper: an operator in two halves, less of a resource, a row
// less, a key that is set. The rules are held over random operators of all kinds on random cores of
// three dataflows; attentions have the same rules in attention_alternatives_test.go. Over 250 trials no half is over 1.02 (worst 1.005), and of ten resources doubled
// nine of 2,500 are over 1.01: the worst is 1.073, at 432 rows of 7 columns. CAUSEWAY_TRIALS is how
// many each rule tries, few by default.

// An anyTrial is a random operator on a random core.
type anyTrial struct {
	seed int
	core machine.Core
	k    graph.Kind
	d    graph.DType
}

func (x anyTrial) String() string {
	m := x.core.Memory
	return fmt.Sprintf("%dx%d %s preload %v drain %v, buffers %v, %d B/%d latency %d burst %d outstanding %d, %+v %s", x.core.Array.Rows, x.core.Array.Cols, x.core.Dataflow,
		x.core.Array.OverlapPreload, x.core.Array.OverlapDrain, x.core.SRAM, m.Bandwidth, m.Cycles, m.Latency, m.Burst, m.Outstanding, x.k, x.d)
}

// scaled draws a number whose logarithm is uniform.
func scaled(t *rapid.T, name string, least, most int) int {
	x := rapid.Float64Range(math.Log(float64(least)), math.Log(float64(most)+0.999)).Draw(t, name)
	return min(int(math.Exp(x)), most)
}

func drawSide(t *rapid.T, name string) int {
	if rapid.IntRange(0, 3).Draw(t, name+" odd") == 0 {
		return scaled(t, name, 4, 256)
	}
	return 4 << rapid.IntRange(0, 6).Draw(t, name)
}

// anyKind draws an operator: a product, products of heads, a convolution, grouped or
// depthwise, or an attention.
func anyKind(t *rapid.T) graph.Kind {
	n := func(name string, most int) int { return scaled(t, name, 1, most) }
	switch rapid.SampledFrom([]string{"gemm", "gemm", "gemm", "heads", "conv", "grouped", "depthwise"}).Draw(t, "kind") {
	case "heads":
		return graph.MatMul{Batch: n("heads", 256), M: n("m", 512), N: n("n", 512), K: n("k", 512)}
	case "conv":
		return anyConv(t, n("channels", 512), n("filters", 512), 1)
	case "grouped":
		g := n("groups", 64)
		return anyConv(t, g*n("channels", 32), g*n("filters", 32), g)
	case "depthwise":
		g := n("groups", 512)
		return anyConv(t, g, g*rapid.IntRange(1, 2).Draw(t, "multiplier"), g)
	}
	return graph.MatMul{Batch: 1, M: n("m", 4096), N: 6 + n("n", 8192), K: 6 + n("k", 8192)}
}

func anyConv(t *rapid.T, channels, filters, groups int) graph.Conv {
	k := rapid.SampledFrom([]int{1, 3, 3, 5, 7}).Draw(t, "kernel")
	s := rapid.IntRange(1, 2).Draw(t, "stride")
	h := scaled(t, "height", k, 64)
	return graph.Conv{N: scaled(t, "images", 1, 16), C: channels, H: h, W: h, K: filters, R: k, S: k, StrideH: s, StrideW: s,
		PadTop: k / 2, PadLeft: k / 2, PadBottom: k / 2, PadRight: k / 2, DilationH: 1, DilationW: 1, Groups: groups}
}

var anyTrials = trialsOf(anyKind)

// trialsOf draws operators of some kinds on random cores.
func trialsOf(kind func(*rapid.T) graph.Kind) *rapid.Generator[anyTrial] {
	return rapid.Custom(func(t *rapid.T) anyTrial { return drawAnyTrial(t, kind) })
}

func drawAnyTrial(t *rapid.T, kind func(*rapid.T) graph.Kind) anyTrial {
	x := anyTrial{k: kind(t), d: rapid.SampledFrom([]graph.DType{graph.Int8, graph.BF16}).Draw(t, "type")}
	rows := drawSide(t, "rows")
	cols := rows
	if rapid.Bool().Draw(t, "oblong") {
		cols = drawSide(t, "cols")
	}
	a := dataflow.Array{Rows: rows, Cols: cols, OverlapPreload: rapid.Bool().Draw(t, "preload"), OverlapDrain: rapid.Bool().Draw(t, "drain")}
	sram := func(name string) units.Bytes { return 16 << 10 << rapid.IntRange(0, 8).Draw(t, name) }
	flow := rapid.SampledFrom([]string{"ws", "ws", "os", "is"}).Draw(t, "dataflow")
	x.core = machine.Core{Array: a, Dataflow: flow, SRAM: machine.SRAM{Ifmap: sram("ifmap"), Filter: sram("filter"), Ofmap: sram("ofmap")},
		Accumulator: graph.Int32, Lanes: max(rows, cols), OnChip: machine.KeepAll,
		Memory: machine.Memory{Bandwidth: int64(scaled(t, "bandwidth", 4, 2048)), Cycles: 1, Latency: int64(scaled(t, "latency", 10, 1000)),
			Burst: 64 << rapid.IntRange(0, 6).Draw(t, "burst"), Outstanding: 16 << int64(rapid.IntRange(0, 5).Draw(t, "outstanding"))}}
	return x
}

// time is the estimate of an operator in cycles, 0 where no tile fits.
func (x *anyTrial) time(core machine.Core, k graph.Kind, objective string, rule Rule) float64 {
	if core.Gemv < 0 { // none
		core.Gemv = 0
	} else if core.Gemv == 0 {
		row := int64(core.Array.Cols) * x.d.Bytes(1)
		core.Gemv = int(min((2*core.Memory.Bandwidth+row*core.Memory.Cycles-1)/(row*core.Memory.Cycles), int64(core.Array.Rows)))
	}
	g, op := one(k, graph.Uniform(x.d), false)
	p, err := NewMapper().Map(op, g, core, objective, rule)
	if err != nil {
		return 0
	}
	return float64(p.Estimate())
}

// plain is the time on a core with nothing fixed, and asGiven that on the core of the trial. Rules
// of one test share the latter by seeds.
func (x *anyTrial) plain(core machine.Core) float64 { return x.time(core, x.k, "time", Rule{}) }

func (x *anyTrial) asGiven(known map[int]float64) float64 {
	t, ok := known[x.seed]
	if !ok {
		t = x.plain(x.core)
		known[x.seed] = t
	}
	return t
}

// tried is how many anyTrials a rule has.
func tried(t *testing.T, few int) int {
	text := os.Getenv("CAUSEWAY_TRIALS")
	if text == "" {
		return few
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, "CAUSEWAY_TRIALS is no number")
	return n
}

// slips is how many of so many anyTrials may be over a rule's bound, and none over the cap: operators
// of a few hundred cycles, of which one more load of a tile is some percent.
func slips(n int) int { return (n + 59) / 60 }

// holds tries a rule: ratios are within the bound but for a few slips, which are within the cap.
func holds(t *testing.T, few int, bound, most float64, ratio func(*anyTrial) float64) {
	t.Helper()
	holdsOf(t, anyTrials, few, bound, most, ratio)
}

func holdsOf(t *testing.T, trials *rapid.Generator[anyTrial], few int, bound, most float64, ratio func(*anyTrial) float64) {
	t.Helper()
	n := tried(t, few)
	worst, over := 0.0, 0
	for seed := range n {
		x := trials.Example(seed)
		x.seed = seed
		q := ratio(&x)
		worst = max(worst, q)
		if q > bound {
			over++
			t.Logf("%.4f seed %d: %v", q, seed, x)
		}
	}
	t.Logf("%d trials, worst ratio %.4f, %d over %.2f", n, worst, over, bound)
	require.LessOrEqual(t, over, slips(n))
	require.LessOrEqual(t, worst, most)
}

// halves are the operator in two parts, by rows, batch and columns.
func halves(k graph.Kind) (out [][2]graph.Kind) {
	cut := func(n int, set func(int) graph.Kind) {
		if n > 1 {
			out = append(out, [2]graph.Kind{set(n / 2), set(n - n/2)})
		}
	}
	switch k := k.(type) {
	case graph.MatMul:
		cut(k.M, func(n int) graph.Kind { x := k; x.M = n; return x })
		cut(k.N, func(n int) graph.Kind { x := k; x.N = n; return x })
		cut(k.Batch, func(n int) graph.Kind { x := k; x.Batch = n; return x })
	case graph.Conv:
		cut(k.N, func(n int) graph.Kind { x := k; x.N = n; return x })
		if k.Groups == 1 {
			cut(k.K, func(n int) graph.Kind { x := k; x.K = n; return x })
			break
		}
		cut(k.Groups, func(n int) graph.Kind { x := k; x.C, x.K, x.Groups = k.C/k.Groups*n, k.K/k.Groups*n, n; return x })
	}
	return out
}

func TestHalvesOfAnyOperatorGainNothing(t *testing.T) {
	holds(t, 16, 1.02, 1.1, func(x *anyTrial) (worst float64) {
		whole := x.plain(x.core)
		if whole == 0 {
			return 0
		}
		for _, h := range halves(x.k) {
			worst = max(worst, whole/(x.time(x.core, h[0], "time", Rule{})+x.time(x.core, h[1], "time", Rule{})))
		}
		return worst
	})
}

// resources are what a core may have more of.
var resources = map[string]func(*machine.Core){
	"bandwidth": func(c *machine.Core) { c.Memory.Bandwidth *= 2 },
	"ifmap":     func(c *machine.Core) { c.SRAM.Ifmap *= 2 },
	"filter":    func(c *machine.Core) { c.SRAM.Filter *= 2 },
	"ofmap":     func(c *machine.Core) { c.SRAM.Ofmap *= 2 },
	"array":     func(c *machine.Core) { c.Array.Rows, c.Array.Cols = 2*c.Array.Rows, 2*c.Array.Cols },
	"rows":      func(c *machine.Core) { c.Array.Rows *= 2 },
	"cols":      func(c *machine.Core) { c.Array.Cols *= 2 },
	"latency":   func(c *machine.Core) { c.Memory.Latency /= 2 },
	"requests":  func(c *machine.Core) { c.Memory.Outstanding *= 2 },
	"lanes":     func(c *machine.Core) { c.Lanes *= 2 },
}

func TestMoreForAnyOperatorNeverLoses(t *testing.T) {
	moreNeverLoses(t, anyTrials, 1.15)
}

func moreNeverLoses(t *testing.T, trials *rapid.Generator[anyTrial], most float64) {
	known := map[int]float64{}
	for name, more := range resources {
		t.Run(name, func(t *testing.T) {
			holdsOf(t, trials, 8, 1.01, most, func(x *anyTrial) float64 {
				big := x.core
				more(&big)
				if before := x.asGiven(known); before > 0 {
					return x.plain(big) / before
				}
				return 0
			})
		})
	}
}

// One row more costs its share, at most of the next tile, and 1%.
func TestNoCliffInMOfAnyProduct(t *testing.T) {
	holds(t, 8, 1.01, 1.1, func(x *anyTrial) (worst float64) {
		k, ok := x.k.(graph.MatMul)
		if !ok {
			return 0
		}
		rows := x.core.Array.Rows
		for _, m := range []int{k.M, rows - 1, rows, 2*rows - 1, 2 * rows} {
			a, b := k, k
			a.M, b.M = m, m+1
			tiles := func(m int) float64 { return float64((m + rows - 1) / rows) }
			share := max(float64(b.M)/float64(a.M), tiles(b.M)/tiles(a.M))
			if before := x.time(x.core, a, "time", Rule{}); before > 0 {
				worst = max(worst, x.time(x.core, b, "time", Rule{})/before/share)
			}
		}
		return worst
	})
}

func TestTheDefaultIsNoSlowerForAnyOperator(t *testing.T) {
	known := map[int]float64{}
	other := func(name string, set func(*anyTrial) float64) {
		t.Run(name, func(t *testing.T) {
			holds(t, 8, 1.01, 1.15, func(x *anyTrial) float64 {
				if q := set(x); q > 0 {
					return x.asGiven(known) / q
				}
				return 0
			})
		})
	}
	other("traffic", func(x *anyTrial) float64 { return x.time(x.core, x.k, "traffic", Rule{}) })
	other("cycles", func(x *anyTrial) float64 { return x.time(x.core, x.k, "cycles", Rule{}) })
	other("gemv none", func(x *anyTrial) float64 {
		c := x.core
		c.Gemv = -1
		return x.time(c, x.k, "time", Rule{})
	})
	for i := range tile.Orders {
		name := tile.Orders[i].String()
		other(name, func(x *anyTrial) float64 { return x.time(x.core, x.k, "time", Rule{Order: name}) })
	}
	for _, axis := range []string{"m", "n", "k"} {
		for _, parts := range []int64{1, 2, 3, 8} {
			other(fmt.Sprintf("tile %s/%d", axis, parts), func(x *anyTrial) float64 {
				_, op := one(x.k, graph.Uniform(x.d), false)
				m, _ := op.Matrix()
				r := Rule{}
				switch axis {
				case "m":
					r.Tile.M = integer.Ceil(m.M, parts)
				case "n":
					r.Tile.N = integer.Ceil(m.N, parts)
				default:
					r.Tile.K = integer.Ceil(m.K, parts)
				}
				return x.time(x.core, x.k, "time", r)
			})
		}
	}
}
