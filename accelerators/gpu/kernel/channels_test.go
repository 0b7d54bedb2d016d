package kernel

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Many channels go by their bytes, operands twice; few of them by what a block has in flight.
func TestChannels(t *testing.T) {
	m := round()
	m.Memory, m.L2Bandwidth, m.Latency = 1e12, 1e15, 1e-6
	c := Channels{Channels: 1000, Elements: 1e9, Read: 4e9, Write: 4e9}
	m.SMs = 1000
	require.InEpsilon(t, 12e9/1e12, m.Channels(c).Total, 1e-3)
	c.Channels = 10 // of 16 KiB in flight for 1 us
	require.InEpsilon(t, 12e9/(10*16384e6), m.Channels(c).Total, 1e-3)
	m.SMs = 2 // of two blocks each
	require.InEpsilon(t, 12e9/(4*16384e6), m.Channels(c).Total, 1e-3)
}
