package dco

// trust is how much more than it has earned dco may risk. In sampled sets LRU is
// simulated next to the cache. By stream of lines it is counted how often LRU
// made a hit before it gave the line up, and how often a line came back after
// that. Only lines of streams of which the first hardly ever happens are risked on
// trust, and only after the second has happened about as often as the sampled sets
// have lines, or where a descriptor has foretold it; and only while all goes on as
// before.
type trust struct {
	lru     []rivalLine // [sampled set*ways+k] the line used last in front
	ways    int
	scale   int64    // sets per sampled set
	most    int64    // lines of the cache
	need    int64    // lines that must have come back
	full    uint16   // lines of a stream after which what was seen is halved
	steps   int64    // accesses to the sampled sets
	deep    int64    // of them hits of LRU on lines of the older half of its set
	back    int64    // of them uses of lines that LRU had given up
	streams []record // [stream], and that of what descriptors call dead
	tiles   *tiles   // that tell the dead
}

// record counts what happened to the lines of a stream.
type record struct {
	kept  uint16  // reused while LRU would still have held them
	lost  uint16  // evicted by LRU before their reuse
	back  uint16  // reused after LRU would have evicted them
	walk  uint16  // of those, the lines reused after a whole pass over their tensor
	odd   uint16  // lines whose descriptor promised such a pass and that came at another time
	doubt uint16  // rises with unexpected accesses, falls with expected ones
	age   float32 // mean steps until reuse
}

// raiseDoubt records an access that the stream's history did not predict.
func (r *record) raiseDoubt() { r.doubt = min(r.doubt+trustDoubt, 2*trustDoubt) }

// lowerDoubt records an access that it did.
func (r *record) lowerDoubt() { r.doubt -= min(r.doubt, 1) }

// returned notes a line that came back after that many steps.
func (r *record) returned(c returnRecord) {
	r.back++
	switch {
	case c.walk:
		r.walk++
	case c.told:
		r.odd++
	}
	age := float32(c.age)
	if r.age == 0 {
		r.age = age
	}
	if d := age - r.age; max(d, -d)*8 > r.age {
		r.raiseDoubt()
	} else {
		r.lowerDoubt()
	}
	r.age += (age - r.age) / 64
}

// rivalLine is a line of a sampled set under LRU.
type rivalLine struct {
	tag    uint64 // line plus 1
	stream uint16 // of its last use
	tile   int32  // of a tensor, or noTile
}

// A comeback is what is known of a line in a sampled set that was used before.
type returnRecord struct {
	stream uint16 // of its last use
	age    uint32 // steps since
	walked uint16 // of its tensor since
	seen   bool
	told   bool // its tensor is described
	walk   bool // all of that has been used since
}

func newTrust(sets, ways, probes int, ts *tiles) trust {
	n := probes * ways
	return trust{
		lru: make([]rivalLine, n), ways: ways, scale: int64(sets / probes), most: int64(sets) * int64(ways),
		need: int64(max(sampledLines, n)) * trustBack / 16, full: uint16(max(1024, 4*n)),
		streams: make([]record, deadStream+1), tiles: ts,
	}
}

// step notes an access in sampled set s: of which stream and tile the line is now,
// and what is known of it.
func (t *trust) step(s int, line uint64, stream uint16, tile int32, c returnRecord) {
	t.steps++
	if t.use(t.lru[s*t.ways:][:t.ways], rivalLine{line + 1, stream, tile}) {
		return
	}
	if !c.seen {
		t.streams[stream].raiseDoubt()
		return
	}
	t.back++
	r := &t.streams[c.stream]
	r.returned(c)
	t.halve(r)
}

// use is an access to a set under LRU; it reports whether that hits.
func (t *trust) use(lines []rivalLine, l rivalLine) bool {
	at, hit := len(lines)-1, false
	for i := range lines {
		if lines[i].tag == l.tag {
			at, hit = i, true
			break
		}
	}
	if hit && 2*at >= len(lines)-1 {
		t.deep++
	}
	if old := &lines[at]; old.tag != 0 {
		r := &t.streams[old.stream]
		if t.tiles.dead(old.tile) {
			r = &t.streams[deadStream]
		}
		if hit {
			r.kept++
			r.raiseDoubt()
			r.raiseDoubt()
		} else {
			r.lost++
			if r == &t.streams[deadStream] {
				r.lowerDoubt()
			}
		}
		t.halve(r)
	}
	copy(lines[1:at+1], lines[:at])
	lines[0] = l
	return hit
}

// halve lets a record forget.
func (t *trust) halve(r *record) {
	if r.kept+r.lost < t.full && r.back < t.full {
		return
	}
	for _, n := range []*uint16{&r.kept, &r.lost, &r.back, &r.walk, &r.odd} {
		*n /= 2
	}
}

const (
	trustSeen  = 32   // lines of a stream that LRU must have given up
	trustRare  = 128  // and for each that was used again
	trustBack  = 14   // 16ths of the sampled lines that must have come back
	trustPart  = 88   // 1024ths of the accesses that may then be risked
	trustCap   = 7    // 16ths of the cache that may be
	trustDeep  = 1024 // accesses per hit of LRU on an old line from which on it is feared
	trustWalk  = 8    // lines that must have come back as their descriptor says
	trustDoubt = 8    // things as expected for each that was not
	trustOdd   = 16   // and for each that has not
	trustTold  = 384  // 1024ths of the accesses that may then be risked
	trustAbuse = 16   // lines less that may be risked for each that was lost
)

// deadStream is the stream of all lines that are dead by their description.
const deadStream = 1 << streamBits

// lines is how many more lines may be at risk for one of a stream, whose tensor is
// described or not, after n accesses to the cache.
func (t *trust) lines(stream uint16, told bool, n int64) int64 {
	r := &t.streams[stream]
	lost, kept := uint32(r.lost), uint32(r.kept)
	switch {
	case lost < trustSeen || lost < trustRare*kept || r.doubt > trustDoubt:
		return 0
	case stream == deadStream || told && r.walk >= trustWalk && uint32(r.walk) >= trustOdd*uint32(r.odd):
		return min(n*trustTold/1024, t.most)
	case t.back < t.need || 4*uint32(r.back) < lost || t.deep*trustDeep > t.steps:
		return 0
	}
	return min(n*trustPart/1024, t.most*trustCap/16)
}
