package policy

import "github.com/causeway-sim/causeway/components/registry"

func init() {
	const source = "Qureshi et al., Adaptive insertion policies for high performance caching, ISCA 2007, section 3"
	All.Add(registry.Entry[Factory]{
		Name:   "lip",
		Doc:    "LRU that fills at the end: a line must be used again to move up.",
		Source: source,
		New:    plain(func(g Geometry) Policy { return &lip{lru{NewRecency(g)}} }),
	})
	All.Add(registry.Entry[Factory]{
		Name:   "bip",
		Doc:    "LIP that fills every 32nd line in front.",
		Source: source,
		Spec:   DefaultBimodal(),
		New:    bimodal(func(g Geometry, t throttle) Policy { return &bip{lru{NewRecency(g)}, t} }),
	})
}

type lip struct{ lru }

func (p *lip) Fill(set, way int, _ Access) { p.order.pushLast(set, way) }

type bip struct {
	lru
	every throttle
}

func (p *bip) Fill(set, way int, _ Access) {
	if p.every.next() {
		p.order.PushFirst(set, way)
	} else {
		p.order.pushLast(set, way)
	}
}
