package cxl

import (
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
)

func init() {
	system.Register(system.Kind[setting.RootSpec]{
		Name:    "cxl_root",
		Doc:     "CXL root complex of a host: root ports with flits, credits and retry, address decoders, local memory beside.",
		Source:  "Compute Express Link 3.1",
		Subject: system.OfLinks, Headlines: rootHeadlines, Levers: rootLevers,
		Default: setting.DefaultRoot(),
		New: func(env *system.Env, name string, s setting.RootSpec, v configs.Value) (system.Node, error) {
			if err := s.Link.Check(v.Get("link")); err != nil {
				return nil, err
			}
			n, err := NewRoot(name, env, s, v)
			return made(n, err, v)
		},
	})
	system.Register(system.Kind[setting.SwitchSpec]{
		Name:    "cxl_switch",
		Doc:     "CXL 2.0 switch with virtual hierarchies: any number of hosts and devices.",
		Source:  "Compute Express Link 3.1, chapter 7",
		Subject: system.OfNetworks, Levers: switchLevers,
		Default: setting.DefaultSwitch(),
		New: func(env *system.Env, name string, s setting.SwitchSpec, v configs.Value) (system.Node, error) {
			if err := s.Link.Check(v.Get("link")); err != nil {
				return nil, err
			}
			n, err := NewSwitch(name, env, s, v)
			return made(n, err, v)
		},
	})
	system.Register(system.Kind[setting.FabricSpec]{
		Name:    "cxl_fabric",
		Doc:     "CXL switches of any topology with port-based routing: hosts and devices at their terminals.",
		Source:  "Compute Express Link 3.1, section 7.7",
		Subject: system.OfNetworks, Levers: fabricLevers,
		Default: setting.DefaultFabric(),
		New: func(env *system.Env, name string, s setting.FabricSpec, v configs.Value) (system.Node, error) {
			if err := s.Link.Check(v.Get("link")); err != nil {
				return nil, err
			}
			if err := s.Channel.LinkSpec.Check(v.Get("channel")); err != nil {
				return nil, err
			}
			n, err := NewPBR(name, env, s, v)
			return made(n, err, v)
		},
	})
	system.Register(system.Kind[setting.Type3Spec]{
		Name:    "cxl_type3",
		Doc:     "CXL memory device over a memory of any fidelity.",
		Source:  "Compute Express Link 3.1, section 2.4",
		Subject: system.OfMemories, Headlines: deviceHeadlines, Levers: type3Levers,
		Default: setting.DefaultType3(),
		New: func(env *system.Env, name string, s setting.Type3Spec, v configs.Value) (system.Node, error) {
			n, err := NewType3(name, env, s, v)
			return made(n, err, v)
		},
	})
	system.Register(system.Kind[setting.Type2Spec]{
		Name:    "cxl_type2",
		Doc:     "CXL device with memory, a coherent cache of its own and a port for an accelerator.",
		Source:  "Compute Express Link 3.1, section 2.2",
		Subject: system.OfMemories, Headlines: deviceHeadlines, Levers: type2Levers,
		Default: setting.DefaultType2(),
		New: func(env *system.Env, name string, s setting.Type2Spec, v configs.Value) (system.Node, error) {
			n, err := NewType2(name, env, s, v)
			return made(n, err, v)
		},
	})
}

// made is a node, or why there is none; errors without a place are of the whole node v.
func made[N system.Node](n N, err error, v configs.Value) (system.Node, error) {
	switch {
	case err == nil:
		return n, nil
	case configs.PosOf(err) == (configs.Pos{}):
		return nil, v.Errorf(nil, "%s", err)
	}
	return nil, err
}
