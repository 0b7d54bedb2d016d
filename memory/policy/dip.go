package policy

import "github.com/causeway-sim/causeway/components/registry"

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "dip",
		Doc:    "LRU or BIP, whichever misses less in the sets that lead.",
		Source: "Qureshi et al., Adaptive insertion policies for high performance caching, ISCA 2007, section 4",
		Spec:   DefaultBimodal(),
		New:    bimodal(func(g Geometry, t throttle) Policy { return &dip{bip{lru{NewRecency(g)}, t}, duel{pselStart, g}} }),
	})
}

type dip struct {
	bip
	duel duel
}

func (p *dip) Fill(set, way int, a Access) {
	if p.duel.second(set) {
		p.bip.Fill(set, way, a)
	} else {
		p.lru.Fill(set, way, a)
	}
}
