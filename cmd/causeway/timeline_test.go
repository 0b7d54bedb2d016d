package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/task"
)

// A timeline is JSON whose slices begin once, end once, in order of time, on processes
// that have names; there are as many as tasks.
func TestTimeline(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	line := report.NewTimeline(&out)
	set := small(t, t.TempDir())
	x, err := experiment.Load(filepath.Join(repository(t), "configs", "examples", "resnet50_cache.yaml"), experiment.Options{Set: set, Tasks: []task.Listener{line}})
	require.NoError(t, err)
	_, _, err = x.Run(t.Context(), nil)
	require.NoError(t, err)
	require.NoError(t, line.Close())
	var got struct {
		TraceEvents []struct {
			Ph, Name, Cat, ID string
			Pid               int
			Ts                float64
			Args              map[string]any
		}
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	names, open, slices, last := map[int]string{}, map[string]string{}, map[string]int{}, 0.0
	for _, e := range got.TraceEvents {
		if e.Ph == "M" {
			names[e.Pid] = e.Args["name"].(string)
			continue
		}
		require.NotEmpty(t, names[e.Pid])
		require.GreaterOrEqual(t, e.Ts, last)
		last = e.Ts
		switch e.Ph {
		case "b":
			require.Empty(t, open[e.ID])
			open[e.ID] = e.Cat + e.Name
			slices[e.Cat]++
		default:
			require.Equal(t, open[e.ID], e.Cat+e.Name)
			if e.Ph == "e" {
				delete(open, e.ID)
			}
		}
	}
	require.Empty(t, open)
	require.Equal(t, map[int]string{0: "Core", 1: "LLC", 2: "Mem"}, names)
	require.Equal(t, map[string]int{"layer": 2, "tile": 16, "compute": 16, "burst": 1033, "access": 1033, "memory": 518}, slices)
}
