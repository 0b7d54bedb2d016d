package sweep

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/catalogue"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/explore"
	"github.com/causeway-sim/causeway/components/formula"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
)

// cornerRunner has time 1000/x + y and cost x*(y+1); y=7 cannot be simulated.
type cornerRunner struct {
	ran  atomic.Int64
	stop int64
	quit context.CancelFunc
}

type cornerJob struct {
	r    *cornerRunner
	x, y float64
}

func (r *cornerRunner) Prepare(p grid.Point) (Job, error) {
	j := cornerJob{r: r}
	_, err := fmt.Sscanf(strings.Join(p.Set, " "), "x=%g y=%g", &j.x, &j.y)
	return j, err
}

func (j cornerJob) Identity() string {
	return result.Identity(fmt.Appendf(nil, "%g %g", j.x, j.y), nil)
}

func (j cornerJob) Run(context.Context) (*result.Result, error) {
	if n := j.r.ran.Add(1); j.r.stop > 0 && n >= j.r.stop {
		j.r.quit()
	}
	if j.y == 7 {
		return &result.Result{Status: result.Stuck, Reason: "seven"}, nil
	}
	return &result.Result{Status: result.Complete, Metrics: []stats.Metric{
		{Phase: "all", Name: "time", Value: 1000/j.x + j.y, Unit: stats.NS},
		{Phase: "all", Name: "cost", Value: j.x * (j.y + 1), Unit: stats.One},
	}}, nil
}

// cornerSweep reads a sweep of the made-up simulator; root is its configuration.
func cornerSweep(t *testing.T, text string) (*Sweep, error) {
	v, err := configs.ParseValue("sweep.yaml", []byte(text))
	require.NoError(t, err)
	s := &Sweep{Runner: &cornerRunner{}, Dir: t.TempDir(), Workers: 2, method: v.Get("method")}
	s.Grid, err = grid.Decode(v.Get("sweep"))
	require.NoError(t, err)
	s.root = func() (configs.Value, error) {
		return configs.ParseValue("base.yaml", []byte("params: {limit: 5}\nnodes: [{name: Core, rows: 4}]\nworkload: {batch: 2}"))
	}
	return s, s.decodeSearch(v)
}

const corner = "sweep: {x: {from: 1, to: 20, step: 1}, y: {from: 0, to: 9, step: 1}}\n"

func file(t *testing.T, s *Sweep, name string) string {
	b, err := os.ReadFile(filepath.Join(s.Dir, name))
	require.NoError(t, err)
	return string(b)
}

// Objectives and constraints read settings of the configuration that are on no axis, as where does.
func TestFixedSettingsOfConstraints(t *testing.T) {
	s, err := cornerSweep(t, corner+"objectives: [time * Core.rows]\nconstraints: [y <= limit, x * workload.batch <= 10]\n")
	require.NoError(t, err)
	out, err := s.Run(context.Background())
	require.NoError(t, err)
	require.Equal(t, 5*6, out.Met)
	require.Equal(t, 800.0, out.Best[0].Value, "(1000 / 5 + 0) * 4")
	s, err = cornerSweep(t, corner+"objectives: [time]\nconstraints: [y <= limmit]\n")
	require.NoError(t, err)
	out, err = s.Run(context.Background())
	require.NoError(t, err)
	require.ErrorContains(t, out.Unknown[0], "limmit")
}

