package dco

import (
	"github.com/causeway-sim/causeway/memory/policy"
)

// sample simulates, next to the cache, the policies that dco learns from.
func (p *dco) sample(s, set int, a *policy.Access, o origin) {
	class := o.class
	if p.ghost != nil {
		class = p.sampleAccess(s, a, o)
	}
	t, at := p.tiles.tensor(a), uint16(0)
	if t != nil {
		at = t.walk()
	}
	c := p.learn.observe(s, a.Line, p.now[set]>>p.unit, class, at)
	if p.ghost == nil {
		return
	}
	c.told = o.tile != noTile
	c.walk = c.told && t.through(uint64(c.walked)*uint64(p.trust.scale)*p.tiles.line)
	p.trust.step(s, a.Line, class/useClasses, o.tile, c)
}

// sampleAccess simulates an access in the sampled set s, next to the cache, by dco
// without limits, and returns the class of the line there.
func (p *dco) sampleAccess(s int, a *policy.Access, o origin) uint16 {
	set := len(p.probe) + s
	lines := p.ghost[s*p.ways:][:p.ways]
	way, class := policy.Bypass, o.class
	for w, l := range lines {
		if l == a.Line+1 {
			way = w
			class += p.level(set*p.ways + w)
			break
		}
		if l == 0 {
			way = w
			break
		}
	}
	if way == policy.Bypass {
		way = p.victim(set, a, o)
	}
	if way == policy.Bypass {
		p.use(set, -1, a.Line, noTile, class)
	} else {
		lines[way] = a.Line + 1
		p.use(set, set*p.ways+way, a.Line, o.tile, class)
	}
	return class
}
