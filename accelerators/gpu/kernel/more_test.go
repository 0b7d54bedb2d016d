package kernel

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// More of a resource never makes a kernel slower, over random kernels of all kinds on random
// machines. A product may lose up to Tuning.Choice, since tiles near the best one weigh in, and half
// a per cent where what is joined falls below a tenth of the longest (Machine.join). SMs of a norm
// come with their share of the L2, which the rows at hand displace each other in. CAUSEWAY_TRIALS
// is how many each rule tries, few by default.

// A trial is a random kernel on a random machine.
type trial struct {
	m Machine
	k any // Product, Attention, Stream, Rows or Channels
}

func (x trial) String() string { return fmt.Sprintf("%T%+v on %+v", x.k, x.k, x.m) }

func (x trial) time(m Machine) float64 {
	switch k := x.k.(type) {
	case Product:
		return m.GEMM(k).Total
	case Attention:
		return m.Attention(k).Total
	case Stream:
		return m.Stream(k).Total
	case Rows:
		return m.Rows(k).Total
	}
	return m.Channels(x.k.(Channels)).Total
}

// scaled draws a number whose logarithm is uniform.
func scaled(t *rapid.T, name string, least, most int) int {
	x := rapid.Float64Range(math.Log(float64(least)), math.Log(float64(most)+0.999)).Draw(t, name)
	return min(int(math.Exp(x)), most)
}

func drawMachine(t *rapid.T) Machine {
	real := func(name string, least, most float64) float64 { return rapid.Float64Range(least, most).Draw(t, name) }
	m := Machine{SMs: scaled(t, "sms", 8, 600), Clock: real("clock", 1e9, 2.6e9), Tensor: float64(int(256) << rapid.IntRange(0, 4).Draw(t, "tensor")),
		Vector: 128, Exponentials: 16 * float64(rapid.IntRange(0, 1).Draw(t, "exponentials")), Shared: 128, SharedSize: real("shared", 64<<10, 256<<10), Threads: 1536 + 512*float64(rapid.IntRange(0, 1).Draw(t, "threads")),
		Group: rapid.Bool().Draw(t, "group"), L2: real("l2", 4e6, 120e6), L2Bandwidth: real("l2 bandwidth", 2e12, 12e12), Memory: real("memory", 0.5e12, 5e12),
		Latency: real("latency", 300e-9, 900e-9), Near: real("near", 100e-9, 250e-9), Resident: real("resident", 0, 1), WriteBack: real("write back", 0, 0.5),
		Sustained: real("sustained", 0.6, 1), Issue: real("issue", 0.85, 1), Launch: 3e-6, Least: 1.5e-6,
		Rereads: rapid.IntRange(0, 3).Draw(t, "rereads") == 0, Bypass: rapid.Bool().Draw(t, "bypass"),
		Tuning: Tuning{Overlap: real("overlap", 2, 8), Hide: real("hide", 0, 2), Fill: real("fill", 0, 2), Wait: real("wait", 0, 1), Split: 2e-6, Choice: 0.02}}
	return m
}

