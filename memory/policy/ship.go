package policy

import "github.com/causeway-sim/causeway/components/registry"

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "ship",
		Doc:    "SRRIP that fills at 3 where lines of the same PC were not used again in sampled sets.",
		Source: "Wu et al., SHiP: signature-based hit predictor, MICRO 2011; parameters of ChampSim's ship.cc",
		New:    plain(func(g Geometry) Policy { return newSHiP(g) }),
	})
}

const (
	shipPrime   = 16381 // entries of the table in use
	shipMax     = 7     // 3 bits
	shipSampled = 256   // sets per core
)

// ship trains a table of dead counters on a sampler: LRU of as many ways, for some sets.
type ship struct {
	rrip
	dead    []uint8 // [core*shipPrime+pc%shipPrime]
	sampled []int32 // [set] number in the sampler or -1
	tag     []uint64
	pc      []uint16 // table index of the PC that brought the line
	used    []bool
	order   Recency
	filled  []int // [sampled set] valid ways
	cores   int
}

func newSHiP(g Geometry) *ship {
	n := min(shipSampled*g.Cores, g.Sets)
	return &ship{
		rrip: newRRIP(g, rripMax), dead: make([]uint8, g.Cores*shipPrime), sampled: sampleSets(&g, n),
		tag: make([]uint64, n*g.Ways), pc: make([]uint16, n*g.Ways), used: make([]bool, n*g.Ways),
		order: NewRecency(Geometry{Sets: n, Ways: g.Ways}), filled: make([]int, n), cores: g.Cores,
	}
}

func (p *ship) Hit(set, way int, a Access) {
	p.train(set, a)
	p.put(set, way, 0)
}

func (p *ship) Fill(set, way int, a Access) {
	p.train(set, a)
	v := uint8(rripMax - 1)
	if p.dead[p.row(a)+int(a.PC%shipPrime)] == shipMax {
		v = rripMax
	}
	p.put(set, way, v)
}

// row is where the counters of the core of a start.
func (p *ship) row(a Access) int { return int(a.Core) % p.cores * shipPrime }

// train looks a line up in the sampler.
func (p *ship) train(set int, a Access) {
	s := int(p.sampled[set])
	if s < 0 {
		return
	}
	base, row := s*p.ways, p.row(a)
	w := 0
	for n := p.filled[s]; w < n; w++ {
		if p.tag[base+w] == a.Line {
			if c := &p.dead[row+int(p.pc[base+w])]; *c > 0 {
				*c--
			}
			p.used[base+w] = true
			p.order.Touch(s, w)
			return
		}
	}
	if w < p.ways {
		p.filled[s]++
	} else {
		w = p.order.Last(s)
		if c := &p.dead[row+int(p.pc[base+w])]; !p.used[base+w] && *c < shipMax {
			*c++
		}
		p.order.Remove(s, w)
	}
	p.tag[base+w], p.pc[base+w], p.used[base+w] = a.Line, uint16(a.PC%shipPrime), false
	p.order.PushFirst(s, w)
}
