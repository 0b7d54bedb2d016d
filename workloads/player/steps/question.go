package steps

import (
	"github.com/causeway-sim/causeway/components/system"
)

func goal(Spec) string { return system.TotalTime }

// levers are what may help a service.
func levers(Spec) []system.Lever {
	return []system.Lever{
		system.Twice("outstanding requests", "outstanding"), system.Twice("steps ahead", "ahead"), system.Twice("compute", "compute"), system.Twice("burst", "burst"),
	}
}
