package main

import (
	"bytes"
	"encoding/json"
	"math"
	"path/filepath"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/task"
)

// A timeline is JSON with a slice per task on tracks that have names. On a track slices follow
// each other, also where Perfetto rounds their times to nanoseconds. Counters have the bytes of all
// tasks.
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
			Ph, Name, Cat string
			Pid, Tid      int
			Ts, Dur       float64
			Args          map[string]any
		}
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	type place struct{ pid, tid int }
	names, tracks, slices := map[int]string{}, map[place]string{}, map[string]int{}
	on := map[place][][2]float64{}
	var moved, counted, from, rate float64 // bytes at the memory: of slices, and of its counter
	for _, e := range got.TraceEvents {
		at := place{e.Pid, e.Tid}
		switch e.Ph {
		case "M":
			switch e.Name {
			case "process_name":
				names[e.Pid] = e.Args["name"].(string)
			case "thread_name":
				require.Empty(t, tracks[at])
				tracks[at] = e.Args["name"].(string)
			}
		case "X":
			require.Contains(t, tracks[at], e.Cat)
			slices[e.Cat]++
			on[at] = append(on[at], [2]float64{math.Floor(e.Ts * 1000), math.Ceil((e.Ts+e.Dur)*1000 - 1e-4)})
			if e.Cat == "memory" {
				moved += e.Args["bytes"].(float64)
			}
		case "C":
			if e.Name == "memory bandwidth" {
				counted += rate * (e.Ts - from) * 1e3 // GB/s times ns
				from, rate = e.Ts, e.Args["GB/s"].(float64)
			}
		}
	}
	for at, all := range on {
		sort.Slice(all, func(i, j int) bool { return all[i][0] < all[j][0] })
		for i := range all[1:] {
			require.GreaterOrEqual(t, all[i+1][0], all[i][1], "%s of %s", tracks[at], names[at.pid])
		}
	}
	require.Equal(t, map[int]string{0: "Core", 1: "LLC", 2: "Mem"}, names)
	require.Equal(t, map[string]int{"layer": 2, "tile": 16, "compute": 16, "burst": 1033, "access": 1033, "memory": 518}, slices)
	require.Positive(t, moved)
	require.InEpsilon(t, moved, counted, 1e-4)
}
