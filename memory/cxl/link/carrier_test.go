package link_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// Over UCIe a flit takes its bytes at the rate of all lanes, and nothing else: 1 ns for 64 B on 16 lanes of
// 32 GT/s.
func TestFlitTimeOverUCIe(t *testing.T) {
	for _, x := range []struct {
		carrier     link.Carrier
		mode        flit.Mode
		rate, lanes int
		want        float64 // ps
	}{
		{link.UCIeStandard, flit.Flit68, 32, 16, 68. / 64 * 1000},
		{link.UCIeStandard, flit.Flit68, 64, 16, 68. / 128 * 1000},
		{link.UCIeStandard, flit.Flit256, 16, 8, 256. / 16 * 1000},
		{link.UCIeAdvanced, flit.Flit256, 32, 64, 1000},
		{link.UCIeAdvanced, flit.Flit256, 64, 256, 125},
		{link.PCIe, flit.Flit68, 32, 16, 68. / 64 * 1000 * 130 / 128},
	} {
		c := link.DefaultConfig()
		c.Carrier, c.Mode, c.Rate, c.Lanes, c.Limits = x.carrier, x.mode, x.rate, x.lanes, flit.DefaultLimits(x.mode)
		require.NoError(t, c.Check())
		require.InDelta(t, x.want, c.FlitTime(), 1e-9)
	}
}

// No FEC repairs a wrong bit: at a bit error rate of 1e-6 0.2 % of flits of 256 B are wrong, over PCIe none
// in a million.
func TestNoFECOverUCIe(t *testing.T) {
	c := link.DefaultConfig()
	c.Mode, c.BER, c.Rate = flit.Flit256, [2]float64{1e-6, 0}, 64
	require.Less(t, c.Wrong(flit.Down), 1e-6)
	c.Carrier = link.UCIeStandard
	require.InDelta(t, 1-math.Pow(1-1e-6, 2048), c.Wrong(flit.Down), 1e-12)
}

func TestCarrierLimits(t *testing.T) {
	for text, f := range map[string]func(*link.Config){
		"12 GT/s (want one of: 8, 16, 32, 64)":    func(c *link.Config) { c.Rate = 12 },
		"64 lanes (want one of: 1, 2, 4, 8, 16)":  func(c *link.Config) { c.Lanes = 64 },
		"4 lanes (want one of: 8, 16, 32, 64)":    func(c *link.Config) { c.Carrier, c.Lanes = link.UCIeStandard, 4 },
		"16 lanes (want one of: 32, 64, 128, 256": func(c *link.Config) { c.Carrier = link.UCIeAdvanced },
		"has no sync headers":                     func(c *link.Config) { c.Carrier, c.Bypass = link.UCIeStandard, true },
		"carrier 3":                               func(c *link.Config) { c.Carrier = 3 },
	} {
		c := link.DefaultConfig()
		f(&c)
		require.ErrorContains(t, c.Check(), text)
	}
}
