package cpu

import "github.com/causeway-sim/causeway/components/system"

// MakeBuilder returns a builder of cores that run a program, with the values of
// DefaultSpec.
func MakeBuilder() system.Builder[Spec, *Comp] {
	return system.NewBuilder(DefaultSpec(), func(env *system.Env, name string, s Spec) (*Comp, error) {
		s.Seed = env.Seed
		return New(name, env.Engine, s)
	})
}
