package std_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
	_ "github.com/causeway-sim/causeway/components/std"
)

// A node that names no clock has that of its kind, so that nodes of unlike clocks share an axis of
// time.
func TestNodesWithoutAClockHaveThatOfTheirKind(t *testing.T) {
	r := &result.Result{Config: []byte("nodes: [{name: Links, kind: communicator}, {name: Chip, kind: gpu, clock: 2GHz}, {name: Other, kind: nothing}]")}
	named, usual := r.Clocks(), r.DefaultClocks()
	_, ok := named("Links[0]")
	require.False(t, ok)
	f, ok := usual("Links[0]")
	require.True(t, ok)
	require.Equal(t, 1.0, f.Nanoseconds(1))
	f, ok = named("Chip[3]")
	require.True(t, ok)
	require.Equal(t, 0.5, f.Nanoseconds(1))
	_, ok = usual("Other")
	require.False(t, ok)
}
