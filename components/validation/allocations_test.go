package validation

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// The default allocation of the study is for the GPUs of one node. Machines of hosts say
// which ones they take; they had left the network the mesh that it is by default.
func TestMachinesOfHostsTakeAnAllocation(t *testing.T) {
	load := func(set ...string) error {
		_, err := experiment.Load("../../configs/studies/collectives_hardware/run.yaml", experiment.Options{Set: set})
		return err
	}
	for _, system := range []string{"lumi", "leonardo"} {
		require.ErrorContains(t, load("system="+system), "allocations/linear.yaml: no such file")
		require.ErrorContains(t, load("system="+system), "2025_04_11___19_57_44, cabinet, switch)")
		require.NoError(t, load("system="+system, "allocation=switch"))
	}
	require.ErrorContains(t, load("allocation=switch"), "(want linear)")
	require.NoError(t, load("allocation=linear"))
}
