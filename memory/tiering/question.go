package tiering

import (
	"github.com/causeway-sim/causeway/components/system"
)

// levers are what may help a run with tiers.
func levers(Spec) []system.Lever {
	return []system.Lever{
		system.Twice("migration bandwidth", "migration.bandwidth"), system.Twice("translations", "tlb.entries"), system.Half("interval", "interval"),
		system.Twice("outstanding requests", "outstanding"), system.Half("fault", "fault"),
	}
}
