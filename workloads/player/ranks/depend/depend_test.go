package depend

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/comm"
)

func TestStartsAndEnds(t *testing.T) {
	var p comm.Rank
	p.Add(comm.Op{})
	p.Add(comm.Op{})
	p.Add(comm.Op{}, comm.After(0))
	p.Add(comm.Op{}, comm.With(0), comm.After(1))
	require.NoError(t, p.Seal())
	r := New(&p)
	require.Equal(t, []int32{0, 1}, r.First(nil))
	require.Empty(t, r.Started(0, nil))
	require.Equal(t, []int32{2}, r.Ended(0, nil))
	require.Empty(t, r.Started(1, nil))
	require.Equal(t, []int32{3}, r.Ended(1, nil))
	require.Equal(t, 2, r.Left())
}

// In any order that the dependencies allow every operation starts once, and none before
// what it waits for.
func TestAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		var p comm.Rank
		n := 2 + rng.IntN(20)
		for op := range n {
			var deps []comm.Dep
			for on := range op {
				switch rng.IntN(6) {
				case 0:
					deps = append(deps, comm.After(on))
				case 1:
					deps = append(deps, comm.With(on))
				}
			}
			p.Add(comm.Op{}, deps...)
		}
		require.NoError(t, p.Seal())
		r := New(&p)
		started, ended := make([]bool, n), make([]bool, n)
		ready := r.First(nil)
		var running []int32
		for len(ready)+len(running) > 0 {
			if len(running) == 0 || len(ready) > 0 && rng.IntN(2) == 0 {
				k := rng.IntN(len(ready))
				op := ready[k]
				ready = slices.Delete(ready, k, k+1)
				require.False(t, started[op])
				for _, d := range p.Deps(int(op)) {
					require.True(t, ended[d.Op()] || d.Start() && started[d.Op()])
				}
				started[op] = true
				ready = r.Started(op, ready)
				running = append(running, op)
				continue
			}
			k := rng.IntN(len(running))
			op := running[k]
			running = slices.Delete(running, k, k+1)
			ended[op] = true
			ready = r.Ended(op, ready)
		}
		require.Zero(t, r.Left())
		require.NotContains(t, ended, false)
	}
}
