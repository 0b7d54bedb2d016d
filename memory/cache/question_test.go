package cache

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/memory/cache/prefetch"
)

// A cache judged by its misses has no lever that changes what one miss is; one judged by time has.
func TestLineIsALeverOfTimeAlone(t *testing.T) {
	line := func(l system.Lever) bool { return slices.Contains(l.Keys, "line") }
	require.False(t, slices.ContainsFunc(levers(Spec{}), line))
	require.True(t, slices.ContainsFunc(timedLevers(TimedSpec{}), line))
	idle, fetching := Spec{Prefetch: prefetch.Named("none", nil)}, Spec{Prefetch: prefetch.Named("next_line", nil)}
	require.Len(t, levers(fetching), len(levers(idle))+1)
}
