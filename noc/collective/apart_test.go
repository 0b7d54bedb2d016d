package collective

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// With apart no rank spreads anything before all of its sums are made: of each rank,
// all sends of sums and all sums come before the first send of a sum.
func TestApart(t *testing.T) {
	for _, name := range []string{"ring", "ring_bi", "direct", "halving_doubling", "double_binary_tree", "multitree", "hierarchical", "tree", "chain"} {
		e, ok := All.Entry(name)
		require.True(t, ok)
		for _, apart := range []bool{false, true} {
			p := Pipeline{Chunks: 4, Apart: apart}
			var spec any = Spec{p}
			switch s := e.Spec.(type) {
			case HalvingSpec:
				spec = HalvingSpec{p, Bine}
			case RingSpec:
				s.Pipeline = p
				spec = s
			case BiRingSpec:
				s.Pipeline = p
				spec = s
			case BiRingOddSpec:
				s.Pipeline = p
				spec = s
			case MultiTreeSpec:
				s.Pipeline = p
				spec = s
			case HierarchicalSpec:
				s.Pipeline = p
				spec = s
			}
			s, err := New(name, Request{Ranks: 16, Bytes: 1 << 10}, spec)
			require.NoError(t, err, name)
			require.NoError(t, s.Validate())
			early := 0 // sends that wait for less than all sums
			for _, ops := range s.Ops {
				before := make([][]bool, len(ops)) // what an operation waits for, in the end
				sums := 0
				for i, op := range ops {
					before[i] = make([]bool, len(ops))
					for _, a := range op.After {
						before[i][a] = true
						for k, x := range before[a] {
							before[i][k] = before[i][k] || x
						}
					}
					if op.Kind == Reduce {
						sums++
					}
				}
				for i, op := range ops {
					n := 0
					for k, x := range before[i] {
						if x && ops[k].Kind == Reduce {
							n++
						}
					}
					if op.Kind == Send && spreads(s, op.Tag) && n < sums {
						early++
					}
				}
			}
			if apart {
				require.Zero(t, early, name)
			} else {
				require.NotZero(t, early, name)
			}
		}
	}
	_, err := New("ring", Request{Operation: AllGather, Ranks: 4, Bytes: 64}, RingSpec{Pipeline: Pipeline{Chunks: 1, Apart: true}})
	require.ErrorContains(t, err, "apart has no effect on all_gather (used by: all_reduce)")
	_, err = New("ring", Request{Ranks: 4, Bytes: 64}, RingSpec{Pipeline: Pipeline{Chunks: 2, Active: 1, Apart: true}})
	require.ErrorContains(t, err, "active is 1 and apart is set")
}

// spreads reports whether what a message brings replaces what was there.
func spreads(s *Schedule, tag int32) bool {
	for _, ops := range s.Ops {
		for _, op := range ops {
			if op.Kind == Recv && op.Tag == tag {
				return true
			}
		}
	}
	return false
}
