package collective

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// hasSteps reports whether an algorithm says the steps of an operation.
func hasSteps(name string, o Operation) bool {
	switch name {
	case "ring":
		return slices.Contains([]Operation{AllReduce, ReduceScatter, AllGather}, o)
	case "ring_bi", "multitree", "ring_2d", "ring_bi_odd", "double_binary_tree":
		return true
	}
	return false
}

// Every other algorithm refuses steps: a key that does nothing is an error.
func TestStepsHaveNoEffect(t *testing.T) {
	with := func(name string, p Pipeline) error {
		_, err := New(name, Request{Ranks: 16, Bytes: 1 << 10}, Spec{p})
		return err
	}
	require.ErrorContains(t, with("direct", Pipeline{Chunks: 1, Steps: StepsStrict}), "steps has no effect: its sends belong to no steps (used by: ring,")
	require.NoError(t, with("direct", Pipeline{Chunks: 1, Steps: StepsFree}))
	require.ErrorContains(t, with("double_binary_tree", Pipeline{Chunks: 1, Steps: "sometimes"}), `unknown steps "sometimes" (want one of: free, ordered, strict)`)
	require.ErrorContains(t, with("double_binary_tree", Pipeline{Chunks: 4, Active: 2, Steps: StepsStrict}), "active is 2 and steps is strict")
	require.ErrorContains(t, with("double_binary_tree", Pipeline{Chunks: 4, Blocking: true, Steps: StepsOrdered}), "blocking has no effect with steps ordered")
	_, err := New("ring_2d", Request{Ranks: 16, Bytes: 1 << 10}, Ring2DSpec{Pipeline: one.Pipeline, Wrap: true, Detour: true})
	require.ErrorContains(t, err, "detour has no effect with wrap")
}

// In a step of the double binary tree a rank sends to one and receives from one, of sums
// and of what is summed up. Source:
// Sanders, Speck, Träff, 2009, section 3.
func TestDoubleTreeSteps(t *testing.T) {
	for n := 2; n <= 33; n++ {
		s, err := New("double_binary_tree", Request{Ranks: n, Bytes: 1 << 20}, Spec{Pipeline{Chunks: 3, Steps: StepsStrict}})
		require.NoError(t, err)
		sends, gets := map[[3]int32]int{}, map[[3]int32]int{}
		for r, ops := range s.Ops {
			for _, op := range ops {
				if op.Kind == Send {
					sum := int32(0)
					if spreads(s, op.Tag) {
						sum = 1
					}
					sends[[3]int32{int32(r), op.Step, sum}]++
					gets[[3]int32{op.Peer, op.Step, sum}]++
				}
			}
		}
		for at, k := range sends {
			require.Equal(t, 1, k, "%d ranks: rank %d sends in step %d", n, at[0], at[1])
		}
		for at, k := range gets {
			require.Equal(t, 1, k, "%d ranks: rank %d receives in step %d", n, at[0], at[1])
		}
	}
}

// Steps are those of the algorithms: 2(n-1) of a ring, two for each step of the search of
// multitree, four times 2n-3 of ring_2d on a mesh, whose parts take all of them with detour.
func TestStepsOfAlgorithms(t *testing.T) {
	steps := func(name string, ranks int, spec any) (steps int32, sends int) {
		s, err := New(name, Request{Ranks: ranks, Bytes: 1 << 16}, spec)
		require.NoError(t, err)
		for _, ops := range s.Ops {
			for _, op := range ops {
				if op.Kind == Send {
					steps, sends = max(steps, op.Step+1), sends+1
				}
			}
		}
		return steps, sends
	}
	n, _ := steps("ring", 8, nil)
	require.EqualValues(t, 14, n)
	n, _ = steps("multitree", 64, nil)
	require.EqualValues(t, 2*32, n)
	n, _ = steps("multitree", 64, MultiTreeSpec{Pipeline: Pipeline{Chunks: 1, Apart: true}, Search: SearchLast})
	require.EqualValues(t, 2*34, n)
	n, short := steps("ring_2d", 16, nil)
	require.EqualValues(t, 4*5, n)
	n, long := steps("ring_2d", 16, Ring2DSpec{Pipeline: one.Pipeline, Detour: true})
	require.EqualValues(t, 4*5, n)
	// Two halves, two dimensions, there and back, on four lines in each: a part's walks have
	// 3 and 6-i steps on a line of four, or 3 and 5 thrice.
	require.Equal(t, 2*4*2*(3+5+4+3)+2*4*2*(3+5+4+3), short)
	require.Equal(t, 2*4*2*(3+5+5+5)+2*4*2*(3+5+5+5), long)
}
