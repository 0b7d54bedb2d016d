package policy

import "github.com/causeway-sim/causeway/components/registry"

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "hawkeye",
		Doc:    "Learns per PC whether OPT would have kept its lines, and fills those of others as first victims.",
		Source: "Jain and Lin, Back to the future: leveraging Belady's algorithm for improved cache replacement, ISCA 2016; parameters of the CRC2 version",
		New:    plain(func(g Geometry) Policy { return newHawkeye(g) }),
	})
}

const (
	hawkMax     = 7    // most distant value, 3 bits: cache averse
	hawkSampled = 6    // bits that choose the sampled sets
	hawkEntries = 2800 // of the sampler
	hawkWays    = 8    // of the sampler
	hawkTable   = 1 << 11
	hawkTop     = 31 // 5-bit counters
	hawkKeep    = 16 // friendly from here on
	hawkVector  = 128
	hawkTimer   = 1024
)

// hawkeye replays OPT on sampled sets (OPTgen) and trains a table by PC.
type hawkeye struct {
	rrip
	pc       []uint16 // [set*ways+way] table index of the last PC
	counter  [hawkTable]uint8
	sampled  []int32
	time     []uint32 // [sampled set]
	live     []uint16 // [sampled set*hawkVector+time] lines that OPT keeps over this time
	capacity uint16
	sampler  []hawkEntry // [sampler set*hawkWays+age], youngest first
	filled   []uint8     // [sampler set]
}

type hawkEntry struct {
	tag  uint8
	pc   uint16
	time uint32
}

func newHawkeye(g Geometry) *hawkeye {
	p := &hawkeye{
		rrip: newRRIP(g, hawkMax), pc: make([]uint16, g.Sets*g.Ways), sampled: bitSample(&g, hawkSampled),
		capacity: uint16(max(g.Ways-2, 1)), sampler: make([]hawkEntry, hawkEntries), filled: make([]uint8, hawkEntries/hawkWays),
	}
	n := 0
	for _, s := range p.sampled {
		n = max(n, int(s)+1)
	}
	p.time, p.live = make([]uint32, n), make([]uint16, n*hawkVector)
	for i := range p.v {
		p.v[i] = hawkMax // empty ways do not take part in ageing
	}
	for i := range p.counter {
		p.counter[i] = hawkKeep
	}
	return p
}

func (p *hawkeye) Victim(set int, _ Access) int {
	row := p.v[set*p.ways:][:p.ways]
	way, top := 0, uint8(0)
	for w, v := range row {
		if v == hawkMax {
			return w
		}
		if v >= top {
			way, top = w, v
		}
	}
	if p.sampled[set] >= 0 { // a friendly line goes unused: its PC was wrong
		if c := &p.counter[p.pc[set*p.ways+way]]; *c > 0 {
			*c--
		}
	}
	return way
}

func (p *hawkeye) Hit(set, way int, a Access)  { p.use(set, way, a, true) }
func (p *hawkeye) Fill(set, way int, a Access) { p.use(set, way, a, false) }

func (p *hawkeye) Evict(set, way int) { p.put(set, way, hawkMax) }

func (p *hawkeye) use(set, way int, a Access, hit bool) {
	pc := uint16(crc32(a.PC) % hawkTable)
	if s := p.sampled[set]; s >= 0 {
		p.train(int(s), pc, a.Line)
	}
	p.pc[set*p.ways+way] = pc
	if p.counter[pc] < hawkKeep {
		p.put(set, way, hawkMax)
		return
	}
	if !hit {
		p.put(set, way, 0)
		ageFriendly(p.v[set*p.ways:][:p.ways])
	}
	p.put(set, way, 0)
}

// ageFriendly ages the friendly lines unless one has reached the highest age
// already.
func ageFriendly(row []uint8) {
	for _, v := range row {
		if v == hawkMax-1 {
			return
		}
	}
	for w, v := range row {
		if v < hawkMax-1 {
			row[w]++
		}
	}
}

// train looks up a line of a sampled set in the sampler, and runs OPTgen on the time since its
// last use.
func (p *hawkeye) train(s int, pc uint16, line uint64) {
	now := p.time[s]
	set := int(line % hawkEntries / hawkWays) // deviation 2
	tag := uint8(crc32(line >> 6))
	row := p.sampler[set*hawkWays:][:hawkWays]
	n := int(p.filled[set])
	at := 0
	for at < n && row[at].tag != tag {
		at++
	}
	live := p.live[s*hawkVector:][:hawkVector]
	if at < n {
		e := row[at]
		if c := &p.counter[e.pc]; p.keeps(live, now, e.time) {
			*c = min(*c+1, hawkTop)
		} else if *c > 0 {
			*c--
		}
	} else if n < hawkWays {
		p.filled[set]++
	} else {
		at = hawkWays - 1
	}
	live[now%hawkVector] = 0
	copy(row[1:at+1], row[:at])
	row[0] = hawkEntry{tag, pc, now}
	p.time[s] = (now + 1) % hawkTimer
}

// keeps reports whether OPT would have kept a line from last to now, and if so
// takes the room.
func (p *hawkeye) keeps(live []uint16, now, last uint32) bool {
	ago := now - last
	if now < last {
		ago += hawkTimer
	}
	if ago > hawkVector {
		return false
	}
	end := now % hawkVector
	for i := last % hawkVector; i != end; i = (i + 1) % hawkVector {
		if live[i] >= p.capacity {
			return false
		}
	}
	for i := last % hawkVector; i != end; i = (i + 1) % hawkVector {
		live[i]++
	}
	return true
}
