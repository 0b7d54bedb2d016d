package nearmem

import (
	"github.com/causeway-sim/causeway/accelerators/nearmem/offload"
	"github.com/causeway-sim/causeway/components/system"
)

// MakeBuilder returns a builder of a Comp for a program, with the values of DefaultSpec. Call Start
// before the engine's Run. Build panics without an engine and on an error of New.
func MakeBuilder(p offload.Program) system.Builder[Spec, *Comp] {
	return system.NewBuilder(DefaultSpec(), func(env *system.Env, name string, s Spec) (*Comp, error) {
		return New(name, env.Engine, s, p)
	})
}
