package cxl

import (
	"slices"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/cxl/coherence"
	"github.com/causeway-sim/causeway/memory/cxl/coherent"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
)

// cohere makes the machines of coherent devices and of the hosts that reach them.
func (a *assembly) cohere() error {
	var errs configs.Errors
	a.coherent.Space = a.space
	some := false
	for _, d := range a.devices {
		if d.spec.HDM != "db" && d.at.Get("filter").Exists() {
			errs.Add(d.at.Get("filter").Errorf(nil, "filter has no effect with hdm: %s, which has no snoop filter", d.spec.HDM))
		}
		switch {
		case d.spec.HDM != "h":
			some = true
			errs.Add(a.cohereDevice(d))
		case d.dev != nil:
			a.addDevice(d, coherent.DeviceSpec{})
		}
	}
	for _, d := range a.devices {
		if d.dev != nil && d.dev.host {
			errs.Add(a.cacheHost(d))
		}
	}
	for _, r := range a.roots {
		switch {
		case some:
			errs.Add(a.cohereHost(r))
		case r.spec.Cache.Size > 0:
			errs.Add(r.at.Get("cache").Errorf(nil, "cache has no effect: no device of the fabric is coherent (hdm: d or db)"))
		}
	}
	return errs.Err()
}

// cohereDevice makes the engine of a coherent device.
func (a *assembly) cohereDevice(d *Type3) error {
	if err := a.checkHosts(d); err != nil {
		return err
	}
	if !d.spec.Early {
		return d.at.Get("early").Errorf(nil, "early: false has no effect on a coherent device, which answers writes when it has put them in order")
	}
	if len(d.spec.LDs) > 0 {
		return d.at.Get("lds").Errorf(nil, "a coherent device has no logical devices")
	}
	s := coherent.DeviceSpec{Coherent: true, Model: coherence.HDMD, Filter: coherence.NewFilter(0, 0), Sets: 1}
	if d.spec.HDM == "db" {
		s.Model = coherence.HDMDB
		x := d.spec.Filter
		if x.Entries%x.Ways != 0 {
			return d.at.Get("filter").Errorf(nil, "%d entries are no multiple of %d ways", x.Entries, x.Ways)
		}
		s.Filter = coherence.NewFilter(x.Entries/x.Ways, x.Ways)
	}
	if d.dev != nil {
		var err error
		if s.Sets, s.Ways, err = d.type2.Cache.Geometry(); err != nil {
			return d.at.Get("cache").Errorf(nil, "%s", err)
		}
	}
	a.addDevice(d, s)
	d.dcoh.Stats(d.stats)
	return nil
}

// checkHosts checks the requirements of a coherent device on its hosts.
func (a *assembly) checkHosts(d *Type3) error {
	hosts := 0
	for _, r := range a.roots {
		p := a.pairs[int(r.index)*len(a.lds)+int(d.first)]
		if !p.Reachable() {
			continue
		}
		hosts++
		for _, leg := range a.Book.List(a.Book.List(nil, p.Down), p.Up) {
			if a.Hops[leg.Link()].Config().Mode == flit.Flit68 && d.spec.HDM == "db" {
				return d.at.Get("hdm").Errorf(nil, "the way from %s to %s has flits of 68 B, which carry no back-invalidation (want flit: 256B, latency or pbr)", r.Name(), d.Name())
			}
		}
	}
	if d.spec.HDM == "d" && hosts != 1 {
		return d.at.Get("hdm").Errorf(nil, "%d hosts reach %s; bias (hdm: d) is between a device and one host", hosts, d.Name())
	}
	if len(a.roots) > 64 {
		return d.at.Get("hdm").Errorf(nil, "%d hosts; a snoop filter tells 64 apart", len(a.roots))
	}
	return nil
}

// addDevice adds the coherence engine of a device to the system.
func (a *assembly) addDevice(d *Type3, s coherent.DeviceSpec) {
	s.LD, s.Protocol, s.Pool, s.Pin = d.first, d.protocol, &d.pool, d.count.pin
	if d.dev != nil {
		s.Done = d.dev.done
	}
	d.dcoh = a.coherent.AddDevice(d.index, s)
	if d.dev != nil {
		d.dev.dcoh = d.dcoh
	}
}

// cohereHost makes the cache of a root for lines of coherent devices.
func (a *assembly) cohereHost(r *Root) error {
	sets, ways, err := setting.DeviceCacheSpec{Size: r.spec.Cache.Size, Ways: r.spec.Cache.Ways}.Geometry()
	if err != nil {
		return r.at.Get("cache").Errorf(nil, "%s", err)
	}
	r.cache = a.coherent.AddHost(r.index, coherent.HostSpec{Sets: sets, Ways: ways, Port: r.times.bridge + r.times.protocol, Snoop: setting.Ps(r.spec.Cache.Snoop), NewLine: r.newLine})
	r.cache.Stats(r.stats)
	return nil
}

// cacheHost makes the cache of a device for the memory of the only host that reaches it.
func (a *assembly) cacheHost(d *Type3) error {
	var root *Root
	for _, r := range a.roots {
		if !a.pairs[int(r.index)*len(a.lds)+int(d.first)].Reachable() {
			continue
		}
		if root != nil {
			return d.at.Get("reach").Errorf(nil, "%s and %s reach %s; a device caches the memory of one host", root.Name(), r.Name(), d.Name())
		}
		root = r
	}
	if !slices.ContainsFunc(a.Tiers, func(t system.FusedTier) bool {
		return slices.ContainsFunc(t.Homes, func(n system.Node) bool { y, ok := n.(*Type3); return !ok || y.fabric != a.fabric })
	}) {
		return d.at.Get("reach").Errorf(nil, "reach: host has no effect: there is no memory but that of the fabric")
	}
	if root == nil {
		return d.at.Get("reach").Errorf(nil, "no host reaches %s", d.Name())
	}
	if d.index > 63 || root.index > 63 {
		return d.at.Get("reach").Errorf(nil, "there are more than 64 home agents or coherent devices (want at most 64)")
	}
	s := d.type2.HostCache
	sets, ways, err := setting.DeviceCacheSpec{Size: s.Size, Ways: s.Ways}.Geometry()
	if err != nil {
		return d.at.Get("host_cache").Errorf(nil, "%s", err)
	}
	root.home = a.coherent.AddHomeAgent(root.index, root.times.bridge+root.times.protocol, root.times.local, root.stats)
	d.dev.reaches = root.reaches
	d.dev.agent = a.coherent.AddAgent(d.index, root.home, coherent.AgentSpec{
		Sets: sets, Ways: ways, LD: d.first, Protocol: d.protocol, Snoop: setting.Ps(s.Snoop), Pull: setting.Ps(s.Pull), Done: d.dev.done,
	}, d.stats)
	return nil
}
