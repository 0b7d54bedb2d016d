package gpu

import (
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

const source = "NVIDIA, Matrix multiplication background user's guide; Zhang et al., LLMCompass, ISCA 2024; Dao et al., FlashAttention, NeurIPS 2022"

func init() {
	system.Register(system.Kind[Spec]{
		Name: "gpu", Fidelity: "analytic", DefaultFidelity: true,
		Doc:     "A GPU: products as thread-block tiles in rounds over the SMs, other operators by bytes, launches.",
		Source:  source,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			if err := s.check(v); err != nil {
				return nil, err
			}
			return New(name, env.Engine, s), nil
		},
	})
}

// MakeBuilder returns a builder with the values of DefaultSpec.
func MakeBuilder() system.Builder[Spec, *Comp] {
	return system.NewBuilder(DefaultSpec(), func(env *system.Env, name string, s Spec) (*Comp, error) {
		return New(name, env.Engine, s), nil
	})
}
