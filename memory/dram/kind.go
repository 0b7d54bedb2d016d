package dram

import (
	"errors"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

func init() {
	system.Register(system.Kind[Spec]{
		Name: "memory", Fidelity: "bank", DefaultFidelity: true,
		Doc:     "Bank-accurate DRAM: DDR3 to DDR5, LPDDR, GDDR and HBM with refresh, row policies, write queue and address maps.",
		Source:  "JEDEC standards, named in each preset; controller after Rixner et al., Memory Access Scheduling, ISCA 2000",
		Subject: system.OfMemories, Headlines: headlines, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			if err := s.Standard.read(env, v.Get("standard")); err != nil {
				return nil, err
			}
			if x := v.Get("cap"); x.Exists() && s.RowPolicy != Capped.String() {
				return nil, x.Errorf(nil, "has no effect with row_policy %s (used by: %s)", s.RowPolicy, Capped)
			}
			for _, key := range []string{"close", "exit"} {
				if x := v.Get("power_down").Get(key); x.Exists() && s.PowerDown.After.IsZero() {
					return nil, x.Errorf(nil, "has no effect without after")
				}
			}
			if x := v.Get("ecc").Get("cache"); x.Exists() && s.ECC.Kind != "inline" {
				return nil, x.Errorf(nil, "has no effect with kind %s (used by: inline)", s.ECC.Kind)
			}
			if x := v.Get("wck"); x.Exists() && s.WCK == standard.AlwaysOn.String() {
				if g, err := s.find(); err == nil {
					if _, err := g.Synced(); err != nil {
						return nil, x.Errorf(nil, "%s", err)
					}
				}
			}
			s.Refresh.Seed = env.Seed
			c, err := NewComp(name, env.Engine, s)
			if err == nil {
				return c, nil
			}
			return nil, locate(err, v)
		},
	})
}

// locate points each fault at its key.
func locate(err error, v configs.Value) error {
	var all configs.Errors
	for _, e := range configs.Each(err) {
		var k *keyError
		if errors.As(e, &k) {
			all.Add(v.Get(k.key).Errorf(nil, "%s", k.err))
		} else {
			all.Add(v.Errorf(nil, "%s", e))
		}
	}
	return all.Err()
}

// MakeBuilder returns a builder with the values of DefaultSpec. Build panics without an engine and
// if NewComp returns an error.
func MakeBuilder() system.Builder[Spec, *Comp] {
	return system.NewBuilder(DefaultSpec(), func(env *system.Env, name string, s Spec) (*Comp, error) {
		s.Refresh.Seed = env.Seed
		return NewComp(name, env.Engine, s)
	})
}
