package experiment_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// Every node of an example has an energy, the whole is the sum of its owners, and what rests takes its power
// for the time of the run, which is that of the work.
func TestEveryJouleHasAnOwner(t *testing.T) {
	for example, idle := range map[string]map[string]float64{ // W at rest
		"pipeline": {"Nic[0]": 22.5, "Net": 0.9 * 747 * 4 * 25 / 3200},
		"scalesim": {}, "cxl-type2": {}, "roofline": {}, "host": {},
		"allreduce": {"Ranks": 72 * 22.5},
	} {
		t.Run(example, func(t *testing.T) {
			x, err := experiment.Load("../../configs/examples/"+example+".yaml", experiment.Options{})
			require.NoError(t, err)
			r, _, err := x.Run(context.Background(), nil)
			require.NoError(t, err)
			require.Empty(t, r.WithoutEnergy)
			sum, total, ns := 0.0, 0.0, 0.0
			for _, m := range r.Metrics {
				if m.Phase != "all" {
					continue
				}
				switch {
				case m.Name == "energy" && m.Where == "":
					total = m.Value
				case m.Name == "energy":
					sum += m.Value
				case m.Name == "total_time" && m.Where == "":
					ns = m.Value
				}
			}
			require.Positive(t, total)
			require.InEpsilon(t, sum, total, 1e-12)
			for node, watts := range idle {
				got, ok := r.Metric(node, "energy_idle")
				require.True(t, ok, node)
				require.InEpsilon(t, 1000*watts*ns, got.Value, 0.02, node) // the network's last message may be later
			}
		})
	}
}