func drawKernel(t *rapid.T) any {
	n := func(name string, most int) int { return scaled(t, name, 1, most) }
	bytes := []float64{1, 2}[rapid.IntRange(0, 1).Draw(t, "bytes")]
	switch rapid.IntRange(0, 7).Draw(t, "kernel") {
	case 0:
		a := Attention{Batch: n("batch", 256), Group: n("group", 8), Queries: n("queries", 4096), Keys: n("keys", 8192), Size: 128, Value: 128, Element: bytes}
		if rapid.Bool().Draw(t, "decode") {
			a.Queries = 1
		}
		heads := float64(a.Batch * a.Group)
		a.Pairs = heads * float64(a.Queries) * float64(a.Keys)
		a.Ops, a.Bytes = 5*a.Pairs, bytes*128*(2*heads*float64(a.Queries)+2*float64(a.Batch)*float64(a.Keys))
		return a
	case 1:
		rows, cols := float64(n("rows", 65536)), float64(n("cols", 32768))
		threads := []float64{0, 128, 256, 1024}[rapid.IntRange(0, 3).Draw(t, "block")]
		reads := float64(1 + rapid.IntRange(0, 1).Draw(t, "reads"))
		return Rows{Rows: rows, Cols: cols, Bytes: bytes, Ops: 8 * rows * cols, Reads: reads, Writes: reads, Passes: float64(1 + 2*rapid.IntRange(0, 1).Draw(t, "passes")), Threads: threads}
	case 2:
		elements := float64(n("elements", 1<<28))
		return Stream{Read: bytes * elements, Write: bytes * elements, Elements: elements, Ops: elements * float64(n("ops", 64))}
	case 3:
		channels, each := float64(n("channels", 4096)), float64(n("elements", 1<<18))
		return Channels{Channels: channels, Elements: channels * each, Read: bytes * channels * each, Write: bytes * channels * each, Ops: 8 * channels * each}
	}
	p := Product{Batch: 1, M: n("m", 8192), N: n("n", 16384), K: n("k", 16384), Bytes: bytes}
	if rapid.IntRange(0, 3).Draw(t, "heads") == 0 {
		p.Batch, p.M, p.N, p.K = n("batch", 512), n("m", 1024), n("n", 1024), n("k", 1024)
	}
	return p
}

var trials = rapid.Custom(func(t *rapid.T) trial { return trial{m: drawMachine(t), k: drawKernel(t)} })

// tried is how many trials a rule has.
func tried(t *testing.T, few int) int {
	text := os.Getenv("CAUSEWAY_TRIALS")
	if text == "" {
		return few
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, "CAUSEWAY_TRIALS is no number")
	return n
}

// more multiplies the SMs; the L2 of a norm stays as large for each.
func (x *trial) more(sms int) Machine {
	m := x.m
	if _, ok := x.k.(Rows); ok {
		m.L2 *= float64(sms) / float64(m.SMs)
	}
	m.SMs = sms
	return m
}

func TestMoreForAnyKernelNeverLoses(t *testing.T) {
	with := func(set func(*Machine)) func(*trial) Machine {
		return func(x *trial) Machine {
			m := x.m
			set(&m)
			return m
		}
	}
	for name, more := range map[string]func(*trial) Machine{
		"sms":          func(x *trial) Machine { return x.more(2 * x.m.SMs) },
		"a third":      func(x *trial) Machine { return x.more(x.m.SMs + 1 + x.m.SMs/3) },
		"one sm":       func(x *trial) Machine { return x.more(x.m.SMs + 1) },
		"clock":        with(func(m *Machine) { m.Clock *= 2 }),
		"tensor":       with(func(m *Machine) { m.Tensor *= 2 }),
		"vector":       with(func(m *Machine) { m.Vector *= 2 }),
		"l2":           with(func(m *Machine) { m.L2 *= 2 }),
		"l2 bandwidth": with(func(m *Machine) { m.L2Bandwidth *= 2 }),
		"memory":       with(func(m *Machine) { m.Memory *= 2 }),
		"latency":      with(func(m *Machine) { m.Latency, m.Near = m.Latency/2, m.Near/2 }),
	} {
		t.Run(name, func(t *testing.T) {
			n := tried(t, 100)
			worst := 0.0
			for seed := range n {
				x := trials.Example(seed)
				q := x.time(more(&x)) / x.time(x.m)
				worst = max(worst, q)
				if _, ok := x.k.(Product); ok { // tiles near the best one weigh in
					require.LessOrEqual(t, q, 1+x.m.Choice, "seed %d: %v", seed, x)
					x.m.Choice = 1e-5
					q = x.time(more(&x)) / x.time(x.m)
				}
				require.LessOrEqual(t, q, 1.006, "seed %d: %v", seed, x)
			}
			t.Logf("%d trials, worst %.4f", n, worst)
		})
	}
}
