package parallel

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

func combinedOr(t *testing.T, g *graph.Graph, grid Grid, c Training) *Step {
	c.Schedule, c.Recompute, c.Chunks, c.Experts, c.Optimizer, c.Gradients = OneFOneB, RecomputeNone, max(c.Chunks, 1), 2, "adam", graph.FP32
	if c.Chunks > 1 {
		c.Schedule = Interleaved
	}
	s, err := Train(g, grid, c)
	require.NoError(t, err)
	return s
}

// A step whose passes go together has the operators of one whose passes follow each other, with the same operands
// and results, in another order, in which each comes after what it reads.
func TestCombinedIsTheSameStep(t *testing.T) {
	g, _ := mixed(t, 4, 2, 1, 16, zoo.Draw{})
	for _, c := range []struct {
		Grid
		Training
	}{
		{Grid{1, 2, 1}, Training{Microbatches: 4}},
		{Grid{1, 2, 1}, Training{Microbatches: 1, Zero: 1, Early: true}},
		{Grid{2, 2, 1}, Training{Microbatches: 3, Zero: 1}},
		{Grid{1, 4, 2}, Training{Microbatches: 4, Zero: 1, Early: true}},
	} {
		text := func(combined bool) (all []string) {
			c.Combined = combined
			s := combinedOr(t, g, c.Grid, c.Training)
			for i := range c.Ranks() {
				x, before := s.Rank(i)
				require.NoError(t, x.Validate())
				made := map[graph.TensorID]bool{}
				from := map[graph.TensorID]bool{} // what an operator makes
				for k := range x.Ops {
					for _, id := range x.Ops[k].Out {
						from[id] = true
					}
				}
				for k := range x.Ops {
					op := &x.Ops[k]
					line := fmt.Sprint(i, " ", op.Name, op.Kind)
					for _, id := range op.In {
						if from[id] && x.Tensor(id).Role == graph.Activation {
							require.True(t, made[id], "%s reads %s", op.Name, x.Tensor(id).Name)
						}
						line += " " + x.Tensor(id).Name
					}
					for _, id := range op.Out {
						made[id] = true
						line += " > " + x.Tensor(id).Name
					}
					all = append(all, line)
				}
				for _, b := range before {
					require.Less(t, b[1], b[0], "an operator waits for one after it")
				}
			}
			slices.Sort(all)
			return all
		}
		require.Equal(t, text(false), text(true), "%+v", c)
	}
}

// played is how long a chip and its exchanges take that do what they have in order, a product so many times
// longer than an exchange.
func played(x *graph.Graph, before [][2]int32, exchange float64) (all, work float64) {
	ready := make([]float64, len(x.Tensors))
	end := make([]float64, len(x.Ops))
	var chip, comm float64
	for i := range x.Ops {
		op := &x.Ops[i]
		from, lasts := 0.0, 0.0
		for _, id := range op.In {
			from = max(from, ready[id])
		}
		for _, b := range before {
			if int(b[0]) == i {
				from = max(from, end[b[1]])
			}
		}
		_, product := op.Kind.(graph.MatMul)
		t, transfer := op.Kind.(graph.Transfer)
		switch {
		case transfer && t.Func == "all_to_all":
			from = max(from, comm)
			comm = from + exchange
			lasts = exchange
		case product && !strings.HasPrefix(op.Name, "update"):
			from = max(from, chip)
			lasts = 1
			chip = from + 1
			work++
		}
		end[i] = from + lasts
		for _, id := range op.Out {
			ready[id] = end[i]
		}
		all = max(all, end[i])
	}
	return all, work
}

// Exchanges that are shorter than a part of a pass are all hidden but those of the first pass forward, which goes
// with no other. One by one those forward are not; those back are beside products for weights.
func TestCombinedHidesExchanges(t *testing.T) {
	g, _ := mixed(t, 4, 2, 1, 16, zoo.Draw{})
	const layers, exchange = 2, 0.5
	for _, micro := range []int{2, 3, 8} {
		plain, pairs := combinedOr(t, g, Grid{1, 2, 1}, Training{Microbatches: micro}).Rank(0)
		all, work := played(plain, pairs, exchange)
		require.InDelta(t, work+2*layers*exchange*float64(micro), all, 1e-9, "%d microbatches one by one", micro)
		together, pairs := combinedOr(t, g, Grid{1, 2, 1}, Training{Microbatches: micro, Combined: true}).Rank(0)
		all, same := played(together, pairs, exchange)
		require.Equal(t, work, same)
		require.InDelta(t, work+2*layers*exchange, all, 1e-9, "%d microbatches together", micro)
	}
}

// Passes that go together keep one microbatch more, and pipelines of them do not wait for ever.
func TestCombinedTurns(t *testing.T) {
	each := func(int) int64 { return 1 }
	for _, stages := range []int{1, 2, 4} {
		m := 4 * stages
		for s := range stages {
			all, err := turns(OneFOneB, s, stages, m, 1, true)
			require.NoError(t, err)
			require.Equal(t, stages-s+1, int(mostHeld(all, each)))
		}
		require.Positive(t, makespan(t, OneFOneB, stages, m, 1, 1, 2, true))
		if stages > 1 {
			require.Positive(t, makespan(t, Interleaved, stages, m, 2, 1, 2, true))
		}
	}
	g, _ := mixed(t, 4, 2, 1, 16, zoo.Draw{})
	for _, c := range []Training{{Experts: 1, Recompute: RecomputeNone}, {Experts: 2, Zero: 2, Recompute: RecomputeNone}, {Experts: 2, Recompute: RecomputeFull}} {
		c.Microbatches, c.Chunks, c.Schedule, c.Optimizer, c.Combined = 2, 1, OneFOneB, "adam", true
		_, err := Train(g, Grid{1, 2, 1}, c)
		require.ErrorContains(t, err, "is for experts that replicas share")
	}
}
