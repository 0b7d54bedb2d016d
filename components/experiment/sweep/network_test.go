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

// netRunner runs two networks on machines: the small one is always faster, and gains from wide
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
		{Phase: "all", Name: parameters, Value: size, Unit: stats.One},
	}}, nil
}

// Designs are judged for each network, and machines over all of them by the geometric mean. A
// machine that is wanting for one network is not among those.
func TestNetworksApart(t *testing.T) {
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
	require.Equal(t, []string{"net"}, out.Networks)
	require.Equal(t, []int{0, 1, 3, 4}, out.Front, "no design of the large network is the fastest of all")
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
	require.Empty(t, out.Networks)
	require.Empty(t, out.Machines)
	require.Nil(t, out.Best[0].Of)
}
