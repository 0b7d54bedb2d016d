package placement

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/topology"
)

// Ranks take ports in order, at random, or by the router that the ports are linked to.
func TestArrange(t *testing.T) {
	ring, err := topology.New("ring", topology.RingSpec{Size: 4})
	require.NoError(t, err)
	var ports []Port
	for _, terminal := range []int{2, 0, 3, 1} {
		ports = append(ports, Port{Linked: true, Terminal: terminal, network: ring})
	}
	list := func() []int32 { return []int32{0, 1, 2, 3} }
	got, err := Arrange(Linear, list(), ports, nil)
	require.NoError(t, err)
	require.Equal(t, list(), got)
	got, err = Arrange(Random, list(), ports, rand.New(rand.NewPCG(1, 2)))
	require.NoError(t, err)
	require.ElementsMatch(t, list(), got)
	got, err = Arrange(Router, list(), ports, rand.New(rand.NewPCG(1, 2)))
	require.NoError(t, err)
	require.ElementsMatch(t, list(), got)
	_, err = Arrange(Router, list(), []Port{{Linked: true, Terminal: -1}}, rand.New(rand.NewPCG(1, 2)))
	require.EqualError(t, err, "placement router needs a network; port nic[0] is linked to none")
}

// A port without peers has no terminal and no limit.
func TestUnlinked(t *testing.T) {
	p := Of(nil)
	require.True(t, p.Linked)
	require.Equal(t, -1, p.Terminal)
	require.Zero(t, p.Limit(1e9))
}
