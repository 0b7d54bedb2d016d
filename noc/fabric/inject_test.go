package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A terminal puts its packets into virtual channels in turn, or into that of the share of their destination; by turns it
// goes on with the next that has room. A channel without room for a flit is left out.
func TestVirtualChannelsOfInjection(t *testing.T) {
	ring := func(inject setting.InjectVC) proven {
		return networkOf(t, "mesh", topology.GridSpec{Dims: []int{8}}, "dor", func(c *setting.Config) { c.VCs, c.Depth, c.InjectVC = 4, 2, inject })
	}
	k := ring(setting.RoundRobin)
	for i := range 9 {
		k.n.Send(3, 5, 1, false)
		drainCore(t, k)
		require.EqualValues(t, i%4, k.n.nics[3].lastVC, "packet %d", i)
	}
	k.n.sent[3*k.n.v+1] += 2 // the next is full
	k.n.Send(3, 5, 1, false)
	for range 50 {
		k.n.Step()
	}
	require.EqualValues(t, 2, k.n.nics[3].lastVC, "the one after it")

	k = ring(setting.ByDst)
	for dst := range 8 {
		if dst != 3 {
			k.n.Send(3, dst, 1, false)
			drainCore(t, k)
			require.EqualValues(t, dst/2, k.n.nics[3].lastVC, "four channels for eight terminals, to %d", dst)
		}
	}
}

func drainCore(t *testing.T, k proven) {
	for i := 0; k.n.Waiting() > 0; i++ {
		k.n.Step()
		require.Less(t, i, 1000)
	}
}

// Where packets wait at inputs and outputs, an output asks inputs from other routers first and those of terminals after them,
// each in the order of their numbers, until it has granted one.
func TestOrderOfInputsAtFirst(t *testing.T) {
	k := networkOf(t, "dragonfly", topology.DragonflySpec{P: 2, A: 4, H: 2}, "min", func(c *setting.Config) {
		c.Flow, c.Queueing, c.OutputDepth = setting.CutThrough, setting.InputOutput, 8
	})
	n := k.n
	for at := range n.ports {
		var want []int16
		for p := range n.p { // terminals are ports 0 and 1
			want = append(want, int16((p+2)%n.p))
		}
		require.Equal(t, want, n.ioq.turn[at*n.p:(at+1)*n.p], "port %d of router %d", at%n.p, at/n.p)
	}
}
