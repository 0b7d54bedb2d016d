package timeloop

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/nest/relax"
	"github.com/causeway-sim/causeway/accelerators/search"
)

// On every kept case a hundred evaluations along derivatives find an energy-delay product no worse
// than that of the best of 10,000 random mappings.
func TestGradient(t *testing.T) {
	dirs := kept(t)
	long := os.Getenv("CAUSEWAY_LONG") != ""
	for i, dir := range dirs {
		if !long && i%4 != 0 {
			continue
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			find := func(algorithm string, evaluations int64) (float64, time.Duration) {
				in := load(t, dir)
				n, s := space(t, in, "edp", nest.Rules2024)
				start := time.Now()
				m, r, err := search.Run(context.Background(), relax.Over(s, nil), search.Options{Algorithm: algorithm, Evaluations: evaluations, Seed: 1})
				require.NoError(t, err)
				require.NoError(t, n.Legal(m))
				if algorithm == search.Gradient {
					t.Logf("%d evaluations, %d gradient and %d value passes", r.Evaluated, r.Passes.Gradients, r.Passes.Values)
				}
				return r.Cost, time.Since(start)
			}
			best, took := find(search.Gradient, 100)
			random, tookRandom := find(search.Random, 10_000)
			few, _ := find(search.Local, 100)
			t.Logf("gradient 1 (%v), random 10,000 %.4f (%v), local 100 %.4f", took, random/best, tookRandom, few/best)
			if long {
				many, tookLocal := find(search.Local, 10_000)
				t.Logf("local 10,000 %.4f (%v)", many/best, tookLocal)
			}
			require.LessOrEqual(t, best, random*(1+1e-12))
		})
	}
}
