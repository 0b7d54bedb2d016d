package policy

import (
	"math/bits"

	"github.com/causeway-sim/causeway/components/registry"
)

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "mockingjay",
		Doc:    "Predicts per PC when a line is used next and evicts the one farthest away, or keeps it out.",
		Source: "Shah, Jain and Lin, Effective mimicry of Belady's MIN policy, HPCA 2022; parameters of its published code",
		New:    plain(func(g Geometry) Policy { return newMockingjay(g) }),
	})
}

const (
	mjHistory = 8 // reuse distances are told apart up to this many times the ways
	mjGrain   = 8 // accesses to a set per step of its clock
	mjWays    = 5 // of a set of the sampler
	mjSplit   = 16
	mjStep    = 16 // a new sample moves a prediction from this difference on, by 1
	mjUnknown = -1 // PC without a prediction
	mjMargin  = 22 // predictions this close to the longest distance count as never
	mjSmall   = 10 // log2 of the size that a PC signature's bits go below the cache's
	mjPerSet  = 16 // log2 of the cache bytes per sampled set
	mjTagBits = 31 // and a sampler tag's bits lie below this
)

type mockingjay struct {
	ways, cores   int
	far, never    int     // INF_RD, MAX_RD
	farStep       int8    // INF_ETR
	eta           []int8  // [set*ways+way] steps until the next use; negative is overdue
	clock         []uint8 // [set]
	distance      []int16 // [signature]
	sampled       []int32
	time          []uint8 // [sampled set]
	sampler       []mjEntry
	setBits       int
	tagMask, sigs uint64
}

type mjEntry struct {
	valid bool
	time  uint8
	sig   uint32
	tag   uint64
}

func newMockingjay(g Geometry) *mockingjay {
	setBits := bits.Len(uint(g.Sets)) - 1
	size := setBits + bits.Len(uint(g.Ways)) - 1 + bits.Len(uint(g.Line)) - 1
	p := &mockingjay{
		ways: g.Ways, cores: g.Cores, setBits: setBits,
		far: g.Ways*mjHistory - 1, never: g.Ways*mjHistory - 1 - mjMargin,
		farStep: int8(min(max(g.Ways*mjHistory/mjGrain-1, 1), 127)),
		eta:     make([]int8, g.Sets*g.Ways), clock: make([]uint8, g.Sets),
		distance: make([]int16, 1<<max(size-mjSmall, 4)),
		sampled:  bitSample(&g, setBits-max(size-mjPerSet, 0)),
		tagMask:  1<<max(mjTagBits-size, 4) - 1,
	}
	p.sigs = uint64(len(p.distance) - 1)
	for i := range p.distance {
		p.distance[i] = mjUnknown
	}
	for i := range p.clock {
		p.clock[i] = mjGrain
	}
	n := 0
	for _, s := range p.sampled {
		n = max(n, int(s)+1)
	}
	p.time, p.sampler = make([]uint8, n), make([]mjEntry, n*mjSplit*mjWays)
	return p
}

// signature separates PCs: on one core by hit and miss, on several by core.
func (p *mockingjay) signature(a Access, hit bool) uint32 {
	x := a.PC << 1
	if p.cores == 1 {
		if hit {
			x |= 1
		}
		x <<= 1 // the bit for prefetches
	} else {
		x = x<<2 | uint64(a.Core)
	}
	return uint32(crc(x, 3) & p.sigs)
}

func (p *mockingjay) Victim(set int, a Access) int {
	way, most := 0, 0
	for w, e := range p.eta[set*p.ways:][:p.ways] {
		if abs := max(int(e), -int(e)); abs > most || abs == most && e < 0 {
			way, most = w, abs
		}
	}
	if d := int(p.distance[p.signature(a, false)]); d > p.never && d >= 0 || d/mjGrain > most {
		p.use(set, Bypass, a, false)
		return Bypass
	}
	return way
}

func (p *mockingjay) Hit(set, way int, a Access)  { p.use(set, way, a, true) }
func (p *mockingjay) Fill(set, way int, a Access) { p.use(set, way, a, false) }
func (p *mockingjay) Evict(int, int)              {}

func (p *mockingjay) use(set, way int, a Access, hit bool) {
	sig := p.signature(a, hit)
	if s := p.sampled[set]; s >= 0 {
		p.train(int(s), sig, a.Line)
	}
	row := p.eta[set*p.ways:][:p.ways]
	if p.clock[set] == mjGrain {
		p.clock[set] = 0
		for w, e := range row {
			if w != way && max(e, -e) < p.farStep {
				row[w]--
			}
		}
	}
	p.clock[set]++
	if way == Bypass {
		return
	}
	switch d := int(p.distance[sig]); {
	case d == mjUnknown && p.cores == 1:
		row[way] = 0
	case d == mjUnknown || d > p.never:
		row[way] = p.farStep
	default:
		row[way] = int8(min(d/mjGrain, int(p.farStep)))
	}
}

// train looks a line of a sampled set up in the sampler.
func (p *mockingjay) train(s int, sig uint32, line uint64) {
	now := p.time[s]
	part := int(line>>p.setBits) % mjSplit
	tag := line >> (p.setBits + 4) & p.tagMask
	row := p.sampler[(s*mjSplit+part)*mjWays:][:mjWays]
	for w := range row {
		if e := &row[w]; e.valid && e.tag == tag {
			if ago := int(now - e.time); ago <= p.far {
				p.learn(e.sig, ago)
				e.valid = false
			}
			break
		}
	}
	at, oldest := 0, -1
	for w := range row {
		e := &row[w]
		ago := int(now - e.time)
		switch {
		case !e.valid:
			at, oldest = w, p.far+1
		case ago > p.far:
			at, oldest = w, p.far+1
			p.detrain(e)
		case ago > oldest:
			at, oldest = w, ago
		}
	}
	p.detrain(&row[at])
	for w := range row {
		if !row[w].valid {
			row[w] = mjEntry{true, now, sig, tag}
			break
		}
	}
	p.time[s] = now + 1 // of 8 bits, wraps
}

// learn moves a prediction towards a reuse distance.
func (p *mockingjay) learn(sig uint32, seen int) {
	d := &p.distance[sig]
	switch diff := seen - int(*d); {
	case *d == mjUnknown:
		*d = int16(seen)
	case diff >= mjStep:
		*d++
	case diff <= -mjStep:
		*d--
	}
}

// detrain drops an entry that was not used again.
func (p *mockingjay) detrain(e *mjEntry) {
	if !e.valid {
		return
	}
	e.valid = false
	if d := &p.distance[e.sig]; *d == mjUnknown {
		*d = int16(p.far)
	} else {
		*d = int16(min(int(*d)+1, p.far))
	}
}
