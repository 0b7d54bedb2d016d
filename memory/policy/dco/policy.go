package dco

import (
	"math"
	"math/bits"
	"slices"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/memory/policy"
)

func init() {
	policy.All.Add(registry.Entry[policy.Factory]{
		Name:   "dco",
		Doc:    "Evicts dead tensors first, then what is used farthest away by what each stream has shown, and keeps out what is used later than all that is there.",
		Source: "DCO: Dynamic Cache Orchestration for LLM Accelerators through Predictive Management, arXiv 2512.07312: the three mechanisms; the rules are own ones, see the package's doc",
		Spec:   DefaultSpec(),
		New: func(g policy.Geometry, spec any) (policy.Policy, error) {
			s, err := registry.SpecOf(spec, DefaultSpec())
			if err != nil {
				return nil, err
			}
			return newPolicy(g, s), nil
		},
	})
}

// A Spec switches the mechanisms of dco on and off.
type Spec struct {
	DeadBlock  bool `yaml:"dead_block" doc:"Dead tiles, write-once tensors and streams that are not read again are the first victims"`
	AntiThrash bool `yaml:"anti_thrash" doc:"Victims are the lines with the latest use by their stream's past, not those used longest ago"`
	Bypass     bool `yaml:"bypass" doc:"Lines that are used later than all lines of their set are not filled"`
}

// DefaultSpec has all mechanisms on.
func DefaultSpec() Spec { return Spec{DeadBlock: true, AntiThrash: true, Bypass: true} }

// dco ranks lines by what is known of their stream; see the package's doc.
type dco struct {
	spec   Spec
	ways   int
	unit   uint8       // log2 of the accesses to a set per step of age
	now    []uint32    // [set] accesses
	line   []lineState // [set*ways+way]
	tag    []uint64    // [set*ways+way] line plus 1
	tile   []int32     // [set*ways+way] index into tiles or -1; nil without descriptors
	tiles  tiles
	learn  learner
	hand   []uint32 // [set] next way to look at, in sets of many ways
	probe  []int32  // [set] number among the sampled sets, or -1
	ghost  []uint64 // [sampled set*ways+way] line plus 1 of dco beside the cache; nil with many ways
	trust  trust
	guard  guard
	from   origin               // of the access that is missing
	making int32                // index of the line that makes room for the one being missed, noLine
	orders [waysLookedAt]uint64 // of the lines that lowest looks at
}

// lineState is what is known of a resident line, and looked at for each victim.
type lineState struct {
	last  uint32 // accesses to the set, at the last use
	class uint16 // stream and number of uses
}

const (
	sampledSets  = 32  // sampled sets
	sampledLines = 512 // lines in them, if there are as many
	waysLookedAt = 64  // ways looked at per victim
	useClasses   = 4   // classes per stream: used 0, 1, 2, 3 or more times since the fill
)

func newPolicy(g policy.Geometry, s Spec) *dco { return build(g, s, g.Ways > policy.ScanWays) }

// build makes a dco for sets of many ways, or of few.
func build(g policy.Geometry, s Spec, many bool) *dco {
	probes := min(max(sampledSets, sampledLines/g.Ways), g.Sets)
	sets := g.Sets
	if !many {
		sets += probes // those outside the cache
	}
	n := sets * g.Ways
	p := &dco{
		spec: s, ways: g.Ways, unit: uint8(max(bits.Len(uint(g.Ways))-5, 0)),
		now: make([]uint32, sets), line: make([]lineState, n), tag: make([]uint64, n),
		making: noLine, tiles: newTiles(g), hand: make([]uint32, g.Sets), probe: make([]int32, g.Sets),
	}
	if len(g.Tensors) > 0 {
		p.tile = make([]int32, n)
	}
	for i := range p.probe {
		p.probe[i] = -1
	}
	for i := range probes { // one set of each stretch, not always the same of it
		stretch := g.Sets / probes
		p.probe[g.SetAt(i*stretch+i*7%stretch)] = int32(i)
	}
	p.guard = newGuard(g.Sets, g.Ways, many)
	if !many {
		p.ghost = make([]uint64, probes*g.Ways)
		p.trust = newTrust(g.Sets, g.Ways, probes, &p.tiles)
	}
	p.learn = newLearner(probes, float64(g.Ways)/float64(int(1)<<p.unit), s)
	return p
}

