package experiment_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

// A program that waits for ever ends the run with who waits for whom, though traffic besides it
// goes on: on the same network by messages, and on one of its own by value. A sampler does not keep
// such a run alive, with or without traffic.
func TestDeadlockBesidesTraffic(t *testing.T) {
	program := filepath.Join(t.TempDir(), "stuck.goal")
	require.NoError(t, os.WriteFile(program, []byte(`num_ranks 2
rank 0 {
w: calc 9000
a: recv 8b from 1 tag 4
b: send 8b to 1 tag 4
a requires w
b requires a
}
rank 1 {
a: recv 8b from 0 tag 4
b: send 8b to 0 tag 4
b requires a
}
`), 0o644))
	const text = `
schema: causeway/1
nodes:
  - {name: Net, kind: network, fidelity: FIDELITY, topology: {name: mesh, dims: [4, 4]}, clock: 1GHz, width: 64B}
  - {name: Other, kind: network, fidelity: FIDELITY, topology: {name: mesh, dims: [2]}, clock: 1GHz, width: 64B}
  - {name: Ranks, kind: ranks, ranks: 2, trace: "FILE"}
  - {name: Bg, kind: traffic, load: 0.4, packet: 8, until: jobs}
links:
  - Ranks -> Net
  - Bg -> ON
`
	const stopped = "stuck at 9e-06 s: no job can go on: nothing is scheduled but the traffic of Bg" // a rank computes until then
	sample := []string{"simulation.sample=1us"}
	for _, fidelity := range []string{"flit", "packet"} {
		same := strings.NewReplacer("FIDELITY", fidelity, "FILE", program, "ON", "Net").Replace(text)
		apart := strings.NewReplacer("FIDELITY", fidelity, "FILE", program, "ON", "Other").Replace(text)
		for name, c := range map[string]struct {
			text   string
			set    []string
			engine string
			reason string
		}{
			"same":         {without(same, "Other"), nil, "", stopped},
			"serial":       {without(same, "Other"), nil, "serial", stopped},
			"parallel":     {without(same, "Other"), nil, "parallel", stopped},
			"shuffle":      {without(same, "Other"), nil, "shuffle:3", stopped},
			"sampled":      {without(same, "Other"), sample, "", stopped},
			"apart":        {apart, nil, "", stopped},
			"alone":        {without(same, "Other", "Bg"), sample, "", "nothing is scheduled any more"},
			"alone serial": {without(same, "Other", "Bg"), sample, "serial", "nothing is scheduled any more"},
		} {
			t.Run(fidelity+"/"+name, func(t *testing.T) {
				r, err := serve(t, c.text, experiment.Options{Engine: c.engine, Set: append([]string{"simulation.max_time=1ms"}, c.set...)})
				require.Error(t, err)
				require.Equal(t, result.Stuck, r.Status, r.Reason)
				require.Contains(t, r.Reason, c.reason)
				require.Contains(t, r.Reason, "Ranks rank 0 waits for Ranks rank 1: operation 1 (recv of 8B from rank 1, tag 4) has no message")
				require.Contains(t, r.Reason, "in a circle: Ranks rank 0 -> Ranks rank 1 -> Ranks rank 0")
			})
		}
	}
}
