package topology_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/topology"
)

// Each change of what is down begins a spell, and several changes of one cycle begin one.
func TestSpells(t *testing.T) {
	require.Empty(t, topology.Spells(nil))
	a, b, c := [2]int{0, 1}, [2]int{2, 3}, [2]int{4, 5}
	require.Equal(t, []topology.Spell{
		{At: 5, Down: [][2]int{b}}, {At: 10, Down: [][2]int{a, c}}, {At: 20, Down: [][2]int{c}},
	}, topology.Spells([]topology.Outage{
		{Router: 0, Port: 1, At: 10, Until: 20}, {Router: 2, Port: 3, At: 5, Until: 10}, {Router: 4, Port: 5, At: 10},
	}))
}
