package policy

import "github.com/causeway-sim/causeway/components/registry"

func init() {
	const source = "Jaleel et al., High performance cache replacement using re-reference interval prediction (RRIP), ISCA 2010, section 4"
	All.Add(registry.Entry[Factory]{
		Name:   "srrip",
		Doc:    "Static RRIP of 2 bits: fills at 2, a hit sets 0, evicts the lowest way at 3.",
		Source: source,
		New:    plain(func(g Geometry) Policy { return &srrip{newRRIP(g, rripMax)} }),
	})
	All.Add(registry.Entry[Factory]{
		Name:   "srrip_fp",
		Doc:    "Static RRIP with frequency priority: a hit counts down by one.",
		Source: source,
		New:    plain(func(g Geometry) Policy { return &srripFP{srrip{newRRIP(g, rripMax)}} }),
	})
}

type srrip struct{ rrip }

func (p *srrip) Fill(set, way int, _ Access) { p.put(set, way, rripMax-1) }

type srripFP struct{ srrip }

func (p *srripFP) Hit(set, way int, _ Access) {
	if v := &p.v[set*p.ways+way]; *v > 0 {
		*v--
	}
}
