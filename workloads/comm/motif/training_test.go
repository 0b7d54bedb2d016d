package motif_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/comm/motif"
)

// Every rank has the sums, messages and computations of its layers: two sums and a computation in
// two halves for each layer, pass and microbatch, one sum of gradients per layer.
func TestTrainingByHand(t *testing.T) {
	const tensor, stages, data, layers, micro, steps = 2, 3, 4, 6, 5, 2
	p, err := motif.Make("training", tensor*stages*data, motif.Training{
		Steps: motif.Steps{Steps: steps}, Tensor: tensor, Pipeline: stages, Layers: layers, Microbatches: micro,
		Forward: 10 * units.Nanosecond, Backward: 21 * units.Nanosecond, Activation: 64, Gradient: 96,
	})
	require.NoError(t, err)
	require.NoError(t, p.Check())
	const own = layers / stages
	for r := range p.Ranks {
		stage := r / (tensor * data)
		var sums, gradients, sends, recvs int
		var time units.Time
		for i := range p.Ranks[r].Len() {
			o := p.Ranks[r].Op(i)
			switch o.Kind {
			case comm.Compute:
				time += o.Time
			case comm.Send:
				sends++
			case comm.Recv:
				recvs++
			case comm.Collective:
				members := p.Groups[o.Group]
				require.Contains(t, members, int32(r))
				if len(members) == tensor {
					sums++
					require.EqualValues(t, 64, o.Bytes)
				} else {
					gradients++
					require.Len(t, members, data)
					require.EqualValues(t, 96, o.Bytes)
				}
			}
		}
		sides := 2
		if stage == 0 || stage == stages-1 {
			sides = 1
		}
		require.Equal(t, steps*micro*own*4, sums)
		require.Equal(t, steps*own, gradients)
		require.Equal(t, steps*micro*sides, sends)
		require.Equal(t, sends, recvs)
		require.Equal(t, steps*micro*own*31*units.Nanosecond, time)
	}
}

func TestTrainingMistakes(t *testing.T) {
	good := motif.Training{Steps: motif.Steps{Steps: 1}, Tensor: 2, Pipeline: 2, Layers: 4, Microbatches: 1, Activation: 1, Gradient: 1}
	for want, change := range map[string]func(s *motif.Training){
		"tensor is 3 and pipeline is 2 (want 1 or more, whose product divides 8 ranks)": func(s *motif.Training) { s.Tensor = 3 },
		"layers is 5 (want a multiple of 2 stages, at most 32768)":                      func(s *motif.Training) { s.Layers = 5 },
		"microbatches is 0 (want 1 to 32768)":                                           func(s *motif.Training) { s.Microbatches = 0 },
		"activation is 0B and gradient is 1B (want 1B to 1TiB)":                         func(s *motif.Training) { s.Activation = 0 },
		"steps is 0 (want 1 to":                                                         func(s *motif.Training) { s.Steps.Steps = 0 },
	} {
		s := good
		change(&s)
		_, err := motif.Make("training", 8, s)
		require.ErrorContains(t, err, want)
	}
	_, err := motif.Make("training", 8, good)
	require.NoError(t, err)
}
