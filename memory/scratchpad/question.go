package scratchpad

import (
	"github.com/causeway-sim/causeway/components/system"
)

// levers are what may help a run with a scratchpad.
func levers(Spec) []system.Lever {
	return []system.Lever{
		system.Twice("capacity", "capacity"), system.Twice("banks and ports", "banks", "ports"), system.Half("latency", "latency"), system.Twice("width", "width"),
	}
}
