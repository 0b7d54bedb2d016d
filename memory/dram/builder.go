package dram

import "github.com/causeway-sim/causeway/components/system"

// MakeBuilder returns a builder with the values of DefaultSpec. Build panics without an engine and
// if NewComp returns an error.
func MakeBuilder() system.Builder[Spec, *Comp] {
	return system.NewBuilder(DefaultSpec(), func(env *system.Env, name string, s Spec) (*Comp, error) {
		s.Refresh.seed = env.Seed
		return NewComp(name, env.Engine, s)
	})
}
