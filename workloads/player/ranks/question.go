package ranks

import (
	"github.com/causeway-sim/causeway/components/system"
)

func goal(Spec) string { return system.TotalTime }

// levers are what may help a parallel program.
func levers(Spec) []system.Lever {
	return []system.Lever{
		system.Half("interface overhead", "nic.overhead"), system.Twice("interface", "nic.bandwidth"), system.Twice("memory bandwidth", "memory"),
		system.Half("computation", "scale"), system.Twice("compute", "compute"), system.Twice("eager limit", "nic.eager"),
	}
}
