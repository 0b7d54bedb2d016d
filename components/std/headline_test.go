package std_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// Every kind that a run can be about says what a reader asks of it: those that set work, and
// those that carry it out.
func TestEverySubjectHasHeadlines(t *testing.T) {
	for _, e := range system.Kinds.Entries() {
		if e.New.Works || e.New.Goal(e.Spec) != "" {
			require.NotEmpty(t, e.New.Headlines, e.Name)
		}
		var names []string
		for _, h := range e.New.Headlines {
			require.NotEmpty(t, h.Label, "%s: %s", e.Name, h.Metric)
			require.NotContains(t, names, h.Metric+h.Phase, e.Name)
			names = append(names, h.Metric+h.Phase)
		}
	}
}

// The cards of an example are its headlines, soonest first, with the units that the metrics
// have, and there is one of what the example is about.
func TestCardsOfExamples(t *testing.T) {
	about := map[string]string{
		"cache": "LLC misses", "dragonfly": "packet latency", "mesh": "packet latency", "serve": "tokens per second", "resnet50": "images per second",
		"allreduce": "Ranks bus bandwidth", "gpu": "tokens per second", "host": "Core.Cpu time per access", "dram": "Driver bandwidth",
		"cxl-latency": "Driver read latency", "schedule": "time of a request", "nest": "time", "roofline": "images per second",
	}
	found := 0
	files, err := filepath.Glob("../../configs/examples/*.yaml")
	require.NoError(t, err)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		want, ok := about[name]
		if !ok {
			continue
		}
		found++
		t.Run(name, func(t *testing.T) {
			x, err := experiment.Load(file, experiment.Options{})
			require.NoError(t, err)
			r, _, err := x.Run(context.Background(), nil)
			require.NoError(t, err)
			for _, a := range r.Headlines() {
				require.Equal(t, a.Unit, a.Of.Unit, "%s is declared in another unit", a.Key)
			}
			cards := report.Cards(r)
			i := slices.IndexFunc(cards, func(c report.Card) bool { return c.Label == want })
			require.GreaterOrEqual(t, i, 0, "no card %q in %v", want, cards)
			require.Less(t, i, 3, "%v", cards)
			if name == "dragonfly" || name == "mesh" {
				for _, c := range cards {
					require.NotContains(t, c.Label, "cycles", "the drain is no answer")
				}
			}
		})
	}
	require.Equal(t, len(about), found)
}

// A share of what the machine can do grows when the machine gets slower: it is no aim. Goals have a
// direction.
func TestSharesAreNoAim(t *testing.T) {
	for _, e := range system.Kinds.Entries() {
		for _, h := range e.New.Headlines {
			if h.Unit == stats.Percent {
				require.Equal(t, system.Neither, h.Better, "%s: %s", e.Name, h.Metric)
			}
			if h.Metric == e.New.Goal(e.Spec) {
				require.NotEqual(t, system.Neither, h.Better, "%s: %s", e.Name, h.Metric)
			}
		}
	}
}

// A sweep of a collective over links of two rates has the faster one as best by every objective,
// though the slower one is nearer to its bound.
func TestSlowerLinksAreNotBetter(t *testing.T) {
	sw, err := sweep.Load("../../configs/examples/allreduce.yaml", experiment.Options{Set: []string{"bytes=256KiB"}}, "Net.width=8B,32B")
	require.NoError(t, err)
	sw.Dir = t.TempDir()
	res, err := sw.Run(t.Context())
	require.NoError(t, err)
	share := res.Table.Index("Ranks.bound_share")
	require.Greater(t, res.Table.Rows[0][share], res.Table.Rows[1][share])
	require.NotEmpty(t, res.Best)
	for _, b := range res.Best {
		require.Equal(t, 1, b.Point, b.Objective)
	}
}
