package mapping

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// A mapper that has seen a product with other fused operators, or other shares of it, finds what a
// new one does.
func TestPlansAreRememberedWithAllThatTheyDependOn(t *testing.T) {
	for _, c := range []struct {
		model string
		cores int
	}{{"llama3_8b", 1}, {"llama3_8b", 3}, {"resnet18", 1}, {"resnet18", 4}} {
		t.Run(fmt.Sprintf("%s on %d", c.model, c.cores), func(t *testing.T) {
			var size zoo.Params
			if c.model == "llama3_8b" {
				size = zoo.Params{Sequence: 121, Only: []int{0}}
			}
			g := model(t, c.model, size)
			core := tpu("ws")
			core.Lanes, core.OnChip = 16, machine.KeepAll
			core.Memory = machine.Memory{Bandwidth: 100, Cycles: 1, Latency: 100, Burst: 4096, Outstanding: 64, Home: "Mem"}
			cores := make([]machine.Core, c.cores)
			for i := range cores {
				cores[i] = core
			}
			x, spec := NewMapper(), DefaultSpec()
			fused, by := x.epilogues(g, cores, spec)
			s, plans := newSplitter(g, spec.Split, c.cores), 0
			for i := range g.Ops {
				if by[i] >= 0 || !product.OnArray(&g.Ops[i]) {
					continue
				}
				extra := opsOf(g, fused[i])
				portions := x.portions(s, i, cores, spec, extra)
				for k := range portions {
					got, err := x.planPortion(&g.Ops[i], g, cores, spec, &portions[k], extra)
					require.NoError(t, err)
					want, err := NewMapper().planPortion(&g.Ops[i], g, cores, spec, &portions[k], extra)
					require.NoError(t, err)
					require.Equal(t, want, got, "%s on core %d", g.Ops[i].Name, k)
					plans++
				}
			}
			require.NotZero(t, plans)
		})
	}
}
