package policy

import "github.com/causeway-sim/causeway/components/registry"

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "shippp",
		Doc:    "SHiP++: fills at 0, 2 or 3 after the reuse of lines of the same PC, which only their first reuse trains; writes fill at 3.",
		Source: "Young et al., SHiP++: enhancing signature-based hit predictor for improved cache performance, Cache Replacement Championship 2017",
		New:    plain(func(g Geometry) Policy { return newSHiPpp(g) }),
	})
}

// shipppSampled is the number of sets that train per core.
const shipppSampled = 64

// shippp trains on the lines of the cache itself, in some sets.
type shippp struct {
	rrip
	reuse   []uint8 // [core*shipPrime+pc%shipPrime]
	sampled []int32
	pc      []uint32 // [set*ways+way] index into reuse
	used    []bool   // [set*ways+way]
	cores   int
}

func newSHiPpp(g Geometry) *shippp {
	p := &shippp{
		rrip: newRRIP(g, rripMax), reuse: make([]uint8, g.Cores*shipPrime), sampled: sampleSets(&g, min(shipppSampled*g.Cores, g.Sets)),
		pc: make([]uint32, g.Sets*g.Ways), used: make([]bool, g.Sets*g.Ways), cores: g.Cores,
	}
	for i := range p.reuse {
		p.reuse[i] = 1 // assumption: a new PC fills at 2 until one line of it has died unused
	}
	return p
}

func (p *shippp) Hit(set, way int, a Access) {
	i := set*p.ways + way
	if !p.used[i] {
		p.used[i] = true
		if c := &p.reuse[p.pc[i]]; p.sampled[set] >= 0 && *c < shipMax {
			*c++
		}
	}
	p.put(set, way, 0)
}

func (p *shippp) Fill(set, way int, a Access) {
	i := set*p.ways + way
	p.pc[i] = uint32(int(a.Core)%p.cores*shipPrime + int(a.PC%shipPrime))
	p.used[i] = false
	v := uint8(rripMax - 1)
	switch c := p.reuse[p.pc[i]]; {
	case a.Write || c == 0:
		v = rripMax
	case c == shipMax:
		v = 0
	}
	p.put(set, way, v)
}

func (p *shippp) Evict(set, way int) {
	i := set*p.ways + way
	if c := &p.reuse[p.pc[i]]; !p.used[i] && p.sampled[set] >= 0 && *c > 0 {
		*c--
	}
}
