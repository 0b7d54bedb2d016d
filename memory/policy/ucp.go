package policy

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/registry"
)

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "ucp",
		Doc:    "LRU in which cores have as many ways as the hits they would bring are worth (utility-based cache partitioning).",
		Source: "Qureshi, Patt, Utility-based cache partitioning, MICRO 2006 (UMON-DSS, lookahead)",
		Spec:   DefaultUCP(),
		New: func(g Geometry, spec any) (Policy, error) {
			s, err := registry.SpecOf(spec, DefaultUCP())
			if err != nil {
				return nil, err
			}
			if s.Cores < 1 || s.Period < 1 {
				return nil, fmt.Errorf("ucp: %d cores, period of %d accesses (want 1 or more)", s.Cores, s.Period)
			}
			return newUCP(g, s), nil
		},
	})
}

// UCP is the spec of ucp, which partitions the ways among cores.
type UCP struct {
	// Cores is the cores that are counted apart. A core with a higher number counts as its number
	// modulo Cores.
	Cores int `yaml:"cores" jsonschema:"minimum=1,maximum=1024" doc:"Cores that are counted separately; further ones are taken modulo this"`
	// Period is the accesses between two partitions of the ways.
	Period uint64 `yaml:"period" jsonschema:"minimum=1" doc:"Accesses to the cache after which the ways are divided anew"`
}

// DefaultUCP has 4 cores.
//
// assumption: the paper partitions every 5 million cycles; a cache has about that many accesses
// in fifty times as long.
func DefaultUCP() UCP { return UCP{Cores: 4, Period: 100_000} }

// ucp is LRU over the lines of one owner.
type ucp struct {
	order   Recency
	ways    int
	cores   int
	period  uint64
	left    uint64   // accesses until the ways are divided
	owner   []uint16 // [set*ways+way]
	count   []uint16 // [set*cores+core] lines of each owner
	share   []int    // ways of each core; nil until first divided
	sampled []int32  // [set] number among the sampled sets, or -1
	monitor []umon
}

// ucpSamples is the number of sets that each core's monitor watches, section 4.2
// of the paper.
const ucpSamples = 32

// A umon is what a core would hit, had it the cache to itself: stacks of lines in
// the sampled sets, and hits by position.
type umon struct {
	ways  int
	stack []uint64 // [sample*ways+position] line plus 1; 0 is empty
	hits  []uint64 // by position
}

func newUCP(g Geometry, s UCP) *ucp {
	p := &ucp{
		order: NewRecency(g), ways: g.Ways, cores: s.Cores, period: s.Period, left: s.Period,
		owner: make([]uint16, g.Sets*g.Ways), count: make([]uint16, g.Sets*s.Cores),
		sampled: make([]int32, g.Sets), monitor: make([]umon, s.Cores),
	}
	n := min(ucpSamples, g.Sets)
	for i := range p.sampled {
		p.sampled[i] = -1
	}
	for i := range n {
		p.sampled[g.SetAt(i*g.Sets/n)] = int32(i)
	}
	for c := range p.monitor {
		p.monitor[c] = umon{g.Ways, make([]uint64, n*g.Ways), make([]uint64, g.Ways)}
	}
	return p
}

func (p *ucp) core(a Access) int { return int(a.Core) % p.cores }

func (p *ucp) Hit(set, way int, a Access) {
	p.order.Touch(set, way)
	p.own(set, way, p.core(a)) // who uses a line pays for it
	p.note(set, a)
}

func (p *ucp) Fill(set, way int, a Access) {
	p.order.PushFirst(set, way)
	c := p.core(a)
	p.owner[set*p.ways+way] = uint16(c)
	p.count[set*p.cores+c]++
	p.note(set, a)
}

func (p *ucp) Evict(set, way int) {
	p.order.Remove(set, way)
	p.count[set*p.cores+int(p.owner[set*p.ways+way])]--
}

func (p *ucp) own(set, way, core int) {
	if o := &p.owner[set*p.ways+way]; int(*o) != core {
		p.count[set*p.cores+int(*o)]--
		p.count[set*p.cores+core]++
		*o = uint16(core)
	}
}

// Victim returns the core's own last line if it has its share, else the last line of a core with
// more than its share.
func (p *ucp) Victim(set int, a Access) int {
	if p.share == nil {
		return p.order.Last(set)
	}
	c, links := p.core(a), p.order.set(set)
	under := int(p.count[set*p.cores+c]) < p.share[c]
	for w := int(links[p.ways].prev); w != p.ways; w = int(links[w].prev) {
		o := int(p.owner[set*p.ways+w])
		if under && int(p.count[set*p.cores+o]) > p.share[o] || !under && o == c {
			return w
		}
	}
	return p.order.Last(set)
}

// note lets the core's monitor see an access, and divides the ways now and then.
func (p *ucp) note(set int, a Access) {
	if s := p.sampled[set]; s >= 0 {
		p.monitor[p.core(a)].see(int(s), a.Line)
	}
	if p.left--; p.left == 0 {
		p.left = p.period
		p.divide()
	}
}

// see moves a line to the front of a stack, and counts where it was.
func (u *umon) see(sample int, line uint64) {
	stack := u.stack[sample*u.ways:][:u.ways]
	at := u.ways - 1
	for i, l := range stack {
		if l == line+1 {
			u.hits[i]++
			at = i
			break
		}
	}
	copy(stack[1:at+1], stack[:at])
	stack[0] = line + 1
}

// divide shares the ways out by lookahead (algorithm 2 of the paper): the next
// ways go to the core that gains most hits per way, by as many ways as that takes.
// Every core has at least one, if there are enough. Old hits count half from then
// on.
func (p *ucp) divide() {
	if p.share == nil {
		p.share = make([]int, p.cores)
	}
	left := p.ways
	for c := range p.share {
		p.share[c] = min(1, left)
		left -= p.share[c]
	}
	for left > 0 {
		best, ways, gain := 0, 0, -1.0
		for c := range p.monitor {
			sum := uint64(0)
			for k := 1; k <= left && p.share[c]+k <= p.ways; k++ {
				sum += p.monitor[c].hits[p.share[c]+k-1]
				if g := float64(sum) / float64(k); g > gain {
					best, ways, gain = c, k, g
				}
			}
		}
		if ways == 0 {
			break // every core has all ways
		}
		if gain == 0 { // no core gains: the core with the fewest ways gets one
			ways = 1
			for c := range p.share {
				if p.share[c] < p.share[best] {
					best = c
				}
			}
		}
		p.share[best] += ways
		left -= ways
	}
	for c := range p.monitor {
		for i := range p.monitor[c].hits {
			p.monitor[c].hits[i] /= 2
		}
	}
}
