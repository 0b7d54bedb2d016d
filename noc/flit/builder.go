package flit

import (
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
)

// MakeBuilder returns a builder with the values of DefaultSpec.
func MakeBuilder() system.Builder[setting.Spec, *Comp] {
	return system.NewBuilder(setting.DefaultSpec(), func(env *system.Env, name string, s setting.Spec) (*Comp, error) {
		return NewNode(name, env.Engine, s, env.Seed)
	})
}
