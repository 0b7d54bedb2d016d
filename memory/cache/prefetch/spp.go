package prefetch

import "fmt"

// SPPSpec is the keys of spp.
type SPPSpec struct {
	Pages     int `yaml:"pages" jsonschema:"minimum=1,maximum=65536" doc:"Pages whose signature is remembered"`
	Patterns  int `yaml:"patterns" jsonschema:"minimum=1,maximum=4096" doc:"Signatures, by hash, whose next 4 deltas are counted"`
	Filter    int `yaml:"filter" jsonschema:"minimum=2,maximum=1048576" doc:"Entries of the filter of lines that were brought, a power of two"`
	Crossings int `yaml:"crossings" jsonschema:"minimum=1,maximum=1024" doc:"Lookaheads that left their page and are taken up by a page that is new"`
	Threshold int `yaml:"prefetch_threshold" jsonschema:"minimum=1,maximum=100" doc:"Confidence in percent from which on a line is brought"`
	Sure      int `yaml:"fill_threshold" jsonschema:"minimum=1,maximum=100" doc:"Confidence in percent from which on a line counts for the accuracy, and is not brought twice"`
}

func (s SPPSpec) check() error {
	for _, err := range []error{
		within("pages", s.Pages, 1, 1<<16), within("patterns", s.Patterns, 1, 1<<12), powerOfTwo("filter", s.Filter, 2, 1<<20),
		within("crossings", s.Crossings, 1, 1024), within("prefetch_threshold", s.Threshold, 1, 100), within("fill_threshold", s.Sure, s.Threshold, 100),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func init() {
	add("spp", "Follows the deltas that came after the same deltas in other pages, as far as the product of their chances allows.",
		"Kim et al., Path confidence based lookahead prefetching, MICRO 2016; parameters of ChampSim's spp_dev",
		SPPSpec{Pages: 256, Patterns: 512, Filter: 1024, Crossings: 8, Threshold: 25, Sure: 90},
		func(g Geometry, s SPPSpec) (Rule, error) {
			if pageShift(g.Line) == 0 {
				return nil, fmt.Errorf("spp looks for lines within a page of 4KiB (want lines of at most 2KiB)")
			}
			return newSPP(g, s), nil
		})
}

const (
	sppShift  = 3  // bits by which a delta moves a signature
	sppBits   = 12 // of a signature
	sppSign   = 64 // of a delta in a signature, 7 bits of sign and magnitude
	sppTag    = 16 // bits of a page's number
	sppDeltas = 4  // of a signature
	sppCount  = 15 // most of a counter
	sppTotal  = 1023
)

// spp is the tables of section III of the paper.
type spp struct {
	spec     SPPSpec
	perm     uint // log2 of the lines of a page
	pages    []sppPage
	clock    uint64
	patterns []sppPattern
	filter   sppFilter
	crossed  []sppCrossing
	issued   int // lines that were called for with certainty, ...
	useful   int // ... and those of them that were accessed
	queue    []sppCandidate
}

// sppPage is the last access to a page, and the deltas before it.
type sppPage struct {
	tag, last int
	signature int
	used      uint64 // 0: free
}

// sppPattern is what followed a signature.
type sppPattern struct {
	delta [sppDeltas]int
	count [sppDeltas]int
	total int
}

// sppCrossing is a lookahead that left its page.
type sppCrossing struct {
	signature, confidence, offset, delta int
	valid                                bool
}

// sppCandidate is a line of a lookahead, seen from the place that the lookahead has come to.
type sppCandidate struct{ delta, confidence int }

func newSPP(g Geometry, s SPPSpec) *spp {
	return &spp{
		spec: s, perm: pageShift(g.Line), pages: make([]sppPage, s.Pages), patterns: make([]sppPattern, s.Patterns),
		filter: newSPPFilter(s.Filter), crossed: make([]sppCrossing, s.Crossings),
	}
}

// Most bounds the steps of a lookahead: a chance of at most 14 in 15 falls below 1 % in 67 of them.
func (p *spp) Most() int { return 67 * (sppDeltas + 1) }

func (p *spp) Access(a *Access, out []uint64) []uint64 {
	if a.Write {
		return out
	}
	accuracy := 0
	if p.issued > 0 {
		accuracy = 100 * p.useful / p.issued
	}
	before, now, delta := p.visit(a.Line)
	if p.filter.demand(a.Line) {
		p.useful++
	}
	if before != 0 {
		p.pattern(before).learn(delta)
	}
	return p.lookAhead(a.Line, now, accuracy, out)
}

// Evict implements Evicter.
func (p *spp) Evict(line uint64) {
	if p.filter.evict(line) && p.useful > 0 {
		p.useful--
	}
}

// pattern returns what followed a signature.
func (p *spp) pattern(signature int) *sppPattern {
	return &p.patterns[sppHash(uint64(signature))%uint64(len(p.patterns))]
}

// visit notes an access to its page, and returns the signature before it, 0 if there was no delta, the one
// after it, and the delta.
func (p *spp) visit(line uint64) (before, now, delta int) {
	tag, offset := int(line>>p.perm)&(1<<sppTag-1), int(line&(1<<p.perm-1))
	p.clock++
	x := &p.pages[0]
	for i := range p.pages {
		y := &p.pages[i]
		if y.used > 0 && y.tag == tag {
			y.used = p.clock
			if delta = offset - y.last; delta == 0 {
				return 0, 0, 0
			}
			before = y.signature
			y.signature, y.last = sppNext(before, delta), offset
			return before, y.signature, delta
		}
		if y.used < x.used {
			x = y
		}
	}
	*x = sppPage{tag: tag, last: offset, used: p.clock}
	best := 0
	for i := range p.crossed {
		if c := &p.crossed[i]; c.offset == offset && c.confidence > best {
			best, x.signature = c.confidence, sppNext(c.signature, c.delta)
		}
	}
	return 0, x.signature, 0
}

// sppNext returns the signature after a delta.
func sppNext(signature, delta int) int {
	if delta < 0 {
		delta = sppSign - delta
	}
	return (signature<<sppShift ^ delta) & (1<<sppBits - 1)
}

// learn counts a delta that followed.
func (x *sppPattern) learn(delta int) {
	at, least := -1, sppCount
	for i, d := range x.delta {
		if d == delta {
			at = i
			break
		}
	}
	if at >= 0 {
		x.count[at]++
	} else {
		for i, n := range x.count {
			if n < least {
				at, least = i, n
			}
		}
		x.delta[at], x.count[at] = delta, 0
	}
	if x.total++; x.total > sppCount {
		for i := range x.count {
			x.count[i] >>= 1
		}
		x.total >>= 1
	}
}
