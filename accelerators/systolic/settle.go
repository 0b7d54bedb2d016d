package systolic

import "github.com/causeway-sim/causeway/components/units"

// Settle implements work.Settler: a core that is said to be busy for longer was idle for
// less.
func (k *core) Settle(until units.Time) {
	if at := k.clock.Cycles(uint64(until), uint64(units.Second)); k.free > at {
		n := min(k.free-at, k.idle)
		k.free, k.idle = k.free-n, k.idle-n
	}
}
