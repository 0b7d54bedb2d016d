package fpga

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// By hand: 1,024 products of 8 bits are 512 slices, 1 MiB 228 blocks of 4,608 B, 57.5 GB/s
// four channels; 16 bits take a slice each.
func TestUse(t *testing.T) {
	d := Devices["u280"]
	u, err := d.Use(Engine{Multipliers: 1024, Bits: 8, Buffer: 1 << 20, Bandwidth: 57.5e9})
	require.NoError(t, err)
	require.Equal(t, Use{DSP: 512, BRAM: 228, Channels: 4}, u)
	u, err = d.Use(Engine{Multipliers: 1023, Bits: 16, Buffer: 2016*4608 + 36865, Bandwidth: 1e9})
	require.NoError(t, err)
	require.Equal(t, Use{DSP: 1023, BRAM: 2016, URAM: 2, Channels: 1}, u)
	_, err = d.Use(Engine{Multipliers: 2 * 9025, Bits: 8})
	require.EqualError(t, err, "takes 9025 DSP slices of the 9024 of u280")
	_, err = d.Use(Engine{Multipliers: 1, Bits: 8, Bandwidth: 461e9})
	require.EqualError(t, err, "takes 33 channels of memory of the 32 of u280")
	_, err = d.Use(Engine{Multipliers: 1, Bits: 8, Buffer: 1 << 30})
	require.ErrorContains(t, err, "ultra RAM besides")
}
