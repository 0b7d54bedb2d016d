package packet

import "github.com/causeway-sim/causeway/components/system"

// MakeBuilder returns a builder with the values of DefaultSpec. Build panics without an engine and
// if New returns an error.
func MakeBuilder() system.Builder[Spec, *Comp] {
	return system.NewBuilder(DefaultSpec(), func(env *system.Env, name string, s Spec) (*Comp, error) {
		return New(name, env.Engine, s, env.Seed)
	})
}
