package timeloop

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/search"
)

// space is what the constraints of a case leave to a search; nil where a case has a
// mapping and no constraints that keep it within Timeloop's.
func space(t testing.TB, in *Input, objective string, rules nest.Rules) (*nest.Nest, *nest.Space) {
	for i := range in.Arch.Levels {
		in.Arch.Levels[i].Keep, in.Arch.Levels[i].Bypass = in.Constraints.Levels[i].Keep, in.Constraints.Levels[i].Bypass
	}
	n, err := nest.New(&in.Problem, &in.Arch, in.Sparse, rules)
	require.NoError(t, err)
	s, err := nest.NewSpace(n, in.Constraints, objective)
	require.NoError(t, err)
	return n, s
}

// From the same constraints a search finds an energy-delay product no worse than that
// of the mapping which Timeloop's found, under either rule for halos.
func TestSearchIsNoWorse(t *testing.T) {
	for _, rules := range []nest.Rules{nest.Rules2024, nest.Rules2025} {
		for _, dir := range kept(t) {
			t.Run(fmt.Sprint(filepath.Base(dir), " ", rules), func(t *testing.T) {
				in := load(t, dir)
				n, err := nest.New(&in.Problem, &in.Arch, in.Sparse, rules)
				require.NoError(t, err)
				var r nest.Result
				n.Evaluate(in.Mapping, &r)
				given := r.Cycles * r.Energy
				_, s := space(t, in, "edp", rules)
				start := time.Now()
				m, rep, err := search.Run(context.Background(), s, search.Options{Algorithm: search.Local, Evaluations: 60_000, Seed: 1})
				require.NoError(t, err)
				t.Logf("%.4g after %d of %d in %v; given %.4g", rep.Cost/given, rep.Evaluated, rep.Evaluated+rep.Pruned, time.Since(start), given)
				require.LessOrEqual(t, rep.Cost, given*(1+1e-12))
				n, _ = space(t, in, "edp", rules)
				require.NoError(t, n.Legal(m))
			})
		}
	}
}

func benchInput(b *testing.B) *Input {
	for _, dir := range kept(b) {
		if strings.HasSuffix(dir, "eyeriss_like") {
			return load(b, dir)
		}
	}
	b.Skip("no eyeriss_like")
	return nil
}

// A nest given its mapping: eight levels, seven dimensions, three tensors.
func BenchmarkEvaluate(b *testing.B) {
	in := benchInput(b)
	n, err := nest.New(&in.Problem, &in.Arch, in.Sparse, nest.Rules2024)
	require.NoError(b, err)
	var r nest.Result
	n.Evaluate(in.Mapping, &r)
	b.ReportAllocs()
	for b.Loop() {
		n.Evaluate(in.Mapping, &r)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "nests/s")
}

// Mappings drawn and walked under eyeriss_like's constraints, those that do not fit
// included.
func BenchmarkSearch(b *testing.B) {
	for _, near := range []bool{false, true} {
		name := "random"
		if near {
			name = "local"
		}
		b.Run(name, func(b *testing.B) {
			_, s := space(b, benchInput(b), "edp", nest.Rules2024)
			w := s.Walker()
			r := rand.New(rand.NewPCG(1, 2))
			m, x := w.New(), w.New()
			for !w.Random(r, m) {
			}
			w.Cost(m)
			b.ReportAllocs()
			good := 0
			for b.Loop() {
				ok := false
				if near {
					w.Copy(x, m)
					ok = w.Near(r, x)
				} else {
					ok = w.Random(r, x)
				}
				if ok {
					good++
					w.Cost(x)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "mappings/s")
			b.ReportMetric(float64(good)/b.Elapsed().Seconds(), "evaluated/s")
		})
	}
}
