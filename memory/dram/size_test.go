package dram_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/dram"
)

// Rows make up the capacity, and nothing else changes.
func TestSize(t *testing.T) {
	made := func(size units.Bytes) (*dram.Comp, error) {
		s := dram.DefaultSpec() // 8 GiB of DDR4 in one rank
		s.Grade, s.Channels, s.Size = "ddr4_3200", 2, size
		return dram.NewComp("Mem", engine.New(), s)
	}
	m, err := made(0)
	require.NoError(t, err)
	own := m.Home()
	for _, size := range []uint64{own / 4, own, 8 * own} {
		m, err := made(units.Bytes(size))
		require.NoError(t, err)
		require.Equal(t, size, m.Home())
		require.Error(t, m.Extend(2*size), "its size is said")
		require.Empty(t, m.Assumptions())
	}
	for size, want := range map[units.Bytes]string{3 << 30: "no power of two", 1: "rows a bank", 1 << 62: "rows a bank"} {
		_, err := made(size)
		require.ErrorContains(t, err, want)
	}
	require.NoError(t, m.Extend(own))
	require.Empty(t, m.Assumptions())
	require.NoError(t, m.Extend(own+1))
	require.Equal(t, 2*own, m.Home())
	require.Len(t, m.Assumptions(), 1)
	require.ErrorContains(t, m.Extend(1<<60), "rows a bank")
	require.Equal(t, 2*own, m.Home())
}
