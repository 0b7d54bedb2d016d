package packet

import (
	"github.com/causeway-sim/causeway/components/system"
)

func levers(s Spec) []system.Lever {
	return append(s.Spec.Spec.Levers(), system.Half("router latency", "router.latency"), system.Twice("buffers", "buffer"))
}
