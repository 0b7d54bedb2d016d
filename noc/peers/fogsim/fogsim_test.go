package fogsim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/routing/deadlock"
	"github.com/causeway-sim/causeway/noc/topology"
)

// Each constant is of a routing that exists, and makes it on FOGSim's dragonfly, free of
// deadlock.
func TestRoutings(t *testing.T) {
	top, err := topology.New("dragonfly", topology.DragonflySpec{P: 2, A: 4, H: 2, Arrangement: topology.Palmtree})
	require.NoError(t, err)
	for name, spec := range Routings {
		alg, err := routing.New(name, top, spec)
		require.NoError(t, err, name)
		proof, err := deadlock.Check(top, alg, 0)
		require.NoError(t, err, name)
		require.True(t, proof.Free(), name)
	}
}
