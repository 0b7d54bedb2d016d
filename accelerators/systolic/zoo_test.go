package systolic

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

var every = flag.Bool("zoo", false, "compare tile and analytic on networks of full size (minutes)")

// program maps every operator of g, in order, onto one core.
func program(t require.TestingT, g *graph.Graph, s Spec) mapping.Program {
	var p mapping.Program
	m := mapping.NewMapper()
	for i := range g.Ops {
		plan, err := m.Map(&g.Ops[i], g, s.Core(graph.Uniform(graph.Int8)), "traffic", mapping.Rule{})
		require.NoError(t, err, g.Ops[i].Name)
		p.Jobs = append(p.Jobs, mapping.Job{Op: i, Plan: plan})
		p.Scratch = max(p.Scratch, plan.Scratch)
	}
	return p
}

// shareOf is all of g for one core, tensors one after the other.
func shareOf(t require.TestingT, g *graph.Graph, s Spec) work.Share {
	p := program(t, g, s)
	base := make([]uint64, len(g.Tensors)+1)
	at := uint64(p.Scratch+4095) &^ 4095
	for i := range g.Tensors {
		base[i] = at
		at += uint64(g.Tensors[i].Bytes()+4095) &^ 4095
	}
	return work.Share{Name: g.Name, Graph: g, Program: p, Base: func(id graph.TensorID) uint64 {
		if id == dma.Scratch {
			return 0
		}
		return base[id]
	}}
}

func (b bench) network(t require.TestingT, fidelity string, w work.Share) (worker, []row) {
	e, k := b.build(t, fidelity)
	require.NoError(t, work.IssueAll(k, w))
	require.NoError(t, k.Start())
	require.NoError(t, e.Run())
	require.Empty(t, k.Waiting())
	require.Empty(t, k.Stats().Verify())
	return k, rows(k.inside())
}

// distinct leaves one job of each kind: layers of a transformer repeat.
func distinct(p mapping.Program) mapping.Program {
	seen := map[string]bool{}
	var jobs []mapping.Job
	for _, j := range p.Jobs {
		k := fmt.Sprint(j.Plan.Tile, j.Plan.Order, j.Plan.Steps, j.Plan.Cycles, j.Plan.Vector, j.Plan.Traffic)
		if !seen[k] {
			seen[k] = true
			jobs = append(jobs, j)
		}
	}
	p.Jobs = jobs
	return p
}

// network builds a model of the zoo in a size that a test can afford: every
// model has every kind of layer, language models read fewer words.
func network(t require.TestingT, name string) *graph.Graph {
	p := zoo.Params{}
	e, _ := zoo.All.Entry(name)
	if _, ok := e.Spec.(zoo.DecoderSpec); ok && !*every {
		p.Sequence = 64
	}
	if _, ok := e.Spec.(zoo.DiffusionSpec); ok && !*every {
		p.Image = 128
	}
	g, err := zoo.Build(name, p)
	require.NoError(t, err)
	return g
}

// Every layer of every network takes the same cycles, for the same reasons, in
// both fidelities; with -short of two networks.
func TestTileEqualsAnalyticOnEveryNetwork(t *testing.T) {
	names := zoo.All.Names()
	if testing.Short() {
		names = []string{"alexnet", "deit_t"}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) { compareFidelities(t, name) })
	}
}

func compareFidelities(t *testing.T, name string) {
	g := network(t, name)
	b := defaultBench()
	b.spec = DefaultSpec()
	w := shareOf(t, g, b.spec)
	if !*every || name == "gpt3" || strings.HasPrefix(name, "llama") { // hours otherwise
		w.Program = distinct(w.Program)
	}
	for _, latency := range []uint64{0, 10, 1000} {
		b.mem.Latency = units.InCycles(latency)
		_, want := b.network(t, "analytic", w)
		k, got := b.network(t, "tile", w)
		for i := range want {
			require.Equal(t, want[i], got[i], "latency %d, %s", latency, g.Ops[w.Program.Jobs[i].Op].Name)
		}
		tb := k.Layers()
		require.Len(t, tb.Rows, len(w.Program.Jobs))
		for _, r := range tb.Rows {
			if v := r[tb.Index("mapping_efficiency")]; v != nil {
				require.LessOrEqual(t, v, 100.0, "%v", r)
				require.GreaterOrEqual(t, v, r[tb.Index("compute_utilization")], "%v", r)
			}
		}
		t.Logf("latency %4d: %12d cycles, %d layers", latency, last(want), len(want))
	}
}

func BenchmarkResNet50(b *testing.B) {
	for _, fidelity := range []string{"tile", "analytic"} {
		b.Run(fidelity, func(b *testing.B) {
			x := defaultBench()
			x.spec = DefaultSpec()
			x.mem.Latency = units.InCycles(100)
			w := shareOf(b, network(b, "resnet50"), x.spec)
			b.ReportAllocs()
			for b.Loop() {
				x.network(b, fidelity, w)
			}
			b.ReportMetric(float64(len(w.Program.Jobs)*b.N)/b.Elapsed().Seconds(), "layers/s")
		})
	}
}
