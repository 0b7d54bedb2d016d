package mapping

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Compared with a recount, job by job: tensors that stay on the chip take at most the room
// that two tiles of each job leave, only this core reads them, and any other tensor that
// could have stayed would not have fitted.
func TestResidentsFit(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	stays, spills := 0, 0
	for i := range 120 {
		d := zoo.Decoder{Name: "small", Layers: 2, Hidden: 32 * (1 + r.IntN(3)), Heads: 2, FF: 8 * (1 + r.IntN(20)), Words: 10}
		g, err := d.Graph(zoo.Params{Sequence: 1 + r.IntN(60), Batch: 1 + r.IntN(3)})
		if i%4 == 0 {
			g, err = zoo.Build("resnet18", zoo.Params{Image: 32, Batch: 1 + r.IntN(2)})
		}
		require.NoError(t, err)
		g.SetDTypes(graph.Uniform(graph.Int8))
		core := attentionCore("ws", 8, 8, 2<<r.IntN(6), true)
		core.OnChip = machine.KeepOutputs
		cores := make([]machine.Core, 1+r.IntN(3))
		for c := range cores {
			cores[c] = core
		}
		split := Splits()[r.IntN(5)]
		what := fmt.Sprintf("%d: %s over %d cores %+v", i, split, len(cores), core)
		programs, err := Split(g, cores, Spec{Split: split, Objective: "traffic", Fuse: r.IntN(2) == 0})
		require.NoError(t, err, what)
		reads := func(j *Job, id graph.TensorID) bool {
			for st := range j.Plan.All() {
				for k := range st.Loads {
					if st.Loads[k].Tensor == id {
						return true
					}
				}
			}
			return false
		}
		writes := func(j *Job, id graph.TensorID) (n int64) {
			for st := range j.Plan.All() {
				for k := range st.Stores {
					if st.Stores[k].Tensor == id {
						n += st.Stores[k].Bytes()
					}
				}
			}
			return n
		}
		for c := range programs {
			p := &programs[c]
			require.NotNil(t, p.Residents, what)
			peak := int64(0)
			taken := make([]int64, len(p.Jobs))
			for id := range g.Tensors {
				if len(g.Ops) > 80 && id%3 > 0 {
					continue // some of a large graph
				}
				if !p.Residents.Stays[id] && !p.Residents.Spills[id] {
					continue
				}
				x, from, to := graph.TensorID(id), -1, -1
				bytes := int64(0)
				for k := range p.Jobs {
					if n := writes(&p.Jobs[k], x); n > 0 {
						from, bytes = k, n
					}
					if reads(&p.Jobs[k], x) {
						to = k
					}
				}
				if from < 0 {
					continue // a view; its storage counts
				}
				require.Greater(t, g.Tensor(x).Bytes()+1, bytes, what)
				require.Equal(t, graph.Activation, g.Tensor(x).Role, what)
				for o := range programs {
					if o == c || split == "batch" {
						continue
					}
					for k := range programs[o].Jobs {
						require.False(t, reads(&programs[o].Jobs[k], x), "%s: core %d reads %s of core %d", what, o, g.Tensor(x).Name, c)
					}
				}
				if p.Residents.Spills[id] {
					spills++
					continue
				}
				stays++
				for k := from; k <= max(from, to); k++ {
					taken[k] += bytes
				}
			}
			for k := range p.Jobs {
				a, b, o := p.Jobs[k].Plan.Footprint()
				half := int64(core.SRAM.Ifmap) / 2
				require.LessOrEqual(t, max(a, b, o), half, what)
				require.LessOrEqual(t, taken[k], 6*half-2*(a+b+o), "%s: %s", what, g.Ops[p.Jobs[k].Op].Name)
				peak = max(peak, taken[k])
			}
			require.LessOrEqual(t, peak, p.Residents.Peak, what)
		}
	}
	require.Greater(t, stays, 300)
	require.Greater(t, spills, 300)
}
