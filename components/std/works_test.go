package std_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/system"
)

// A kind says that its nodes carry out workloads if they do: a small system with a workload and
// none but others refuses it, and names those that do.
func TestKindsThatWork(t *testing.T) {
	var kinds []string
	for _, e := range system.Kinds.Entries() {
		base, work, _ := strings.Cut(small[e.Name], "\nworkload:")
		if e.New.Works {
			kinds = append(kinds, e.New.Kind)
			continue
		}
		if work != "" { // its small system has another node that works
			continue
		}
		err := parser(t, base+"\nworkload: {model: alexnet}\n")()
		if err != nil && strings.Contains(err.Error(), "no node that can carry it out") {
			require.True(t, strings.Contains(err.Error(), strings.Join(system.WorkerKinds(), ", ")) || strings.Contains(err.Error(), "all that it does"), err)
			continue
		}
		require.Error(t, err, "%s carries out workloads", e.Name)
	}
	require.Subset(t, kinds, system.WorkerKinds())
	require.Equal(t, []string{"gpu", "lanes", "profile", "roofline", "spatial", "systolic"}, system.WorkerKinds())
}
