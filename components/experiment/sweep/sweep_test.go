package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/build"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/stats"
)

// fakeRunner computes x*y; it fails where x*y is 6 and panics where it is 12.
type fakeRunner struct {
	ran  atomic.Int64
	stop int64 // cancel after this many runs, if > 0
	quit context.CancelFunc
}

type fakeJob struct {
	r    *fakeRunner
	x, y int
}

func (r *fakeRunner) Prepare(p grid.Point) (Job, error) {
	var j fakeJob
	_, err := fmt.Sscanf(strings.Join(p.Set, " "), "x=%d y=%d", &j.x, &j.y)
	j.r = r
	return j, err
}

func (j fakeJob) Identity() string {
	return result.Identity(fmt.Appendf(nil, "%d %d", j.x, j.y), nil)
}

func (j fakeJob) Run(ctx context.Context) (*result.Result, error) {
	if n := j.r.ran.Add(1); j.r.stop > 0 && n >= j.r.stop {
		j.r.quit()
	}
	switch j.x * j.y {
	case 6:
		return nil, errors.New("six is refused")
	case 12:
		panic("twelve")
	}
	return &result.Result{Status: result.Complete, Metrics: []stats.Metric{{Phase: "all", Name: "product", Value: float64(j.x * j.y), Unit: stats.One}}}, nil
}

// square is a grid of two axes.
var square = grid.Grid{
	{Paths: []string{"x"}, Values: [][]string{{"1"}, {"2"}, {"3"}, {"5"}}},
	{Paths: []string{"y"}, Values: [][]string{{"1"}, {"2"}, {"3"}, {"4"}}},
}

func TestSweepRecordsFailuresAndCarriesOn(t *testing.T) {
	r := &fakeRunner{}
	s := &Sweep{Grid: square, Runner: r, Dir: t.TempDir(), Workers: 2}
	out, err := s.Run(context.Background())
	require.NoError(t, err)
	require.Equal(t, 16, out.Finished)
	require.Equal(t, 3, out.Failed) // 2x3, 3x2, 3x4
	require.Equal(t, "six is refused", out.Failures[0].Error)
	require.Contains(t, out.Failures[2].Error, "internal error: twelve")
	csv, err := os.ReadFile(filepath.Join(s.Dir, "sweep.csv"))
	require.NoError(t, err)
	require.Contains(t, string(csv), ",complete,5,4,20\n")
	require.Contains(t, string(csv), ",failed,2,3,\n")

	// Again: everything stands in the journal.
	again, err := s.Run(context.Background())
	require.NoError(t, err)
	require.Equal(t, 16, again.Reused)
	require.Equal(t, int64(16), r.ran.Load())

	s.Retry = true
	_, err = s.Run(context.Background())
	require.NoError(t, err)
	require.Equal(t, int64(19), r.ran.Load())
}

// An interrupted sweep, with a torn last line in its journal, resumes to the
// bytes of an uninterrupted one.
func TestResumeEqualsUninterrupted(t *testing.T) {
	whole := &Sweep{Grid: square, Runner: &fakeRunner{}, Dir: t.TempDir(), Workers: 1}
	_, err := whole.Run(context.Background())
	require.NoError(t, err)

	ctx, cancel := context.WithCancel(context.Background())
	r := &fakeRunner{stop: 5, quit: cancel}
	s := &Sweep{Grid: square, Runner: r, Dir: t.TempDir(), Workers: 2}
	_, err = s.Run(ctx)
	require.ErrorIs(t, err, context.Canceled)

	journals, err := filepath.Glob(filepath.Join(s.Dir, "journal", "*.jsonl"))
	require.NoError(t, err)
	require.Len(t, journals, 1)
	b, err := os.ReadFile(journals[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(journals[0], append(b, `{"identity":"torn`...), 0o644))

	r.stop = 0
	out, err := s.Run(context.Background())
	require.NoError(t, err)
	require.Positive(t, out.Reused)
	require.Len(t, out.Warnings, 1)
	require.Contains(t, out.Warnings[0], "is torn")
	want, err := os.ReadFile(filepath.Join(whole.Dir, "sweep.csv"))
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(s.Dir, "sweep.csv"))
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

// Results of another build are neither taken nor lost without a word.
func TestAnotherBuild(t *testing.T) {
	r := &fakeRunner{}
	one, two := build.Info{Version: "1", ID: "a/one"}, build.Info{Version: "1", ID: "a/two"}
	s := &Sweep{Grid: square, Runner: r, Dir: t.TempDir(), Workers: 2, Build: one}
	_, err := s.Run(context.Background())
	require.NoError(t, err)
	again := func(reuse, fresh bool) (*Outcome, error) {
		return (&Sweep{Grid: square, Runner: r, Dir: s.Dir, Workers: 2, Build: two, Reuse: reuse, Fresh: fresh}).Run(context.Background())
	}
	_, err = again(false, false)
	require.EqualError(t, err, s.Dir+" holds results of another build, 1 (Go build ID one); this is 1 (Go build ID two) (--reuse takes them, --fresh starts anew)")
	require.True(t, experiment.IsBadInput(err))
	out, err := again(true, false)
	require.NoError(t, err)
	require.Equal(t, 16, out.Reused)
	out, err = again(false, true)
	require.NoError(t, err)
	require.Equal(t, 16, out.Finished)
	out, err = again(false, false)
	require.NoError(t, err)
	require.Equal(t, 16, out.Reused)
	require.Equal(t, int64(32), r.ran.Load())
}

// Two processes share the points of a folder: nothing is done twice, and both
// come to the same table. (Two sweeps stand for two processes: each has a
// journal and a lock of its own.)
func TestSweepsShareAFolder(t *testing.T) {
	dir := t.TempDir()
	var r fakeRunner
	var wg sync.WaitGroup
	outs, tables := make([]*Outcome, 4), make([]string, 4)
	for i := range outs {
		wg.Go(func() {
			var err error
			s := &Sweep{Grid: square, Runner: &r, Dir: dir, Workers: 2}
			if outs[i], err = s.Run(context.Background()); err != nil {
				t.Error(err)
				return
			}
			tables[i] = string(result.TableCSV(outs[i].Table))
		})
	}
	wg.Wait()
	require.Equal(t, int64(16), r.ran.Load())
	done := 0
	for i, o := range outs {
		done += o.Finished
		require.Equal(t, 16, o.Finished+o.Shared+o.Reused)
		require.Equal(t, 3, o.Failed)
		require.Equal(t, tables[0], tables[i])
	}
	require.Equal(t, 16, done)
}

// Points that come to one configuration are run once.
func TestEqualPointsRunOnce(t *testing.T) {
	r := &fakeRunner{}
	g := grid.Grid{{Paths: []string{"x"}, Values: [][]string{{"1"}, {"1"}, {"2"}}}, {Paths: []string{"y"}, Values: [][]string{{"1"}}}}
	out, err := (&Sweep{Grid: g, Runner: r, Dir: t.TempDir(), Workers: 3}).Run(context.Background())
	require.NoError(t, err)
	require.Equal(t, int64(2), r.ran.Load())
	require.Len(t, out.Table.Rows, 3)
	require.Equal(t, "complete", out.Table.Rows[1][2])
}

func TestNumbersReadBack(t *testing.T) {
	require.Equal(t, "4434168", result.Number(4434168))
	require.Equal(t, "0.1", result.Number(0.1))
	require.Equal(t, "1e+300", result.Number(1e300))
	require.Equal(t, "-3", result.Number(-3))
}
