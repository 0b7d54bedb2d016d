package dataflow

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func get(t require.TestingT, name string) Dataflow {
	e, ok := All.Entry(name)
	require.True(t, ok)
	return e.New
}

func TestFoldLengths(t *testing.T) {
	a := Array{Rows: 8, Cols: 4}
	for _, c := range []struct {
		name           string
		preload, drain bool
		folds, t, want int64
	}{
		{"os", false, false, 1, 100, 110},
		{"os", false, false, 3, 100, 330},
		{"os", false, true, 3, 100, 310},
		{"os", false, true, 3, 5, 8 + 8 + 5 + 10}, // results need 8 cycles to leave
		{"ws", false, false, 1, 100, 118},
		{"ws", false, false, 3, 100, 354},
		{"ws", true, false, 3, 100, 8 + 330},
		{"ws", false, true, 3, 100, 3*108 + 10},
		{"ws", true, true, 3, 100, 8 + 300 + 10},
		{"is", true, true, 3, 5, 8 + 8 + 8 + 5 + 10},
		{"is", true, true, 0, 5, 0},
	} {
		a.OverlapPreload, a.OverlapDrain = c.preload, c.drain
		require.Equal(t, c.want, get(t, c.name).Timing(a).Cycles(c.folds, c.t), "%+v", c)
	}
}

// Several rows of a tile at a time: the load is shorter, the wavefront is not.
func TestRowsAtATime(t *testing.T) {
	a := Array{Rows: 8, Cols: 4, OverlapPreload: true, OverlapDrain: true, LoadRows: 3}
	require.Equal(t, int64(3+3+3+1+10), get(t, "ws").Timing(a).Cycles(3, 1), "three cycles for eight rows, also for streams of one")
	a.OverlapPreload, a.OverlapDrain = false, false
	require.Equal(t, int64(3+100+10), get(t, "ws").Timing(a).Cycles(1, 100))
	require.Equal(t, get(t, "os").Timing(Array{Rows: 8, Cols: 4}), get(t, "os").Timing(a))
}

// The dumb twin moves operands through the array cycle by cycle and looks when
// the last product is made.
func TestSkewAgainstCycleByCycleArray(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 9).Draw(t, "rows"), rapid.IntRange(1, 9).Draw(t, "cols")
		k := rapid.IntRange(1, 20).Draw(t, "t")
		a := make([][]int, rows) // operand that sits in each element, 0 none
		for i := range a {
			a[i] = make([]int, cols)
		}
		cycle, done := 0, 0
		for done < rows*cols*k {
			for r := range rows {
				for c := cols - 1; c > 0; c-- {
					a[r][c] = a[r][c-1]
				}
				a[r][0] = 0
				if i := cycle - r; i >= 0 && i < k {
					a[r][0] = i + 1
				}
			}
			cycle++
			for r := range rows {
				for c := range cols {
					if a[r][c] != 0 {
						done++
					}
				}
			}
		}
		arr := Array{Rows: rows, Cols: cols}
		require.Equal(t, int64(cycle), get(t, "os").Timing(arr).Fold(int64(k)))
		require.Equal(t, int64(cycle+rows), get(t, "ws").Timing(arr).Fold(int64(k)))
	})
}

// Contract: axes are a permutation, no option makes an operator longer, and no
// sequence of folds beats the peak of the array.
func TestContract(t *testing.T) {
	require.Subset(t, All.Names(), []string{"is", "os", "ws"})
	rapid.Check(t, func(t *rapid.T) {
		for _, e := range All.Entries() {
			r, c, x := e.New.Axes()
			require.Equal(t, Axis(3), r+c+x)
			require.True(t, r != c && c != x)
			require.Equal(t, e.Name, e.New.Name())
			a := Array{Rows: rapid.IntRange(1, 200).Draw(t, "rows"), Cols: rapid.IntRange(1, 200).Draw(t, "cols")}
			folds, time := rapid.Int64Range(1, 50).Draw(t, "folds"), rapid.Int64Range(1, 500).Draw(t, "t")
			plain := e.New.Timing(a).Cycles(folds, time)
			for _, o := range [][2]bool{{true, false}, {false, true}, {true, true}} {
				a.OverlapPreload, a.OverlapDrain = o[0], o[1]
				n := e.New.Timing(a).Cycles(folds, time)
				require.LessOrEqual(t, n, plain)
				require.GreaterOrEqual(t, n, folds*time)
			}
		}
	})
}

func ExampleDims() {
	ws, _ := All.Entry("ws")
	rows, cols, time := Dims(ws.New, 3136, 64, 576) // im2col of a 3x3 convolution
	a := Array{Rows: 128, Cols: 128}
	folds := (rows + 127) / 128 * ((cols + 127) / 128)
	fmt.Println(folds, ws.New.Timing(a).Cycles(folds, time))
	// Output: 5 17590
}
