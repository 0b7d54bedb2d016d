package systolic

import (
	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/components/stats"
)

// onChipStats declares what is known of a core that keeps results.
func (k *core) onChipStats(g *stats.Group) {
	on := func() bool { o, _ := k.spec.OnChip.keeps(); return o != mapping.KeepNone }
	g.Value("on_chip_bytes", stats.Byte, "Bytes that were not read or written because the results that they are stayed on the chip; key on_chip.", func() (float64, bool) {
		return float64(k.sum.kept), on()
	})
	g.Value("on_chip_peak", stats.Byte, "Most bytes of results that stay on the chip at a time.", func() (float64, bool) {
		peak := int64(0)
		for _, s := range k.known {
			if r := s.Program.Residents; r != nil {
				peak = max(peak, r.Peak)
			}
		}
		return float64(peak), on()
	})
	g.Value("spill_bytes", stats.Byte, "Bytes read and written of results that could have stayed on the chip, had there been room.", func() (float64, bool) {
		return float64(k.sum.spilled), on()
	})
}
