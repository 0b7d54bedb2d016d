package systolic

import "github.com/causeway-sim/causeway/components/system"

// MakeBuilder returns a builder of a core of fidelity tile with the values of DefaultSpec. The ports
// of the core are called Mem and Sync. Build panics without an engine and for values that no core
// can have.
func MakeBuilder() system.Builder[Spec, *Tile] {
	return system.NewBuilder(DefaultSpec(), func(env *system.Env, name string, s Spec) (*Tile, error) {
		if err := s.Check(); err != nil {
			return nil, err
		}
		return New(name, env.Engine, s), nil
	})
}
