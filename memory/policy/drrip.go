package policy

import "github.com/causeway-sim/causeway/components/registry"

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "drrip",
		Doc:    "SRRIP or BRRIP, whichever misses less in the sets that lead.",
		Source: "Jaleel et al., High performance cache replacement using re-reference interval prediction (RRIP), ISCA 2010, section 4",
		Spec:   DefaultBimodal(),
		New:    bimodal(func(g Geometry, t throttle) Policy { return &drrip{brrip{newRRIP(g, rripMax), t}, duel{pselStart, g}} }),
	})
}

type drrip struct {
	brrip
	duel duel
}

func (p *drrip) Fill(set, way int, a Access) {
	if p.duel.second(set) {
		p.brrip.Fill(set, way, a)
	} else {
		p.put(set, way, rripMax-1)
	}
}