// where leaves points out, over settings of axes and of the configuration; the rows that
// remain are those of the whole grid.
func TestWhere(t *testing.T) {
	s, err := cornerSweep(t, corner+"where: [x * y <= 2 * Core.rows * workload.batch, y < limit + 1]\nobjectives: [time, cost]\n")
	require.NoError(t, err)
	out, err := s.Run(context.Background())
	require.NoError(t, err)
	want := 0
	for x := 1; x <= 20; x++ {
		for y := range 6 {
			if x*y <= 16 {
				want++
			}
		}
	}
	require.Equal(t, want, out.Total)
	require.Equal(t, want+1, strings.Count(file(t, s, "sweep.csv"), "\n"))
	require.Contains(t, file(t, s, "sweep.csv"), "\n21,") // x 3, y 1
	require.NotContains(t, file(t, s, "sweep.csv"), "\n199,")

	for text, message := range map[string]string{
		"where: z < 1":              `sweep.yaml:2:8: where: z is no axis of the sweep, and the configuration does not set it (want one of: x, y`,
		"where: x < y and x < 4KiB": `sweep.yaml:2:20: where: < cannot stand between 1 and 4096B: their units differ`,
		"where: x < -1":             `sweep.yaml:2:8: where: no point of the grid meets x < -1`,
	} {
		s, err := cornerSweep(t, corner+text)
		require.NoError(t, err)
		require.ErrorContains(t, s.Check(context.Background()), message)
	}
	for text, message := range map[string]string{
		"where: x <":                     `sweep.yaml:2:11: where: the end where a number`,
		"where: x + 1":                   `where: x + 1 is no condition`,
		"objectives: [x < 1]":            `objectives[0]: x < 1 is a condition`,
		"objectives: {time: least}":      `unknown goal "least" (want one of: min, max`,
		"objectives: [time, time]":       `objective "time" stands twice`,
		"method: {name: lhd, points: 3}": `unknown method "lhd" (want one of: coordinate, gradient, grid, halton, lhs, nsga2, random; did you mean "lhs"?)`,
		"method: {name: coordinate, points: 3}\nobjectives: [time, x]": `method coordinate has one objective (nsga2 has several)`,
		"method: {name: gradient, points: 3}\nobjectives: [time, x]":   `method gradient has one objective (nsga2 has several)`,
		"method: {name: coordinate, points: 3}":                        `a search needs objectives:`,
		"method: lhs":                                                  `expected a mapping, for example {name: lhs, points: 100}`,
		"constraints: {a: b}":                                          `expected a formula`,
		"method: {name: random}\nwhere: x << 1":                        `where: < where a number`,
	} {
		_, err := cornerSweep(t, corner+text)
		require.ErrorContains(t, err, message, text)
	}
	s, err = cornerSweep(t, corner+"method: {name: random, point: 3}")
	require.NoError(t, err)
	require.ErrorContains(t, s.Check(context.Background()), `unknown key (want one of: points, seed; did you mean "points"?)`)
}

// The best, the Pareto set and the sensitivity are those of the closed form.
func TestJudged(t *testing.T) {
	s, err := cornerSweep(t, corner+"where: y < 7\nobjectives: {time: min, cost: min, x * 2: max}\nconstraints: [time <= 300]\n")
	require.NoError(t, err)
	out, err := s.Run(context.Background())
	require.NoError(t, err)
	require.Equal(t, 50.0, out.Best[0].Value) // x 20, y 0
	require.Equal(t, 4.0, out.Best[1].Value)  // x 4, y 0: x 3 is too slow
	require.Equal(t, "max", out.Best[2].Goal)
	require.Equal(t, 40.0, out.Best[2].Value)
	require.Len(t, out.Front, 17) // y 0, x from 4
	pareto := strings.Split(strings.TrimSpace(file(t, s, "pareto.csv")), "\n")
	require.Equal(t, "point,identity,set:x,set:y,time,cost,x * 2", pareto[0])
	require.Len(t, pareto, 18)
	require.True(t, strings.HasSuffix(pareto[1], ",20,0,50,20,40"), pareto[1])
	effects := file(t, s, "sensitivity.csv")
	require.Contains(t, effects, "axis,metric,unit,first_order,mean_least,at_least,mean_most,at_most\nx,time,ns,0.999")
	require.Contains(t, effects, "\ny,x * 2,,0,21,0,21,0\n") // y explains nothing of x
}

// A search comes to the same bytes for any number of workers, after an interruption, and
// beside another process; it asks for what was not run alone.
func TestSearchIsAFunctionOfItsSeed(t *testing.T) {
	const text = corner + "method: {name: nsga2, points: 60, population: 10}\nobjectives: [time, cost]\n"
	load := func(dir string, r *cornerRunner, workers int) *Sweep {
		s, err := cornerSweep(t, text)
		require.NoError(t, err)
		if dir != "" {
			s.Dir = dir
		}
		s.Runner, s.Workers = r, workers
		return s
	}
	whole := load("", &cornerRunner{}, 1)
	out, err := whole.Run(context.Background())
	require.NoError(t, err)
	require.Equal(t, 60, out.Total)
	require.Positive(t, out.Failed, "no design with y 7 was tried")
	want := file(t, whole, "sweep.csv")

	ctx, cancel := context.WithCancel(context.Background())
	r := &cornerRunner{stop: 25, quit: cancel}
	s := load("", r, 3)
	_, err = s.Run(ctx)
	require.ErrorIs(t, err, context.Canceled)
	_, err = load(s.Dir, r, 1).Collect(context.Background(), false)
	require.ErrorAs(t, err, new(*IncompleteError))
	before := r.ran.Load()
	r.stop = 0
	two := make(chan error)
	for range 2 {
		go func() {
			_, err := load(s.Dir, r, 2).Run(context.Background())
			two <- err
		}()
	}
	require.NoError(t, <-two)
	require.NoError(t, <-two)
	require.LessOrEqual(t, r.ran.Load(), int64(60)+3, "designs were run twice, besides those under way")
	require.Greater(t, r.ran.Load(), before)
	require.Equal(t, want, file(t, s, "sweep.csv"))
	require.Equal(t, file(t, whole, "pareto.csv"), file(t, s, "pareto.csv"))
	st, err := load(s.Dir, r, 1).State(context.Background())
	require.NoError(t, err)
	require.True(t, st.Ended)
	require.Equal(t, 60, st.Total)
}

