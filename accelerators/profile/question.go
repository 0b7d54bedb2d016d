package profile

import (
	"github.com/causeway-sim/causeway/components/system"
)

// levers are what may help a run: a table of times knows nothing but its clock.
func levers(Spec) []system.Lever { return []system.Lever{system.Twice("clock", "clock")} }
