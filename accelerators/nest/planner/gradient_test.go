package planner

import (
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/search"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// priced is a machine of 16 x 16 units with energies of an access relative to a multiply-accumulate.
// Source: Chen et al., Eyeriss, ISCA 2016, table IV.
const priced = `levels:
  - {name: DRAM, energy: {read: 200pJ, write: 200pJ}}
  - {name: Buffer, capacity: 128KiB, read_bandwidth: 32word/cycle, write_bandwidth: 32word/cycle, energy: {read: 6pJ, write: 6pJ}, fanout: {x: 16, y: 16}}
  - {name: Registers, capacity: 512B, energy: {read: 1pJ, write: 1pJ}}
compute: {energy: 1pJ}
`

// retinaNet is RetinaNet on ResNet-50 for 800 x 800 pixels: its backbone is that of the zoo at that
// size, its pyramid and heads stand here. Source: Lin et al., Focal Loss for Dense Object Detection,
// ICCV 2017, section 4: pyramid levels 3 to 7 of 256 channels, 9 anchors, 80 classes.
func retinaNet(t testing.TB) []graph.Kind {
	out := products(t, "resnet50", zoo.Params{Batch: 1, Image: 800})
	conv := func(c, k, side, r, stride int) {
		pad := r / 2
		out = append(out, graph.Conv{N: 1, C: c, H: side, W: side, K: k, R: r, S: r, StrideH: stride, StrideW: stride, DilationH: 1, DilationW: 1,
			PadTop: pad, PadLeft: pad, PadBottom: pad, PadRight: pad, Groups: 1})
	}
	for i, side := range []int{100, 50, 25} {
		conv(512<<i, 256, side, 1, 1)
		conv(256, 256, side, 3, 1)
	}
	conv(2048, 256, 25, 3, 2)
	conv(256, 256, 13, 3, 2)
	for _, side := range []int{100, 50, 25, 13, 7} {
		conv(256, 256, side, 3, 1)
		conv(256, 9*80, side, 3, 1)
		conv(256, 9*4, side, 3, 1)
	}
	return out
}

// products are the convolutions and products of a model.
func products(t testing.TB, name string, p zoo.Params) (out []graph.Kind) {
	g, err := zoo.Build(name, p)
	require.NoError(t, err)
	for i := range g.Ops {
		switch k := g.Ops[i].Kind.(type) {
		case graph.MatMul, graph.Conv:
			out = append(out, k)
		}
	}
	return out
}

// costs are the energy-delay products of the mappings that a search finds, by shape.
func costs(t testing.TB, list []graph.Kind, mem machine.Memory, o search.Options) (map[key]float64, time.Duration) {
	start := time.Now()
	o.Seed = 1
	p := New(describe(t, priced), Options{Rules: nest.Rules2024, Objective: "edp", Search: o})
	for _, k := range list {
		g, op := single(k)
		_, err := mapping.NewMapper().Map(op, g, machine.Core{Planner: p, Lanes: 64, Accumulator: graph.Int32, Memory: mem}, "time", mapping.Rule{})
		require.NoError(t, err)
	}
	out := map[key]float64{}
	for k, f := range p.found {
		out[k] = f.cost
	}
	return out, time.Since(start)
}

// A hundred evaluations along derivatives find an energy-delay product no worse than that of the
// best of 10,000 random mappings, layer by layer: of some layers of four networks, with
// CAUSEWAY_LONG of all. The memory outside has no limit, or 25.6 bytes a cycle.
func TestGradient(t *testing.T) {
	nets := map[string][]graph.Kind{
		"resnet50": products(t, "resnet50", zoo.Params{Batch: 1}), "bert_base": products(t, "bert_base", zoo.Params{Batch: 1, Sequence: 128}),
		"sd15_unet": products(t, "sd15_unet", zoo.Params{Batch: 1}), "retinanet": retinaNet(t)}
	others := []search.Options{{Algorithm: search.Random, Evaluations: 10_000}, {Algorithm: search.Local, Evaluations: 100}, {Algorithm: search.Local, Evaluations: 10_000}}
	long := os.Getenv("CAUSEWAY_LONG") != ""
	if !long {
		others = others[:1]
	}
	for _, mem := range []machine.Memory{{}, {Bandwidth: 128, Cycles: 5, Latency: 50, Burst: 4096, Outstanding: 16}} {
		for _, name := range []string{"resnet50", "bert_base", "sd15_unet", "retinanet"} {
			list := nets[name]
			if !long {
				list = list[:1]
			}
			t.Run(fmt.Sprintf("%s, %d B in %d cycles", name, mem.Bandwidth, mem.Cycles), func(t *testing.T) {
				best, took := costs(t, list, mem, search.Options{Algorithm: search.Gradient, Evaluations: 100})
				for _, o := range others {
					other, tookOther := costs(t, list, mem, o)
					worse, worst, sum := 0, 1.0, 0.0
					for k, c := range best {
						sum += math.Log(other[k] / c)
						if c > other[k]*(1+1e-9) {
							worse++
							worst = max(worst, c/other[k])
						}
					}
					t.Logf("%d shapes: gradient of 100 in %v; %s of %d in %v: products %.3f times as high (geometric mean), lower in %d shapes by up to %.3f",
						len(best), took, o.Algorithm, o.Evaluations, tookOther, math.Exp(sum/float64(len(best))), worse, worst)
					if o.Algorithm == search.Random {
						require.Zero(t, worse)
					}
				}
			})
		}
	}
}
