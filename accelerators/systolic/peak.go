package systolic

import (
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
)

// bandwidth is what the memories behind the port move at most, by their nominal
// figures: all of them together, and no more than the core's own link. It is 0 where
// one of them is unlimited.
func (r *routes) bandwidth() (sum units.Bandwidth) {
	link := units.Bandwidth(0)
	for _, t := range r.targets {
		if t.path.Bandwidth == 0 {
			return 0
		}
		sum += t.path.Bandwidth
		link = t.path.Link
	}
	if link > 0 {
		sum = min(sum, link)
	}
	return sum
}

// peakStats declares the roofs of the core, which follow from its configuration.
func (k *core) peakStats(g *stats.Group) {
	g.Value("peak_macs", stats.One, "Multiply-accumulates per cycle that the array does at most.", func() (float64, bool) {
		return float64(k.spec.Rows) * float64(k.spec.Cols), true
	})
	bandwidth := func() (float64, bool) { // bytes per second
		if k.routes == nil {
			return 0, false
		}
		b := k.routes.bandwidth()
		return float64(b) / 8, b > 0
	}
	g.Value("peak_bandwidth", stats.GBps, "Nominal bandwidth of the memories behind the links; absent where it is unlimited.", func() (float64, bool) {
		b, ok := bandwidth()
		return b / 1e9, ok
	})
	g.Value("peak_bytes", stats.Byte, "Bytes per cycle at the nominal bandwidth of the memories behind the links.", func() (float64, bool) {
		b, ok := bandwidth()
		return b * k.clock.Nanoseconds(1) / 1e9, ok
	})
}
