package tsim4cxl

import (
	"github.com/causeway-sim/causeway/components/system"
)

// levers are what may help a run with such a memory.
func levers(Spec) []system.Lever {
	return []system.Lever{system.Half("port latency", "port"), system.Half("interconnect latency", "interconnect"), system.Half("link time", "link")}
}