// Describe implements Describer.
func (p *dco) Describe(t policy.Tensor) uint16 {
	if len(p.tiles.tensors) == 1<<16-1 {
		return 0
	}
	p.tiles.add(t)
	if p.tile == nil {
		p.tile = make([]int32, len(p.line))
		for i := range p.tile {
			p.tile[i] = noTile
		}
	}
	return uint16(len(p.tiles.tensors))
}

// stream numbers the stream that an access belongs to: by kind and size of its
// tensor, or by PC, and by core where cores may follow each other.
func (p *dco) stream(a *policy.Access) uint16 {
	x := a.PC<<1 ^ uint64(a.Core)<<40
	if a.Tensor != 0 && int(a.Tensor) <= len(p.tiles.tensors) {
		t := &p.tiles.tensors[a.Tensor-1]
		x = a.PC << 1
		x ^= uint64(t.kind)<<56 ^ uint64(t.size)<<48
		if t.shared {
			x ^= uint64(a.Core) << 32
		}
	}
	if a.Write {
		x ^= 1
	}
	x *= 0x9e3779b97f4a7c15 // 2^64 over the golden ratio
	return uint16(x >> (64 - streamBits))
}

// an origin is the source of an access, for the line it fills.
type origin struct {
	class uint16
	tile  int32
}

func (p *dco) origin(a *policy.Access) origin { return origin{p.stream(a) * useClasses, p.tiles.of(a)} }

func (p *dco) Hit(set, way int, a policy.Access) {
	o, i := p.origin(&a), set*p.ways+way
	p.guard.hit(set, i, p.now[set]+1)
	p.use(set, i, a.Line, o.tile, o.class+p.level(i))
	p.end(set, &a, o)
}

func (p *dco) Fill(set, way int, a policy.Access) {
	i := set*p.ways + way
	if p.making == noLine { // there was room
		p.from = p.origin(&a)
		p.guard.miss(set, a.Line)
	}
	p.making = noLine
	p.guard.filled(set, i, p.now[set]+1)
	p.use(set, i, a.Line, p.from.tile, p.from.class)
	p.end(set, &a, p.from)
}

func (p *dco) Evict(set, way int) {
	i := set*p.ways + way
	if p.guard.last[i] != unheld { // else LRU gave it up before
		p.guard.evicted(set, i, p.tag[i], int32(i) != p.making)
	}
}

// level is that of the class of line i after one use more.
func (p *dco) level(i int) uint16 { return min(p.line[i].class%useClasses+1, useClasses-1) }

// use notes an access to line i, or with i < 0 to one that was kept out.
func (p *dco) use(set, i int, line uint64, tile int32, class uint16) {
	p.now[set]++
	if i < 0 {
		return
	}
	l := &p.line[i]
	l.last, l.class = p.now[set], class
	p.tag[i] = line + 1
	if p.tile != nil {
		p.tile[i] = tile
	}
}

// end ends an access to the cache: it updates the LRU sets and the counters.
func (p *dco) end(set int, a *policy.Access, o origin) {
	if s := int(p.probe[set]); s >= 0 {
		p.sample(s, set, a, o)
	}
	p.tiles.count(o.tile)
}

func (p *dco) Victim(set int, a policy.Access) int {
	o := p.origin(&a)
	p.guard.miss(set, a.Line)
	way := p.victim(set, &a, o)
	if !p.mayRisk(set, way, &a, o) {
		if p.guard.wide != nil {
			way = p.loosest(set)
		} else {
			way = p.spare(set)
		}
	}
	if way != policy.Bypass {
		p.from, p.making = o, int32(set*p.ways+way)
		return way
	}
	p.guard.bypassed(set, a.Line, p.now[set]+1)
	p.use(set, -1, a.Line, noTile, 0)
	p.end(set, &a, o)
	return policy.Bypass
}

