package tracetest_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/synthetic/tracetest"
)

// described checks that every access lies in the tensor it names, and that the
// tensors' expected uses are those that come.
func described(t *testing.T, tr tracetest.Trace) (accesses uint64) {
	uses := make([]uint64, len(tr.Tensors))
	for a := range tr.All() {
		accesses++
		require.NotZero(t, a.Tensor)
		d := tr.Tensors[a.Tensor-1]
		require.True(t, a.Line*64 >= d.Base && a.Line*64 < d.Base+d.Bytes, "%+v is not in %+v", a, d)
		require.Less(t, int(a.Core), tr.Cores)
		require.Equal(t, d.WriteOnce, a.Write)
		uses[a.Tensor-1]++
	}
	for i, d := range tr.Tensors {
		require.Equal(t, uint64(d.Uses)*d.Bytes/64, uses[i], "tensor %d", i)
	}
	return accesses
}

func TestDescriptorsAreTrue(t *testing.T) {
	described(t, tracetest.Mix(tracetest.Phases{Layers: 2, Own: 128, Shared: 320, Blocks: 3, Weights: 200, Rereads: 2, Window: 64, Outputs: 128}))
	described(t, tracetest.FlashAttention(tracetest.Attention{Cores: 4, Lines: 100, Blocks: 3, Shared: true, Skew: 7}))
	described(t, tracetest.FlashAttention(tracetest.Attention{Cores: 3, Lines: 100, Blocks: 3}))
}

// The formula of a tiled product: (MK N/Tn + KN M/Tm + MN) bytes/64.
func TestTiledFormula(t *testing.T) {
	for _, g := range []tracetest.GEMM{
		{M: 64, K: 128, N: 256, Tm: 32, Tk: 64, Tn: 32, Bytes: 2},
		{M: 8, K: 8, N: 8, Tm: 8, Tk: 8, Tn: 8, Bytes: 1},
	} {
		tr, err := tracetest.Tiled(g)
		require.NoError(t, err)
		require.Equal(t, (g.M*g.K*g.N/g.Tn+g.K*g.N*g.M/g.Tm+g.M*g.N)*g.Bytes/64, described(t, tr))
	}
}

func TestTiledRefuses(t *testing.T) {
	_, err := tracetest.Tiled(tracetest.GEMM{M: 65, K: 64, N: 64, Tm: 32, Tk: 64, Tn: 64, Bytes: 1})
	require.EqualError(t, err, "gemm: M is 65 in tiles of 32 (want a multiple)")
	_, err = tracetest.Tiled(tracetest.GEMM{M: 3, K: 64, N: 64, Tm: 3, Tk: 64, Tn: 3 * 0, Bytes: 1})
	require.ErrorContains(t, err, "gemm: N is 64 in tiles of 0")
	_, err = tracetest.Tiled(tracetest.GEMM{M: 3, K: 64, N: 64, Tm: 3, Tk: 64, Tn: 1, Bytes: 1})
	require.EqualError(t, err, "gemm: tiles of 192, 64 and 3 bytes (want multiples of 64)")
}

// A plain trace has the same lines and says nothing; a trace can be stopped and
// read again.
func TestPlainAndStop(t *testing.T) {
	tr := tracetest.FlashAttention(tracetest.Attention{Cores: 2, Lines: 4, Blocks: 1})
	var told, bare []uint64
	for a := range tr.All() {
		told = append(told, a.Line)
	}
	for a := range tr.Plain().All() {
		require.Zero(t, a.Tensor)
		bare = append(bare, a.Line)
	}
	require.Equal(t, told, bare)
	for _, tr := range append(tracetest.Reference(), tr, tracetest.Mix(tracetest.DefaultPhases())) {
		n := 0
		for range tr.All() {
			if n++; n == 3 {
				break
			}
		}
		require.Equal(t, 3, n)
	}
}

func ExampleFlashAttention() {
	t := tracetest.FlashAttention(tracetest.Attention{Cores: 2, Lines: 2, Blocks: 2, Shared: true, Skew: 1})
	for a := range t.All() {
		fmt.Print(" ", a.Core, ":", a.Line)
	}
	// Output: 0:0 0:1 1:0 0:0 1:1 0:1 1:0 1:1
}
