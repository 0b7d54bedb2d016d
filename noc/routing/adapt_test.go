package routing_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// Those whose rule does not name a queue never adapt; all others do, wherever two
// ways lead to a terminal.
func TestWhoAdapts(t *testing.T) {
	// acor adapts by being asked again while a packet waits
	never := []string{"dor", "nca", "o1turn", "acor", "anynet"}
	// in a dragonfly+ these choose a spine by its queue
	dragonfly := []string{"min", "val_group", "val_router"}
	adapts := map[string]bool{}
	pairs(t, func(t *testing.T, top topology.Topology, name string, alg routing.Algorithm) {
		if !routing.Adapts(top, alg) {
			return
		}
		adapts[name] = true
		if slices.Contains(dragonfly, name) {
			require.True(t, strings.Contains(t.Name(), "dragonfly_plus"), t.Name())
		}
	})
	for _, name := range routing.All.Names() {
		if name != "table" && !slices.Contains(dragonfly, name) {
			require.Equal(t, !slices.Contains(never, name), adapts[name], name)
		}
	}
}