// mayRisk reports whether the line in way, or the missed one, may be exposed: held by LRU alone.
func (p *dco) mayRisk(set, way int, a *policy.Access, o origin) bool {
	class, tile, dead := o.class, o.tile, false
	if way == policy.Bypass {
		dead = p.tiles.dies(a, tile)
	} else {
		i := set*p.ways + way
		if p.guard.last[i] == unheld {
			return true
		}
		class, tile = p.line[i].class, noTile
		if p.tile != nil {
			tile = p.tile[i]
		}
		dead = p.tiles.dead(tile)
	}
	stream := class / useClasses
	if dead {
		stream = deadStream
	}
	if p.ghost == nil {
		return p.guard.allows(0)
	}
	return p.guard.allows(p.trust.lines(stream, tile != noTile, p.guard.n))
}

// victim chooses by rank among the lines of a set and the missed one.
func (p *dco) victim(set int, a *policy.Access, o origin) (way int) {
	least := orderOf(2) << 32
	if p.ways <= waysLookedAt {
		way, least = p.lowest(set, 0, p.ways, way, least)
	} else {
		from := int(p.hand[set])
		to := min(from+waysLookedAt, p.ways)
		way, least = p.lowest(set, from, to, way, least)
		way, least = p.lowest(set, 0, from+waysLookedAt-to, way, least)
		p.hand[set] = uint32((from + waysLookedAt) % p.ways)
	}
	if p.spec.Bypass && (p.spec.DeadBlock && p.tiles.dies(a, o.tile) || orderOf(p.learn.rank(o.class, 0)) < least>>32) {
		return policy.Bypass
	}
	return way
}

// orderOf is a number in the order of ranks, none of which is below 0, for comparisons without
// branches; 0 is that of a dead line.
func orderOf(rank float32) uint64 { return uint64(math.Float32bits(rank)) + 1 }

// lowest chooses among some ways of a set: the line of the least rank, of these the oldest, and
// of these the first, if it precedes the present choice. The upper half of its order is that of
// its rank, the lower half how young it is.
func (p *dco) lowest(set, from, to, way int, least uint64) (int, uint64) {
	now, base := p.now[set]+1, set*p.ways
	bucket, index, unit := &p.learn.bucket, p.learn.index, p.unit&31
	lines := p.line[base+from : base+to]
	orders, best := p.orders[:len(lines)], least
	if p.tile != nil && p.spec.DeadBlock {
		tiles, left := p.tile[base+from:][:len(lines)], p.tiles.left
		for w := range lines {
			age := now - lines[w].last
			order := orderOf(index[int(lines[w].class)*ageBuckets+int(bucket[min(age>>unit, ageMax)])])
			if k := tiles[w]; k >= 0 && left[k] == 0 {
				order = 0
			}
			orders[w] = order<<32 | uint64(^age)
			best = min(best, orders[w])
		}
	} else {
		for w := range lines {
			age := now - lines[w].last
			order := orderOf(index[int(lines[w].class)*ageBuckets+int(bucket[min(age>>unit, ageMax)])])
			orders[w] = order<<32 | uint64(^age)
			best = min(best, orders[w])
		}
	}
	if best == least {
		return way, least
	}
	return from + slices.Index(orders, best), best
}

// spare chooses by rank among the lines of a set that LRU does not hold, in sets of few ways.
func (p *dco) spare(set int) (way int) {
	now, base := p.now[set]+1, set*p.ways
	ends := p.tile != nil && p.spec.DeadBlock
	least, oldest := float32(2), uint32(0)
	for w, last := range p.guard.last[base:][:p.ways] {
		if last != unheld {
			continue
		}
		l := &p.line[base+w]
		age := now - l.last
		r := p.learn.rank(l.class, age>>p.unit)
		if ends && p.tiles.dead(p.tile[base+w]) {
			r = -1
		}
		if r < least || r == least && age > oldest {
			way, least, oldest = w, r, age
		}
	}
	return way
}

// sizeClass is the number of bits of a tensor's size.
func sizeClass(bytes uint64) uint8 { return uint8(bits.Len64(bytes)) }
