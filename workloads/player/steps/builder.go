package steps

import (
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/workloads/service"
)

// MakeBuilder returns a builder of a player of one program, with the values of
// DefaultSpec.
func MakeBuilder(p *service.Program) system.Builder[Spec, *Comp] {
	return system.NewBuilder(DefaultSpec(), func(env *system.Env, name string, s Spec) (*Comp, error) {
		return New(name, env.Engine, s, p, env.Rand(name))
	})
}
