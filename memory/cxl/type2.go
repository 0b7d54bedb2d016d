package cxl

import (
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// NewType2 makes a device with memory and a port for an accelerator.
func NewType2(name string, env *system.Env, s Type2Spec, v configs.Value) (*Type3, error) {
	if err := inTime(s.Latency, s.HostCache.Snoop, s.HostCache.Pull); err != nil {
		return nil, err
	}
	if s.HDM == "h" && v.Get("cache").Exists() && s.Cache.Size > 0 {
		return nil, v.Get("cache").Errorf(nil, "cache has no effect with hdm: h: nobody would keep it coherent")
	}
	if s.Reach != "host" && v.Get("host_cache").Exists() {
		return nil, v.Get("host_cache").Errorf(nil, "host_cache has no effect with reach: %s", s.Reach)
	}
	d, err := NewType3(name, env, s.type3(), v)
	if err != nil {
		return nil, err
	}
	d.accelerate(s)
	return d, nil
}

// accelerate gives a device its port dev.
func (d *Type3) accelerate(s Type2Spec) {
	d.dev = &accelerator{host: s.Reach == "host", latency: ps(s.Latency)}
	d.dev.port = engine.NewPort(d, d.Name()+".Dev", portBuffer)
	d.AddPort("Dev", d.dev.port)
	d.dev.newStats(d.stats)
	d.type2 = &s
}
