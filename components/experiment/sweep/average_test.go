package sweep

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
)

// Half the interval by hand. Reference: tables of Student's t, 0.975.
func TestMeanOf(t *testing.T) {
	m := MeanOf([]float64{1, 2, 3})
	require.Equal(t, 3, m.N)
	require.InDelta(t, 2, m.Mean, 1e-15)
	require.InDelta(t, 4.3027/math.Sqrt(3), m.Half, 1e-4)
	require.InDelta(t, 12.7062*math.Sqrt(.5)/math.Sqrt2, MeanOf([]float64{0, 1}).Half, 1e-4)
	five := MeanOf([]float64{4, 6, 5, 3, 7})
	require.InDelta(t, 2.7764*math.Sqrt(2.5/5), five.Half, 1e-4)
	same := MeanOf([]float64{.1, .1, .1})
	require.Equal(t, Mean{3, .1, 0}, same)
	require.True(t, math.IsNaN(MeanOf([]float64{7}).Half))
	require.True(t, math.IsNaN(MeanOf(nil).Mean))
}

// Of 4,000 samples of a normal distribution 95% have its mean within the interval.
func TestIntervalCovers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 3, 8} {
		in := 0
		for range 4000 {
			x := make([]float64, n)
			for i := range x {
				x[i] = 10 + 3*r.NormFloat64()
			}
			if m := MeanOf(x); math.Abs(m.Mean-10) <= m.Half {
				in++
			}
		}
		require.InDelta(t, .95, float64(in)/4000, .012, n)
	}
}

// The group of a point, against a search for the settings that are left.
func TestGroups(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g grid.Grid
		for i := range rapid.IntRange(1, 4).Draw(t, "axes") {
			a := grid.Axis{Paths: []string{string(rune('a' + i))}}
			for v := range rapid.IntRange(1, 3).Draw(t, "values") {
				a.Values = append(a.Values, []string{string(rune('0' + v))})
			}
			g = append(g, a)
		}
		s := Sweep{Grid: g}
		for _, a := range g {
			if rapid.Bool().Draw(t, "average") {
				s.Average = append(s.Average, a.Paths[0])
			}
		}
		axes, _ := s.settings()
		seen := []string{}
		for i := range g.Len() {
			key := ""
			for _, set := range g.Point(i).Set {
				if p, _, _ := strings.Cut(set, "="); !contains(s.Average, p) {
					key += set + " "
				}
			}
			n := g.Group(i, axes)
			if n == len(seen) { // groups begin in the order of the grid
				seen = append(seen, key)
			}
			require.Less(t, n, len(seen))
			require.Equal(t, seen[n], key)
		}
	})
}

func contains(list []string, x string) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}

// seedRunner has a metric of x and the seed, another that only odd seeds have, and
// fails where x is 3 and the seed 2.
type seedRunner struct{}

type seedJob struct{ x, seed float64 }

func (seedRunner) Prepare(p grid.Point) (Job, error) {
	var j seedJob
	for _, s := range p.Set {
		k, v, _ := strings.Cut(s, "=")
		switch k {
		case SeedPath:
			j.seed = float64(v[0] - '0')
		case "x":
			j.x = float64(v[0] - '0')
		}
	}
	return j, nil
}

func (j seedJob) Identity() string { return result.Identity([]byte{byte(j.x), byte(j.seed)}, nil) }

func (j seedJob) Run(context.Context) (*result.Result, error) {
	if j.x == 3 && j.seed == 2 {
		return &result.Result{Status: result.Stuck, Reason: "three at two"}, nil
	}
	ms := []stats.Metric{
		{Phase: "all", Where: "Net", Name: "load", Value: j.x*10 + j.seed, Unit: stats.Cycle},
		{Phase: "all", Where: "Net", Name: "full", Value: j.x - 1, Unit: stats.One},
	}
	if int(j.seed)%2 == 1 {
		ms = append(ms, stats.Metric{Phase: "measure", Name: "odd", Value: 1, Unit: stats.One})
	}
	return &result.Result{Status: result.Complete, Metrics: ms}, nil
}

func sweepOf(t *testing.T, text string) (*Sweep, error) {
	v, err := configs.ParseValue("sweep.yaml", []byte(text))
	require.NoError(t, err)
	s := &Sweep{Runner: seedRunner{}, Dir: t.TempDir(), Workers: 1}
	if s.Grid, err = grid.Decode(v.Get("sweep")); err != nil {
		return nil, err
	}
	var errs configs.Errors
	s.Average, err = decodeAverage(v, &s.Grid)
	errs.Add(err)
	errs.Add(decodeLabels(v.Get("labels"), s.Grid))
	errs.Add(decodeTables(v.Get("tables"), s))
	return s, errs.Err()
}

const seeded = `
sweep: {x: [1, 2, 3]}
seeds: 3
`

// Means by setting, the same bytes for any number of workers; what not every run
// has has no mean, and a run that failed does not count.
func TestMeansOverSeeds(t *testing.T) {
	var first string
	for _, workers := range []int{1, 2, 5} {
		s, err := sweepOf(t, seeded)
		require.NoError(t, err)
		s.Workers = workers
		out, err := s.Run(context.Background())
		require.NoError(t, err)
		require.Equal(t, 9, out.Total)
		b, err := os.ReadFile(filepath.Join(s.Dir, "mean.csv"))
		require.NoError(t, err)
		if first == "" {
			first = string(b)
			half := result.Number(MeanOf([]float64{11, 12, 13}).Half)
			require.Equal(t, ""+
				"point,runs,set:x,Net.full,Net.full_ci95,Net.load,Net.load_ci95,odd@measure,odd@measure_ci95\n"+
				"0,3,1,0,0,12,"+half+",,\n"+
				"1,3,2,1,0,22,"+half+",,\n"+
				"2,2,3,2,0,32,"+result.Number(MeanOf([]float64{31, 33}).Half)+",1,0\n", first)
		}
		require.Equal(t, first, string(b))

		// Nothing is run again, and no table stays behind that is not asked for.
		s.Average = nil
		again, err := s.Run(context.Background())
		require.NoError(t, err)
		require.Equal(t, 9, again.Reused)
		require.NoFileExists(t, filepath.Join(s.Dir, "mean.csv"))
	}
}

