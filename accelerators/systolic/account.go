package systolic

import (
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
)

// Settle implements work.Settler.
func (k *core) Settle(until units.Time) {
	work.Settle(&k.free, &k.idle, k.clock.Cycles(uint64(until), uint64(units.Second)))
	work.Settle(&k.free, &k.awaited, k.clock.Cycles(uint64(until), uint64(units.Second)))
}
