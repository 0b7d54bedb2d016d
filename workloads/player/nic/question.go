package nic

import (
	"github.com/causeway-sim/causeway/components/system"
)

// levers are what may help a run with such an interface.
func levers(Spec) []system.Lever {
	return []system.Lever{
		system.Twice("bandwidth", "bandwidth"), system.Half("overhead", "overhead"), system.Twice("memory bandwidth", "memory"), system.Twice("outstanding requests", "outstanding"),
	}
}
