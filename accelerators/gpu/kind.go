package gpu

import (
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

const source = "NVIDIA, Matrix multiplication background user's guide; Zhang et al., LLMCompass, ISCA 2024; Dao et al., FlashAttention, NeurIPS 2022"

func init() {
	system.Register(system.Kind[Spec]{
		Name: "gpu", Fidelity: "analytic", DefaultFidelity: true,
		Works:   true,
		Doc:     "A GPU: products as thread-block tiles in rounds over the SMs, other operators by bytes, launches.",
		Source:  source,
		Subject: system.OfWork, Headlines: headlines, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			errs := configs.Errors{}
			errs.Add(s.check(v))
			for _, key := range []string{"burst", "outstanding", "fetch_ahead", "stream_share"} {
				if x := v.Get(key); x.Exists() {
					errs = append(errs, x.Errorf(nil, "has no effect at fidelity analytic (used by: tile)"))
				}
			}
			if err := errs.Err(); err != nil {
				return nil, err
			}
			c := New(name, env.Engine, s)
			var err error
			if c.prof, err = openProfile(env, &s.Profile, v.Get("profile")); err != nil {
				return nil, err
			}
			return c, nil
		},
	})
	system.Register(system.Kind[Spec]{
		Name: "gpu", Fidelity: "tile",
		Works:   true,
		Doc:     "The same GPU, whose kernels send their bytes as bursts to the memory behind its port.",
		Source:  source,
		Subject: system.OfWork, Headlines: headlines[:1], Levers: tileLevers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			errs := configs.Errors{}
			errs.Add(s.check(v))
			for _, key := range []string{"memory", "capacity"} {
				// A preset may be meant for both fidelities; an override is meant for this run.
				if x := v.Get(key); key == "memory" && s.Rereads == lru {
					continue // it says which tiles are chosen
				} else if inSameFile(x, v.Get("fidelity")) || overridden(x) {
					errs = append(errs, x.Errorf(nil, "has no effect at fidelity tile: the memory is at the port (used by: analytic)"))
				}
			}
			if x := v.Get("profile"); x.Exists() {
				errs = append(errs, x.Errorf(nil, "has no effect at fidelity tile (used by: analytic)"))
			}
			if err := errs.Err(); err != nil {
				return nil, err
			}
			return NewTile(name, env.Engine, 0, s), nil
		},
	})
}

// MakeBuilder returns a builder with the values of DefaultSpec.
func MakeBuilder() system.Builder[Spec, *Comp] {
	return system.NewBuilder(DefaultSpec(), func(env *system.Env, name string, s Spec) (*Comp, error) {
		return New(name, env.Engine, s), nil
	})
}
