package setting

import (
	"github.com/causeway-sim/causeway/components/system"
)

// Levers are what may help a run with such a network. What a router's model gives is
// where they start from.
func Levers(s Spec) []system.Lever {
	vcs, depth, speedup := system.Twice("virtual channels", "router.vcs"), system.Twice("buffers", "router.depth"), system.Twice("speed-up of the switch", "router.speedup")
	if t, a, err := s.Plan(); err == nil {
		if c, err := s.Config(t, a, 0); err == nil {
			vcs, depth, speedup = vcs.Starting(c.VCs), depth.Starting(c.Depth), speedup.Starting(c.Speedup)
		}
	}
	return append([]system.Lever{vcs, depth, speedup}, s.Spec.Levers()...)
}
