package cxl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/cxl/setting"
)

// A CXL link over UCIe takes the energy per bit of its package and rate.
func TestEnergyOverUCIe(t *testing.T) {
	for _, x := range []struct {
		carrier     string
		rate, lanes int
		want        float64
	}{{"ucie_standard", 16, 16, 0.5}, {"ucie_standard", 32, 16, 0.6}, {"ucie_advanced", 8, 64, 0.25}, {"ucie_advanced", 64, 64, 0.3}, {"pcie", 32, 16, 6.5}} {
		s := setting.DefaultLink()
		s.Carrier, s.Rate, s.Lanes = x.carrier, x.rate, x.lanes
		pj, ok, err := s.PerBit()
		require.NoError(t, err)
		require.True(t, ok)
		require.InDelta(t, x.want, pj, 1e-9)
		_, err = s.Config(2000, 1)
		require.NoError(t, err)
	}
}

func TestCarrierOfConfigurations(t *testing.T) {
	s := setting.DefaultLink()
	s.Carrier = "ucie"
	_, err := s.Config(2000, 1)
	require.ErrorContains(t, err, `unknown carrier "ucie" (want one of: pcie, ucie_standard, ucie_advanced)`)
	s.Carrier, s.Bypass = "ucie_standard", true
	_, err = s.Config(2000, 1)
	require.ErrorContains(t, err, "sync_header_bypass has no effect over UCIe")
}
