package std_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

const product = `schema: causeway/1
workload: {file: %s, dtype: int8}
nodes:
  - {name: Core, kind: systolic, fidelity: analytic, rows: 32, cols: 32, sram: {ifmap: 256KiB, filter: 256KiB, ofmap: 256KiB}}
  - {name: Mem, kind: memory, fidelity: ideal, clock: 1GHz, latency: 60ns, bandwidth: 25.6GB/s}
links:
  - Core -> Mem
`

// gemm is a system with one product of n x n matrices.
func gemm(t *testing.T, n int) []byte {
	return fmt.Appendf(nil, product, write(t, "g.csv", fmt.Sprintf("Layer,M,N,K,\ng,%d,%d,%d,\n", n, n, n)))
}

// write makes a file in a folder of its own and returns its path.
func write(t *testing.T, name, text string) string {
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	return file
}

// A layer of more steps than events can be made of is refused before the run, with the
// reason; fidelity analytic estimates it.
func TestAbsurdProducts(t *testing.T) {
	for _, n := range []int{100_000, 1_000_000} {
		_, err := experiment.Parse("big.yaml", gemm(t, n), experiment.Options{})
		require.NoError(t, err)
		_, err = experiment.Parse("big.yaml", gemm(t, n), experiment.Options{Set: []string{"Core.fidelity=tile"}})
		require.ErrorContains(t, err, "big.yaml:2:11: workload: layer g has ")
		require.ErrorContains(t, err, " steps (tiles of ")
		require.ErrorContains(t, err, "a layer has at most 16777216")
	}
	_, err := experiment.Parse("big.yaml", gemm(t, 40_000), experiment.Options{Set: []string{"Core.fidelity=tile"}})
	require.NoError(t, err)
}

// A run that computes one long layer ends inside of it, under any engine: the layer has
// no row. Walked to its end it would have one, a second later.
func TestStopInsideOneComputation(t *testing.T) {
	for _, engine := range []string{"causeway", "serial"} {
		x, err := experiment.Parse("big.yaml", gemm(t, 20_000), experiment.Options{Engine: engine, Set: []string{"mapping.objective=traffic"}})
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		res, _, err := x.Run(ctx, nil)
		cancel()
		require.ErrorIs(t, err, context.DeadlineExceeded, engine)
		require.Equal(t, result.Incomplete, res.Status)
		require.Empty(t, res.Layers.Rows, engine)
	}
}
