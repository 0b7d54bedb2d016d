package main

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// channels.csv adds up to the metrics of the network, does not depend on the engine,
// and shows stalls where the load is high.
func TestChannels(t *testing.T) {
	t.Parallel()
	mesh := filepath.Join(repository(t), "configs", "examples", "mesh.yaml")
	stalls := map[string]float64{}
	for _, c := range []struct{ fidelity, load string }{{"flit", "0.02"}, {"flit", "0.3"}, {"packet", "0.02"}, {"packet", "0.3"}} {
		var first string
		for _, engine := range []string{"", "shuffle:3"} {
			set := []string{"Net.fidelity=" + c.fidelity, "Traffic.load=" + c.load, "Traffic.rules.sample=200", "simulation={record: {channels: true}}"}
			if c.fidelity == "packet" {
				set = append(set, "Net.router=null")
			}
			x, err := experiment.Load(mesh, experiment.Options{Set: set, Engine: engine})
			require.NoError(t, err)
			r, _, err := x.Run(context.Background(), nil)
			require.NoError(t, err)
			col := r.Channels.Index
			var flits, most, stalled, ejected float64
			for _, row := range r.Channels.Rows {
				n := float64(row[col("flits")].(uint64))
				flits, stalled = flits+n, stalled+row[col("stalls")].(float64)
				if row[col("class")] == "terminal" {
					ejected += n
					continue
				}
				most = max(most, row[col("busy")].(float64))
			}
			busiest, ok := r.Metric("Net", "channel_busy_max")
			require.True(t, ok)
			require.Equal(t, busiest.Value, most)
			if hops, ok := r.Metric("Net", "flit_hops"); ok {
				require.Equal(t, hops.Value, flits)
			}
			require.NotZero(t, ejected)
			stalls[c.fidelity+c.load] = stalled / flits
			if text := string(result.TableCSV(r.Channels)); first == "" {
				first = text
			} else {
				require.Equal(t, first, text)
			}
		}
	}
	t.Log(stalls)
	for _, f := range []string{"flit", "packet"} {
		require.Greater(t, stalls[f+"0.3"], 5*stalls[f+"0.02"], f)
	}
	_, err := experiment.Load(filepath.Join(repository(t), "configs", "examples", "dram.yaml"), experiment.Options{Set: []string{"simulation={record: {channels: true}}"}})
	require.ErrorContains(t, err, "simulation.record.channels: has no effect: no node has channels (network does)")
}