func TestCrosstab(t *testing.T) {
	s, err := sweepOf(t, `
sweep: {x: [1, 2, 3], y: [1], simulation.seed: [1, 2, 3]}
average: [simulation.seed]
labels: {x: [one, two, three]}
tables:
  load: {metric: Net.load, rows: x, columns: y}
  sat: {metric: Net.load, rows: y, columns: x, unless: Net.full}
  each: {metric: Net.full, rows: y, columns: x}
`)
	require.NoError(t, err)
	_, err = s.Run(context.Background())
	require.NoError(t, err)
	b, err := os.ReadFile(filepath.Join(s.Dir, "tables.md"))
	require.NoError(t, err)
	// Three at two has no result: no mean of all its runs.
	require.Equal(t, `# load

Net.load, cycle; mean +- half its 95% interval over simulation.seed

| x | 1 |
|---|---|
| one | 12.0 +-2.5 |
| two | 22.0 +-2.5 |
| three |  |

# sat

Net.load, cycle; mean +- half its 95% interval over simulation.seed

| y | one | two | three |
|---|---|---|---|
| 1 | 12.0 +-2.5 | full | full |

# each

Net.full; mean +- half its 95% interval over simulation.seed

| y | one | two | three |
|---|---|---|---|
| 1 | 0.00 +-0.00 | 1.00 +-0.00 |  |
`, string(b))
}

// An axis that is in no table makes a table for each of its values.
func TestPages(t *testing.T) {
	s, err := sweepOf(t, `
sweep: {z: [7, 8], x: [1, 2], y: [1, 2]}
tables: {t: {metric: Net.load, rows: y, columns: x}}
`)
	require.NoError(t, err)
	_, err = s.Run(context.Background())
	require.NoError(t, err)
	b, err := os.ReadFile(filepath.Join(s.Dir, "tables.md"))
	require.NoError(t, err)
	require.Contains(t, string(b), "## z 7\n\n| y | 1 | 2 |\n|---|---|---|\n| 1 | ")
	require.Contains(t, string(b), "\n## z 8\n")
}

func TestAverageRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"sweep: {x: [1]}\nseeds: 0":                                                            `sweep.yaml:2:8: seeds: is 0 (want how many seeds, from 1 to 10000, or a list of seeds)`,
		"sweep: {x: [1]}\nseeds: many":                                                         `seeds: is many (want how many seeds`,
		"sweep: {x: [1]}\nseeds: []":                                                           `seeds: an empty list of seeds`,
		"sweep: {x: [1]}\nseeds: [1, 2, 1]":                                                    `sweep.yaml:2:15: seeds[2]: seed 1 stands twice`,
		"sweep: {simulation.seed: [1]}\nseeds: 3":                                              `simulation.seed is an axis of the sweep already`,
		"sweep: {x: {from: 1, to: 1000, step: 1}}\nseeds: 5000":                                `the grid has more than 1000000 points`,
		"sweep: {x: [1]}\naverage: [y]":                                                        `no axis sets "y" (want x`,
		"sweep: {x: [1]}\naverage: x":                                                          `expected a list of paths of axes`,
		"sweep: {x: [1]}\nlabels: {x: [a, b]}":                                                 `labels.x: 2 names for 1 values`,
		"sweep: {x: [1]}\nlabels: {y: [a]}":                                                    `no axis sets "y"`,
		"sweep: {x: [1]}\ntables: {t: {metric: m, rows: x, columns: x}}":                       `rows and columns are one axis`,
		"sweep: {x: [1]}\ntables: {t: {metric: m, rows: x}}":                                   `a table needs columns:, the path of an axis`,
		"sweep: {x: [1], y: [1]}\ntables: {t: {rows: x, columns: y}}":                          `a table needs metric:`,
		"sweep: {x: [1], y: [1]}\ntables: {t: {metric: m, rows: x, columns: z}}":               `no axis sets "z" (want one of: x, y)`,
		"sweep: {x: [1], y: [1]}\naverage: [y]\ntables: {t: {metric: m, rows: x, columns: y}}": `no axis sets "y" (want x)`,
		"sweep: {x: [1], y: [1]}\ntables: {t: {metric: m, rows: x, columns: y, unles: Net.a}}": `tables.t.unles: unknown key`,
		"sweep: {x: [1], y: [1]}\ntables: [t]":                                                 `expected a mapping: NAME: {metric:`,
	} {
		_, err := sweepOf(t, text)
		require.ErrorContains(t, err, want, text)
	}
}

// A table of a metric that no point has says so, once it is known.
func TestCrosstabOfNothing(t *testing.T) {
	s, err := sweepOf(t, "sweep: {x: [1], y: [1]}\ntables: {t: {metric: Net.lod, rows: x, columns: y}}")
	require.NoError(t, err)
	out, err := s.Run(context.Background())
	require.NoError(t, err)
	require.Len(t, out.Unknown, 1)
	require.ErrorContains(t, out.Unknown[0], `tables.t: no point has a metric "Net.lod" (did you mean "Net.load"?)`)
}
