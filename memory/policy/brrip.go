package policy

import "github.com/causeway-sim/causeway/components/registry"

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "brrip",
		Doc:    "Bimodal RRIP: fills at 3, every 32nd line at 2.",
		Source: "Jaleel et al., High performance cache replacement using re-reference interval prediction (RRIP), ISCA 2010, section 4",
		Spec:   DefaultBimodal(),
		New:    bimodal(func(g Geometry, t throttle) Policy { return &brrip{newRRIP(g, rripMax), t} }),
	})
}

type brrip struct {
	rrip
	every throttle
}

func (p *brrip) Fill(set, way int, _ Access) {
	v := uint8(rripMax)
	if p.every.next() {
		v--
	}
	p.put(set, way, v)
}
