package hosts

import "github.com/causeway-sim/causeway/components/system"

// MakeBuilder returns a builder of hosts that run the programs, with the values of
// DefaultSpec.
func MakeBuilder(programs []Program) system.Builder[Spec, *Comp] {
	return system.NewBuilder(DefaultSpec(), func(env *system.Env, name string, s Spec) (*Comp, error) {
		return New(name, env.Engine, s, programs), nil
	})
}
