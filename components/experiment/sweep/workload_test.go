package sweep

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/formula"
	"github.com/causeway-sim/causeway/components/stats"
)

// netRunner runs two workloads on machines: the small one is always faster, and gains from wide
// machines what the large one loses.
type netRunner struct{}

type netJob struct {
	set   string
	net   string
	width int
}

func (netRunner) Prepare(p grid.Point) (Job, error) {
	j := netJob{set: strings.Join(p.Set, " ")}
	_, err := fmt.Sscanf(j.set, "net=%s width=%d", &j.net, &j.width)
	return j, err
}

func (j netJob) Identity() string { return result.Identity([]byte(j.set), nil) }

func (j netJob) Run(context.Context) (*result.Result, error) {
	time := map[string][]float64{"small": {10, 4, 5}, "large": {100, 90, 200}}[j.net][j.width-1]
	size := map[string]float64{"small": 1000, "large": 9000}[j.net]
	return &result.Result{Status: result.Complete, Metrics: []stats.Metric{
		{Phase: "all", Name: "time", Value: time, Unit: stats.NS},
		{Phase: "all", Name: "cost", Value: float64(j.width), Unit: stats.One},
		{Phase: "all", Name: "workload_parameters", Value: size, Unit: stats.One},
		{Phase: "all", Name: "workload_macs", Value: size, Unit: stats.One},
	}}, nil
}

// Designs are judged for each workload, and machines over all of them by the geometric mean.
func TestWorkloadsApart(t *testing.T) {
	objective := func(name string) Objective {
		f, err := formula.Parse(name)
		require.NoError(t, err)
		return Objective{Name: name, f: sweepFormula{Formula: f}}
	}
	s := &Sweep{Grid: grid.Grid{
		{Paths: []string{"net"}, Values: [][]string{{"small"}, {"large"}}},
		{Paths: []string{"width"}, Values: [][]string{{"1"}, {"2"}, {"3"}}},
	}, Runner: netRunner{}, Dir: t.TempDir(), Objectives: []Objective{objective("time"), objective("cost")}}
	out, err := s.Run(context.Background())
	require.NoError(t, err)
	require.Equal(t, []string{"net"}, out.Workloads)
	require.Equal(t, []int{0, 1, 3, 4}, out.Front, "no design of the large workload is the fastest of all")
	var got []string
	for _, b := range out.Best {
		got = append(got, fmt.Sprint(b.Of, b.Objective, b.Value, b.Point))
	}
	require.Equal(t, []string{"[net=small]time4 1", "[net=small]cost1 0", "[net=large]time90 4", "[net=large]cost1 3"}, got)
	require.Len(t, out.Machines, 2)
	require.Equal(t, []string{"width=2"}, out.Machines[0].Set)
	require.InDelta(t, 0.6, out.Machines[0].Ratio, 1e-12, "0.4 of one and 0.9 of the other")
	require.Equal(t, []string{"width=1"}, out.Machines[1].Set)
	require.Len(t, out.Pareto.Rows, 4)

	s.Grid[0].Values = s.Grid[0].Values[:1]
	s.Dir = t.TempDir()
	out, err = s.Run(context.Background())
	require.NoError(t, err)
	require.Empty(t, out.Workloads)
	require.Empty(t, out.Machines)
	require.Nil(t, out.Best[0].Of)
}

// Parameters and work of an image or a token tell workloads apart; a batch is not another workload.
func TestSignatures(t *testing.T) {
	of := func(parameters, macs, images, ns float64) signature {
		f := finding{values: map[string]stats.Metric{"workload_parameters": {Value: parameters}, "workload_macs": {Value: macs}, "total_time": {Value: ns}}}
		if images > 0 {
			f.values["images_per_second"] = stats.Metric{Value: images / ns * 1e9}
		}
		s, ok := signatureOf(f)
		require.True(t, ok)
		return s
	}
	one := of(10, 100, 1, 50)
	require.False(t, one.unlike(of(10, 800, 8, 120), true), "a batch of 8")
	require.True(t, one.unlike(of(10, 400, 1, 120), true), "larger images")
	require.False(t, one.unlike(of(10, 400, 1, 120), false), "or other parts of it")
	require.True(t, one.unlike(of(20, 100, 1, 50), false))
	require.True(t, of(0, 100, 0, 5).unlike(of(0, 200, 0, 5), false), "products of other sizes")
	_, ok := signatureOf(finding{})
	require.False(t, ok)
}

// Quantities of a constraint have units: those of metrics are converted. A comparison of unlike units
// is an error, and not a constraint that no point meets.
func TestConstraintsHaveUnits(t *testing.T) {
	for text, want := range map[string]int{
		"time <= 5ns": 2, "time <= 1s": 6, "time >= 1s": 0, "time <= 100": 5, "time <= 0.1us and width <= 2": 4, "time <= 2GHz": -1, "time <= 5KiB": -1,
	} {
		f, err := formula.Parse(text)
		require.NoError(t, err)
		s := &Sweep{Grid: grid.Grid{
			{Paths: []string{"net"}, Values: [][]string{{"small"}, {"large"}}},
			{Paths: []string{"width"}, Values: [][]string{{"1"}, {"2"}, {"3"}}},
		}, Runner: netRunner{}, Dir: t.TempDir(), constraints: []sweepFormula{{Formula: f}}}
		out, err := s.Run(context.Background())
		require.NoError(t, err, text)
		if want < 0 {
			require.Len(t, out.Unknown, 1, text)
			require.ErrorContains(t, out.Unknown[0], "their units differ")
			continue
		}
		require.Equal(t, want, out.Met, text)
		require.Empty(t, out.Unknown, text)
	}
}

// With seeds a design is all of its seeds: the best has the best mean.
func TestBestOfMeans(t *testing.T) {
	f, err := formula.Parse("time")
	require.NoError(t, err)
	s := &Sweep{Grid: grid.Grid{
		{Paths: []string{"net"}, Values: [][]string{{"small"}}},
		{Paths: []string{"width"}, Values: [][]string{{"1"}, {"2"}, {"3"}}},
	}, Runner: netRunner{}, Dir: t.TempDir(), Average: []string{"width"}, Objectives: []Objective{{Name: "time", f: sweepFormula{Formula: f}}}}
	out, err := s.Run(context.Background())
	require.NoError(t, err)
	require.Equal(t, []string{"net=small"}, out.Best[0].Set)
	require.InDelta(t, (10+4+5)/3., out.Best[0].Value, 1e-12)
	require.Equal(t, []int{0}, out.Front)
}

func TestAxesOfWork(t *testing.T) {
	require.True(t, ofWork([]string{"workload.image"}))
	require.False(t, ofWork([]string{"workload.parallel.tensor"}))
	require.False(t, ofWork([]string{"chips", "Core.rows"}))
}