// Chunks have all points between them, each once; collect puts them together and says what
// is missing.
func TestChunks(t *testing.T) {
	for position := range 10 {
		in := 0
		for i := range 3 {
			if (Chunk{i + 1, 3}).has(position) {
				in++
			}
		}
		require.Equal(t, 1, in, "position %d is in so many chunks", position)
	}
	whole, err := cornerSweep(t, corner+"where: y != 7")
	require.NoError(t, err)
	_, err = whole.Run(context.Background())
	require.NoError(t, err)
	dir := t.TempDir()
	ran := int64(0)
	for i := range 3 {
		s, err := cornerSweep(t, corner+"where: y != 7")
		require.NoError(t, err)
		s.Dir, s.Chunk = dir, Chunk{i + 1, 3}
		if i > 0 {
			_, err = s.Collect(context.Background(), false)
			var missing *IncompleteError
			require.ErrorAs(t, err, &missing)
			require.Len(t, missing.Missing, 180-60*i)
			require.NoFileExists(t, filepath.Join(dir, "sweep.csv"))
		}
		out, err := s.Run(context.Background())
		require.NoError(t, err)
		require.Equal(t, 60, out.Finished)
		require.Len(t, out.Missing, 120-60*i)
		ran += s.Runner.(*cornerRunner).ran.Load()
	}
	require.Equal(t, int64(180), ran)
	s, err := cornerSweep(t, corner+"where: y != 7")
	require.NoError(t, err)
	s.Dir = dir
	require.NoError(t, os.Remove(filepath.Join(dir, "sweep.csv")))
	_, err = s.Collect(context.Background(), false)
	require.NoError(t, err)
	require.Equal(t, file(t, whole, "sweep.csv"), file(t, s, "sweep.csv"))
	require.Zero(t, s.Runner.(*cornerRunner).ran.Load())
}

// A partial collection has a row for each point.
func TestCollectPartial(t *testing.T) {
	s, err := cornerSweep(t, corner)
	require.NoError(t, err)
	s.Chunk = Chunk{1, 2}
	_, err = s.Run(context.Background())
	require.NoError(t, err)
	all, err := cornerSweep(t, corner)
	require.NoError(t, err)
	all.Dir = s.Dir
	out, err := all.Collect(context.Background(), true)
	require.NoError(t, err)
	require.Len(t, out.Missing, 100)
	require.Equal(t, 201, strings.Count(file(t, all, "sweep.csv"), "\n"))
}

// A method that takes some points of a grid without bounds is no way round the bound of a
// sweep that takes all.
func TestLargeGrid(t *testing.T) {
	const large = "sweep: {x: {from: 1, to: 5000, step: 1}, y: {from: 0, to: 5000, step: 1}}\n"
	s, err := cornerSweep(t, large)
	require.NoError(t, err)
	require.ErrorContains(t, s.Check(context.Background()), "the grid has 25005000 points, more than 1000000")
	s, err = cornerSweep(t, large+"method: {name: halton, points: 50}")
	require.NoError(t, err)
	out, err := s.Run(context.Background())
	require.NoError(t, err)
	require.Equal(t, 50, out.Total)
}

// Every method has a sentence and keys.
func TestMethodsAreListed(t *testing.T) {
	for _, e := range explore.All.Entries() {
		found := catalogue.Find(e.Name)
		require.NotEmpty(t, found, e.Name)
	}
}

// What a point is worth costs the same however many values the axes have: nothing is read
// of them where formulas name metrics alone.
func TestOutcomeReadsNoAxis(t *testing.T) {
	time, err := formula.Parse("total_time")
	require.NoError(t, err)
	worth := func(values int) float64 {
		s := &Sweep{Grid: grid.Grid{{Paths: []string{"Mem.bandwidth"}}}, Objectives: []Objective{{Name: "total_time", f: sweepFormula{Formula: time}}}}
		for i := range values {
			s.Grid[0].Values = append(s.Grid[0].Values, []string{result.Number(float64(i+1)) + "GB/s"})
		}
		f := finding{string(result.Complete), map[string]stats.Metric{"total_time": {Name: "total_time", Value: 3, Unit: stats.NS}}}
		return testing.AllocsPerRun(20, func() {
			o, err := s.outcome(values-1, f)
			require.NoError(t, err)
			require.Equal(t, []float64{3}, o.Values)
		})
	}
	require.Equal(t, worth(2), worth(500))
}
