package systolic

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// share hands a network out over the cores of the cluster.
func (c *cluster) share(t require.TestingT, g *graph.Graph, split string) {
	var cores []machine.Core
	for _, w := range c.cores {
		cores = append(cores, w.inside().spec.Core(graph.Uniform(graph.Int8)))
	}
	s := mapping.DefaultSpec()
	s.Split = split
	c.shareOut(t, g, cores, s)
}

// shareOut hands a network out as the mapper splits it over such cores.
func (c *cluster) shareOut(t require.TestingT, g *graph.Graph, cores []machine.Core, s mapping.Spec) []mapping.Program {
	programs, err := mapping.Split(g, cores, s)
	require.NoError(t, err)
	base := make([]uint64, len(g.Tensors))
	at := uint64(1) << 40
	for i := range g.Tensors {
		base[i] = at
		at += uint64(g.Tensors[i].Bytes()+4095) &^ 4095
	}
	for i, w := range c.cores {
		require.NoError(t, c.issuer.Issued(w, 7, &programs[i]))
		require.NoError(t, work.IssueAll(w, work.Share{ID: 7, Graph: g, Program: programs[i], Issuer: c.issuer.Port(), Base: func(id graph.TensorID) uint64 {
			if id == dma.Scratch {
				return uint64(i) << 32
			}
			return base[id]
		}}))
	}
	return programs
}

// Cores that do not hold each other up at the memory take the same cycles, for the same causes, at both
// fidelities: they wait for each other's results, and fetch weights ahead where others do not wait longer for it.
func TestCoresAgreeWithoutContention(t *testing.T) {
	g := smallDecoder(t, true)
	for _, keep := range onChip {
		for _, split := range mapping.Splits() {
			var want [][]row
			for _, fidelity := range []string{"tile", "analytic"} {
				ss := specs(1)
				ss[0].OnChip = OnChip(keep)
				ss[0].SRAM = machine.SRAM{Ifmap: 4 << 10, Filter: 4 << 10, Ofmap: 4 << 10}
				c := newClusterOn(t, engine.New(), 0, fidelity, ss[0], ss[0], ss[0])
				c.share(t, g, split)
				c.run(t)
				var got [][]row
				for _, w := range c.cores {
					got = append(got, rows(w.inside()))
				}
				if want == nil {
					want = got
				}
				require.Equal(t, want, got, "%s, %s", keep, split)
			}
		}
	}
}

// Operands that cores fetch together are an assumption of those cores that do.
func TestFetchingTogetherIsSaid(t *testing.T) {
	for _, together := range []bool{false, true} {
		c := newCluster(t, engine.New(), "tile", specs(1)[0], specs(1)[0])
		s := mapping.DefaultSpec()
		s.Split, s.Multicast = "auto", map[bool]string{true: "all", false: "none"}[together]
		var cores []machine.Core
		for _, w := range c.cores {
			cores = append(cores, w.inside().Core(graph.Uniform(graph.Int8)))
		}
		c.shareOut(t, product(256, 256, 256, graph.Int8), cores, s)
		c.run(t)
		said := joined(c.cores[0].(interface{ Assumptions() []string }).Assumptions())
		require.Equal(t, together, strings.Contains(said, "fetched once, a part by each"), said)
	}
}

// However a network is shared out, all of it is done, under any engine the same
// way, and in less time than by one core where there is enough memory.
func TestSharedNetwork(t *testing.T) {
	g, err := zoo.Build("deit_t", zoo.Params{Image: 64})
	require.NoError(t, err)
	if testing.Short() { // the first two of its twelve equal blocks
		g.Ops = g.Ops[:len(g.Ops)/6]
	}
	for _, split := range mapping.Splits() {
		for _, fidelity := range []string{"tile", "analytic"} {
			run := func(e sim.Engine) string {
				ss := specs(4)
				ss[1].Rows = 64
				c := newCluster(t, e, fidelity, ss...)
				c.share(t, g, split)
				out := c.run(t)
				var macs uint64
				for _, w := range c.cores {
					macs += w.inside().sum.macs
				}
				require.Equal(t, uint64(g.MACs()), macs, split)
				return out
			}
			want := run(engine.New())
			for seed := range uint64(1) {
				require.Equal(t, want, run(engine.New(engine.Shuffle(seed))), fmt.Sprint(split, fidelity, seed))
			}
		}
	}
}
