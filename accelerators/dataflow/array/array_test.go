package array

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
)

func random[T Element](r *rand.Rand, rows, cols int, draw func() T) Matrix[T] {
	m := New[T](rows, cols)
	for i := range m.Data {
		m.Data[i] = draw()
	}
	return m
}

func product[T Element](a, b Matrix[T]) *mat.Dense {
	dense := func(m Matrix[T]) *mat.Dense {
		d := mat.NewDense(m.Rows, m.Cols, nil)
		for i := range m.Rows {
			for j := range m.Cols {
				d.Set(i, j, float64(m.At(i, j)))
			}
		}
		return d
	}
	var c mat.Dense
	c.Mul(dense(a), dense(b))
	return &c
}

// tile draws sizes that fit an array: rows x cols of the array, M, N, K.
func tile(t *rapid.T, flow string, most int) (rows, cols, m, n, k int) {
	size := func(of int, name string) int { return rapid.IntRange(1, of).Draw(t, name) }
	rows, cols = size(most, "rows"), size(most, "cols")
	if flow == "dip" {
		cols = rows
	}
	e, _ := dataflow.All.Entry(flow)
	r, c, x := e.New.Axes()
	var s [3]int
	s[r], s[c], s[x] = size(rows, "held rows"), size(cols, "held columns"), size(3*most, "time")
	return rows, cols, s[dataflow.M], s[dataflow.N], s[dataflow.K]
}

// Every dataflow here multiplies as gonum does, and takes the cycles, reaches
// full use and moves the skew registers as its closed form says.
func TestProductAndCycles(t *testing.T) {
	for _, flow := range Flows() {
		t.Run(flow, func(t *testing.T) {
			e, _ := dataflow.All.Entry(flow)
			rapid.Check(t, func(t *rapid.T) {
				rows, cols, m, n, k := tile(t, flow, 9)
				stages := rapid.IntRange(1, 4).Draw(t, "stages")
				rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
				a := random(rng, m, k, func() int8 { return int8(rng.IntN(256) - 128) })
				b := random(rng, k, n, func() int8 { return int8(rng.IntN(256) - 128) })
				got, trace, err := Multiply[int8, int32](flow, rows, cols, stages, a, b)
				require.NoError(t, err)
				want := product(a, b)
				for i := range m {
					for j := range n {
						require.EqualValues(t, want.At(i, j), got.At(i, j), "(%d,%d)", i, j)
					}
				}
				arr := dataflow.Array{Rows: rows, Cols: cols, Stages: stages, OverlapPreload: true, OverlapFirst: true}
				_, _, time := dataflow.Dims(e.New, int64(m), int64(n), int64(k))
				x := e.New.Timing(arr)
				require.EqualValues(t, x.Cycles(1, time), trace.Cycles)
				require.Equal(t, m*n*k, trace.MACs)
				require.EqualValues(t, time*e.New.Skew(arr).Registers(), trace.Skewed)
				if full := int(x.Full); int(time) > full-1 {
					require.Equal(t, full, trace.Full)
				}
			})
		})
	}
}

// The paper's sizes: N = 64, S = 2, 64 rows of inputs take 191 and 128 cycles; floating
// point is as good as its own rounding allows.
func TestSizesOfThePaper(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{4, 8, 16, 32, 64} {
		a := random(rng, n, n, func() float32 { return rng.Float32() - 0.5 })
		b := random(rng, n, n, func() float32 { return rng.Float32() - 0.5 })
		want := product(a, b)
		for flow, cycles := range map[string]int{"ws": 3*n - 1, "dip": 2 * n} {
			got, trace, err := Multiply[float32, float32](flow, n, n, 2, a, b)
			require.NoError(t, err)
			require.Equal(t, cycles, trace.Cycles, flow)
			for i := range n {
				for j := range n {
					require.InDelta(t, want.At(i, j), got.At(i, j), 1e-4)
				}
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	a, b := New[int8](2, 3), New[int8](3, 4)
	for _, c := range []struct {
		flow       string
		rows, cols int
		stages     int
		want       string
	}{
		{"ws", 2, 4, 1, "a tile of 3 x 4 on 2 x 4 elements"},
		{"dip", 3, 4, 1, "wants a square"},
		{"zigzag", 4, 4, 1, "want one of: dip, is, os, ws"},
		{"os", 0, 4, 1, "at least 1"},
		{"os", 4, 4, 0, "at least 1"},
	} {
		_, _, err := Multiply[int8, int32](c.flow, c.rows, c.cols, c.stages, a, b)
		require.ErrorContains(t, err, c.want)
	}
	_, _, err := Multiply[int8, int32]("ws", 4, 4, 1, a, New[int8](2, 2))
	require.ErrorContains(t, err, "2 x 3 by 2 x 2")
}

func ExampleMultiply() {
	a := Matrix[int8]{2, 2, []int8{1, 2, 3, 4}}
	b := Matrix[int8]{2, 2, []int8{5, 6, 7, 8}}
	c, t, _ := Multiply[int8, int32]("dip", 2, 2, 1, a, b)
	fmt.Println(c.Data, t.Cycles)
	// Output: [19 22 43 50] 3
}
