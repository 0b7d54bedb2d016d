package spatial

import (
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// MakeBuilder returns a builder with the values of DefaultSpec. Files of the Spec are relative to
// the working directory, and the program must import configs/yaml. Build panics without an engine
// and for an impossible Spec.
func MakeBuilder() system.Builder[Spec, *Comp] {
	return system.NewBuilder(DefaultSpec(), func(env *system.Env, name string, s Spec) (*Comp, error) {
		return build(env, name, s, configs.Value{})
	})
}
