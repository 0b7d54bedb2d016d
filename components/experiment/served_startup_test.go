package experiment_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// The first steps take longer by what startup says, and no other.
func TestStartup(t *testing.T) {
	set := []string{"Serve.instances=null", "Chip.count=1", "Nic.count=1", "Net.topology.terminals=1"}
	plain, err := serve(t, apart, experiment.Options{Set: set})
	require.NoError(t, err)
	slow, err := serve(t, apart, experiment.Options{Set: append(set, "Serve.startup=[3ms, 500us]")})
	require.NoError(t, err)
	require.InDelta(t, 3e6, value(t, slow, "Serve", "ttft_mean")-value(t, plain, "Serve", "ttft_mean"), 1)
	require.InDelta(t, 500e3, 5*(value(t, slow, "Serve", "tpot_mean")-value(t, plain, "Serve", "tpot_mean")), 2)
	for text, want := range map[string]string{
		"Serve.times=issued":      "startup: has no effect with times: issued",
		"Serve.startup=[2000s]":   "is 2000s (want at most 1000s)",
		"Serve.startup=[1ms, 2x]": "2x",
	} {
		_, err := serve(t, apart, experiment.Options{Set: append(append(set, "Serve.startup=[3ms]"), text)})
		require.ErrorContains(t, err, want)
	}
}

// A prompt that goes on from an earlier request finds its blocks.
func TestTurnsFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	file := "workload.requests={file: " + write("r.csv", "request_id,arrival_s,input_toks,output_toks\na,0,16,9\nb,1,40,2\n") + "}"
	turns := "workload.requests.turns_file=" + write("t.csv", "request,begins_as,tokens\nb,a,25\n")
	set := []string{"Serve.instances=null", "Chip.count=1", "Nic.count=1", "Net.topology.terminals=1", "Serve.prefix_cache=true", file}
	plain, err := serve(t, apart, experiment.Options{Set: set})
	require.NoError(t, err)
	require.Zero(t, value(t, plain, "Serve", "prefix_hits"))
	r, err := serve(t, apart, experiment.Options{Set: append(set, turns)})
	require.NoError(t, err)
	require.EqualValues(t, 24, value(t, r, "Serve", "prefix_hits"), "three blocks of eight, of prompt and answer")
	r, err = serve(t, apart, experiment.Options{Set: []string{"Serve.prefix_cache=true", file, turns}})
	require.NoError(t, err)
	require.EqualValues(t, 16, value(t, r, "Serve", "prefix_hits"), "chips that prefill have the prompt alone, not the answer")
	_, err = serve(t, apart, experiment.Options{Set: append(set, turns, "workload.requests.upscale={factor: 2}")})
	require.ErrorContains(t, err, "upscale: has no meaning with turns_file")
	_, err = serve(t, apart, experiment.Options{Set: []string{turns}})
	require.ErrorContains(t, err, "turns_file: has no effect: there is no file of requests")
}
