package below

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory/direct"
)

// Reads that fill registers of a memory that is asked directly are no calls, but they are
// under way, and Waiting of a stuck run names their memory.
func TestReadsAskedDirectlyAreUnderWay(t *testing.T) {
	b := Port{direct: &direct.Link{To: engine.NewPort(nil, "Mem.Top", 1)}}
	require.Zero(t, b.InFlight())
	require.Nil(t, b.Waits())
	b.asked = 2
	require.Equal(t, 2, b.InFlight())
	require.Equal(t, "Mem.Top", b.Waits().Name())
}
