package tensorcore

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// stepped is the FIFO cycle by cycle: how long tiles of rows each take, and how many
// cycles the array was active.
func stepped(f *FIFO, tiles []int64) (end, active int64) {
	fetch, shift, run := int64(-1), int64(-1), int64(-1) // cycles left; -1: idle
	asked, waiting, held, loaded, begun, done := 0, 0, int64(0), false, 0, 0
	for t := int64(0); ; t++ {
		if fetch == 0 {
			fetch, waiting = -1, waiting+1
		}
		if shift == 0 {
			shift, loaded, held = -1, true, held-1
		}
		if run == 0 {
			run, done = -1, done+1
		}
		if done == len(tiles) {
			return t, active
		}
		if run < 0 && loaded {
			run, loaded = tiles[begun], false
			begun++
		}
		if shift < 0 && !loaded && waiting > 0 {
			shift, waiting = f.Rows, waiting-1
		}
		if fetch < 0 && asked < len(tiles) && held < f.Depth {
			fetch, asked, held = int64(f.Fetch), asked+1, held+1
		}
		if run > 0 {
			active++
		}
		fetch, shift, run = left(fetch), left(shift), left(run)
	}
}

func left(n int64) int64 {
	if n > 0 {
		return n - 1
	}
	return n
}

// The recurrence is the machine stepped cycle by cycle, whatever binds it.
func TestFIFOAgainstCycles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, from, to int64) int64 { return rapid.Int64Range(from, to).Draw(t, name) }
		f := &FIFO{Rows: draw("rows", 1, 9), Cols: draw("cols", 1, 9), Depth: draw("depth", 1, 4),
			Accumulators: 2 * draw("half", 1, 20), Fetch: float64(draw("fetch", 1, 40))}
		m, n, k := draw("m", 1, 60), draw("n", 1, 30), draw("k", 1, 30)
		batch, room := draw("batch", 1, 3), draw("room", 0, 30)
		run := f.Accumulators / 2
		if k <= f.Rows {
			run = m
		}
		if room > 0 {
			run = min(run, room)
		}
		runs := (m + run - 1) / run
		var tiles []int64
		for range batch {
			done := int64(0)
			for r := range runs { // after run r as many rows are done as r + 1 equal shares hold
				rows := (r+1)*m/runs - done
				done += rows
				for range ((n + f.Cols - 1) / f.Cols) * ((k + f.Rows - 1) / f.Rows) {
					tiles = append(tiles, rows)
				}
			}
		}
		end, active := stepped(f, tiles)
		p := f.Matmul(batch, m, n, k, room, 0, 1, 0)
		require.Equal(t, float64(end), p.End)
		require.Equal(t, float64(active), p.Active)
		require.Equal(t, p.End, p.Active+p.Stall+p.Shift+p.Wait)
		require.Equal(t, int64(len(tiles)), p.Tiles)
	})
}

// A product whole takes no longer than in two halves of its rows, and a larger unified buffer, a
// deeper queue and more accumulators never make it slower.
func TestQueueGainsNothingFromLess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, from, to int64) int64 { return rapid.Int64Range(from, to).Draw(t, name) }
		base := FIFO{Rows: draw("rows", 1, 9), Cols: draw("cols", 1, 9), Depth: draw("depth", 1, 4),
			Accumulators: 2 * draw("half", 1, 20), Fetch: float64(draw("fetch", 1, 40))}
		m, n, k, room := 2*draw("m", 1, 60), draw("n", 1, 30), draw("k", 1, 30), draw("room", 1, 60)
		whole := func(f FIFO, room int64) float64 { return f.Matmul(1, m, n, k, room, 0, 1, 0).End }
		parts := base
		first := parts.Matmul(1, m/2, n, k, room, 0, 1, 0)
		halves := parts.Matmul(1, m/2, n, k, room, first.End, 1, 0).End
		require.LessOrEqual(t, whole(base, room), 1.02*halves)
		require.LessOrEqual(t, whole(base, 2*room), 1.01*whole(base, room))
		deep, wide := base, base
		deep.Depth++
		wide.Accumulators *= 2
		require.LessOrEqual(t, whole(deep, room), 1.01*whole(base, room))
		require.LessOrEqual(t, whole(wide, room), 1.01*whole(base, room))
	})
}
