package arbiter

import (
	"github.com/causeway-sim/causeway/components/system"
)

// levers are what may help a run with an arbiter.
func levers(Spec) []system.Lever { return []system.Lever{system.Twice("queue", "queue")} }
