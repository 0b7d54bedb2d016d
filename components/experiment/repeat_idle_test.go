package experiment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// Nothing repeats in a system without operators.
func TestRepeatWithoutWorkload(t *testing.T) {
	_, err := experiment.Parse("t.yaml", []byte(`schema: causeway/1
simulation: {repeat: sampled}
nodes:
  - {name: Driver, kind: driver, generate: {name: random, size: 64KiB, count: 50}}
  - {name: Memory, kind: memory, fidelity: ideal, clock: 1GHz, latency: 40ns, size: 4GiB}
links:
  - Driver -> Memory
`), experiment.Options{})
	require.ErrorContains(t, err, "simulation.repeat: has no effect: there is no workload whose layers repeat")
}
