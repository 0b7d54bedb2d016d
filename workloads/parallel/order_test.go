package parallel

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// makespan plays the passes of all stages: a pass forward waits for that of the chunk before,
// one backward for that of the chunk after, each for the stage's pass before it.
func makespan(t *testing.T, schedule string, stages, micro, chunks int, f, b float64, combined ...bool) float64 {
	type pass struct {
		backward     bool
		chunk, micro int // of the model
	}
	end := map[pass]float64{}
	at, free := make([]int, stages), make([]float64, stages)
	all := make([][]turn, stages)
	for s := range all {
		var err error
		all[s], err = turns(schedule, s, stages, micro, chunks, len(combined) > 0)
		require.NoError(t, err)
		require.Len(t, all[s], 2*micro*chunks)
	}
	for moved := true; moved; {
		moved = false
		for s := range all {
			for at[s] < len(all[s]) {
				x := all[s][at[s]]
				c := x.chunk*stages + s
				needs := pass{x.backward, c - 1, x.micro}
				first := !x.backward && c == 0
				if x.backward {
					if needs.chunk = c + 1; needs.chunk == stages*chunks {
						needs = pass{false, c, x.micro}
					}
				}
				ready, ok := end[needs]
				if !ok && !first {
					break
				}
				time := f
				if x.backward {
					time = b
				}
				free[s] = max(free[s], ready) + time
				end[pass{x.backward, c, x.micro}] = free[s]
				at[s]++
				moved = true
			}
		}
	}
	last := 0.0
	for s := range all {
		require.Equal(t, len(all[s]), at[s], "%s: stage %d of %d waits for ever", schedule, s, stages)
		last = max(last, free[s])
	}
	return last
}

// The bubble is (stages - 1) / microbatches of the work of a stage, over the number of chunks
// (Narayanan et al., SC 2021, sections 2.2.1 and 2.2.2); 1f1b has as many microbatches under
// way as there are stages after, and one.
func TestTurnsHaveThePublishedBubble(t *testing.T) {
	const f, b = 1, 2
	each := func(int) int64 { return 1 }
	for _, stages := range []int{2, 3, 4, 8} {
		for _, times := range []int{1, 2, 5} {
			m := stages * times
			work := float64(m) * (f + b)
			for _, schedule := range []string{GPipe, OneFOneB} {
				require.InDelta(t, work+float64(stages-1)*(f+b), makespan(t, schedule, stages, m, 1, f, b), 1e-9)
			}
			for _, chunks := range []int{2, 3} {
				require.InDelta(t, work+float64(stages-1)*(f+b)/float64(chunks), makespan(t, Interleaved, stages, m, chunks, f/float64(chunks), b/float64(chunks)), 1e-9, "%d stages, %d microbatches, %d chunks", stages, m, chunks)
			}
			for s := range stages {
				one, err := turns(OneFOneB, s, stages, m, 1, false)
				require.NoError(t, err)
				require.Equal(t, min(m, stages-s), int(mostHeld(one, each)))
				all, err := turns(GPipe, s, stages, m, 1, false)
				require.NoError(t, err)
				require.Equal(t, m, int(mostHeld(all, each)))
			}
		}
	}
	_, err := turns(Interleaved, 0, 4, 6, 2, false)
	require.EqualError(t, err, "6 microbatches do not divide by 4 stages, as schedule interleaved wants")
}
