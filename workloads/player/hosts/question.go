package hosts

import (
	"github.com/causeway-sim/causeway/components/system"
)

func goal(Spec) string { return system.TotalTime }

// levers are what may help hosts.
func levers(Spec) []system.Lever {
	return []system.Lever{system.Twice("outstanding packets", "outstanding"), system.Half("overhead", "overhead"), system.Twice("packet", "packet")}
}
