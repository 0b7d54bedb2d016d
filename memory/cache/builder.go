package cache

import "github.com/causeway-sim/causeway/components/system"

// MakeBuilder returns a builder of caches that take time, with the values of
// DefaultTimedSpec.
func MakeBuilder() system.Builder[TimedSpec, *Timed] {
	return system.NewBuilder(DefaultTimedSpec(), func(env *system.Env, name string, s TimedSpec) (*Timed, error) {
		s.Seed = env.Seed
		return NewTimed(name, env.Engine, s)
	})
}

// MakeFunctionalBuilder returns a builder of caches without time, with the values of
// DefaultSpec.
func MakeFunctionalBuilder() system.Builder[Spec, *Functional] {
	return system.NewBuilder(DefaultSpec(), func(env *system.Env, name string, s Spec) (*Functional, error) {
		s.Seed = env.Seed
		return NewFunctional(name, env.Engine, s)
	})
}
