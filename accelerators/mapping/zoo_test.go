package mapping

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

func tpu(flow string) machine.Core {
	return machine.Core{Array: dataflow.Array{Rows: 128, Cols: 128}, Dataflow: flow, SRAM: machine.SRAM{Ifmap: 2 << 20, Filter: 2 << 20, Ofmap: 2 << 20},
		Accumulator: graph.Int32, Lanes: 128}
}

func model(t testing.TB, name string, p zoo.Params) *graph.Graph {
	g, err := zoo.Build(name, p)
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	return g
}

// Every network of the zoo maps, under every dataflow, and its plans add up.
func TestZoo(t *testing.T) {
	for _, name := range zoo.All.Names() {
		g := model(t, name, zoo.Params{})
		for _, flow := range dataflow.All.Names() {
			x := NewMapper()
			var macs, bytes, steps, cycles int64
			for i := range g.Ops {
				p, err := x.Map(&g.Ops[i], g, tpu(flow), "traffic", Rule{})
				require.NoError(t, err, "%s %s", name, flow)
				macs += p.MACs
				bytes += p.Traffic.Total()
				steps += p.Steps
				cycles += p.Cycles
			}
			require.Equal(t, g.MACs(), macs)
			t.Logf("%-18s %s %12d MB %9d steps %12d cycles %5.1f%%", name, flow, bytes>>20, steps, cycles, 100*float64(macs)/float64(cycles)/128/128)
		}
	}
}

func BenchmarkMap(b *testing.B) {
	for _, name := range []string{"resnet50", "mobilenet_v1", "sd15_unet", "llama2_70b", "gpt3"} {
		g := model(b, name, zoo.Params{})
		for _, objective := range []string{"traffic", "time"} {
			b.Run(fmt.Sprintf("%s/%s", name, objective), func(b *testing.B) {
				b.ReportAllocs()
				core := tpu("ws")
				core.Memory = machine.Memory{Bandwidth: 205, Cycles: 1, Latency: 100, Burst: 4096, Outstanding: 64}
				for b.Loop() {
					x := NewMapper()
					for i := range g.Ops {
						_, err := x.Map(&g.Ops[i], g, core, objective, Rule{})
						require.NoError(b, err)
					}
				}
				b.ReportMetric(float64(len(g.Ops)*b.N)/b.Elapsed().Seconds(), "layers/s")
			})
		}
	}
}

func BenchmarkWalk(b *testing.B) {
	g := model(b, "resnet50", zoo.Params{})
	x := NewMapper()
	var plans []*Plan
	for i := range g.Ops {
		p, err := x.Map(&g.Ops[i], g, tpu("ws"), "traffic", Rule{})
		require.NoError(b, err)
		plans = append(plans, p)
	}
	b.ReportAllocs()
	var w Walker
	var s dma.Step
	steps := 0
	for b.Loop() {
		for _, p := range plans {
			for w.Reset(p); w.Next(&s); {
				steps++
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
}
