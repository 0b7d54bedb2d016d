package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// What any policy can hit in 16 passes over a cycle of twice the cache, in caches,
// if at no point it may be below LRU by more than floor of the accesses so far,
// whatever comes next.
//
// Let g_k be its hits among the k-th C accesses, C being the lines of the cache. LRU
// hits nothing. A line hit there was used 2C accesses before, so LRU gave it up C
// accesses before; when those C accesses begin the policy holds it and LRU does not.
// Hence LRU holds g_k lines that the policy does not. A trace that now turns to
// them gives LRU g_k hits and the policy none:
//
//	g_k - (g_1 + ... + g_(k-1)) <= floor ((k-1)C + g_k)
//
// Lines hit in 2C accesses are different ones, all there at the beginning:
//
//	g_k + g_(k+1) <= C
//
// And g_1 = g_2 = 0. Without descriptors the policy cannot know what the trace will
// be. The most that the sum can be is a linear program.
func bestOfAny(t *testing.T, floor float64) float64 {
	const n = 30 // g_3 to g_32
	var rows [][]float64
	var most []float64
	for k := range n {
		r := make([]float64, n)
		for j := range k {
			r[j] = -1
		}
		r[k] = 1 - floor
		rows, most = append(rows, r), append(most, floor*float64(k+2))
		if k+1 < n {
			r = make([]float64, n)
			r[k], r[k+1] = 1, 1
			rows, most = append(rows, r), append(most, 1)
		}
	}
	m := len(rows) // each with a slack variable
	a := mat.NewDense(m, n+m, nil)
	for i, r := range rows {
		for j, v := range r {
			a.Set(i, j, v)
		}
		a.Set(i, n+i, 1)
	}
	c := make([]float64, n+m)
	for j := range n {
		c[j] = -1
	}
	best, _, err := lp.Simplex(c, a, most, 0, nil)
	require.NoError(t, err)
	return -best
}

// 230,400 hits of fa_mha4, learned, and 0.002 on any trace exclude each other, for
// any policy whatever: the floor cannot be above -0.0246 then.
func TestNoPolicyHoldsTheFloorAndLearns(t *testing.T) {
	const lines, want = 16384, 230_400
	require.InDelta(t, 202_638, bestOfAny(t, 0.002)*lines, 1)
	require.Less(t, bestOfAny(t, 0.0246)*lines, float64(want))
	require.Greater(t, bestOfAny(t, 0.0247)*lines, float64(want))
}
