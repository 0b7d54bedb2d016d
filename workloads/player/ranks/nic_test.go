package ranks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
)

// At a terminal that others share the network's channel keeps its rate, here twice that of
// the interface: its bytes leave the interface and the channel together, and at the receiver
// they take their turn at its own rate.
func TestFasterChannel(t *testing.T) {
	make := func(rate units.Bandwidth) *nic {
		n := DefaultSpec().NIC
		n.Bandwidth, n.Overhead = rate, units.InCycles(3)
		x := newNIC(n, clock.GHz)
		x.wire = 8 * 20e9
		return &x
	}
	x, y, fast := make(8*10e9), make(8*10e9), make(0)
	require.EqualValues(t, 3+5, x.send(0, 100), "five cycles on the channel end with the ten at the interface")
	require.EqualValues(t, 13+5, x.send(0, 100), "after the first, whose bytes hide the second one's overhead")

	require.EqualValues(t, 113+3, y.take(x, 113, 100), "its bytes came as fast as they pass")
	require.EqualValues(t, 123+3, y.take(x, 114, 100), "bytes of two take their time at the interface")
	require.EqualValues(t, 205+3, y.take(fast, 200, 100), "five cycles come from a faster one, which take ten")

	stores := DefaultSpec().NIC
	stores.Bandwidth, stores.Overhead, stores.Switching = 8*10e9, units.InCycles(3), "store_and_forward"
	z := newNIC(stores, clock.GHz)
	require.EqualValues(t, 13, z.send(0, 100))
	require.EqualValues(t, 26, z.send(0, 100), "overheads do not hide")
	require.EqualValues(t, 113, z.take(&z, 100, 100))
}
