package prefetch

// BertiSpec is the keys of berti.
type BertiSpec struct {
	Degree  int `yaml:"degree" jsonschema:"minimum=1,maximum=64" doc:"Lines that a read calls for at most"`
	Sets    int `yaml:"history_sets" jsonschema:"minimum=1,maximum=1024" doc:"Sets of the history of reads, by stream, a power of two"`
	Ways    int `yaml:"history_ways" jsonschema:"minimum=2,maximum=1024" doc:"Reads that a set remembers"`
	Streams int `yaml:"table" jsonschema:"minimum=1,maximum=4096" doc:"Streams whose deltas are counted; the oldest goes"`
	Deltas  int `yaml:"deltas" jsonschema:"minimum=1,maximum=64" doc:"Deltas of a stream"`
	Flights int `yaml:"latencies" jsonschema:"minimum=1,maximum=65535" doc:"Lines under way whose time is measured"`
	High    int `yaml:"high" jsonschema:"minimum=1,maximum=100" doc:"Percent of a stream's reads above which a delta is used first"`
	Medium  int `yaml:"medium" jsonschema:"minimum=1,maximum=100" doc:"Percent above which it is used after those"`
	Low     int `yaml:"low" jsonschema:"minimum=1,maximum=100" doc:"Percent above which it is used last, and may be replaced"`
}

func (s BertiSpec) degree() int { return s.Degree }

func (s BertiSpec) check() error {
	for _, err := range []error{
		within("degree", s.Degree, 1, 64), powerOfTwo("history_sets", s.Sets, 1, 1024), within("history_ways", s.Ways, 2, 1024),
		within("table", s.Streams, 1, 4096), within("deltas", s.Deltas, 1, 64), within("latencies", s.Flights, 1, 65535),
		within("high", s.High, 1, 100), within("medium", s.Medium, 1, s.High), within("low", s.Low, 1, s.Medium),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func init() {
	add("berti", "Brings the lines at the deltas that, for reads of the same stream, would have been early enough.",
		"Navarro-Torres et al., Berti: an accurate local-delta data prefetcher, MICRO 2022; parameters of the artifact's vberti",
		BertiSpec{Degree: 12, Sets: 8, Ways: 16, Streams: 16, Deltas: 16, Flights: 32, High: 65, Medium: 50, Low: 35},
		func(g Geometry, s BertiSpec) (Rule, error) { return newBerti(g, s), nil })
}

const (
	bertiStream = 1<<10 - 1 // a stream, ...
	bertiTime   = 1<<16 - 1 // ... a time, ...
	bertiTook   = 1<<12 - 1 // ... a latency, ...
	bertiLine   = 1<<24 - 1 // ... and a line in the tables
	bertiReach  = 1 << 12   // deltas are smaller
	bertiEarly  = 8         // reads of a stream that are searched for those early enough
)

// berti measures how long lines take, and which earlier reads of a stream were that long before.
type berti struct {
	spec    BertiSpec
	history bertiHistory
	deltas  bertiTable
	flights []bertiFlight
	slots   []bertiSlot
	early   []uint64
}

// A bertiFlight is a line under way.
type bertiFlight struct {
	line, stream, begun uint64
	busy                bool
}

// A bertiSlot is a line in the cache.
type bertiSlot struct {
	line, took uint64
	prefetched bool // and not accessed yet
}

func newBerti(g Geometry, s BertiSpec) *berti {
	return &berti{spec: s, history: newBertiHistory(s), deltas: newBertiTable(s), flights: make([]bertiFlight, s.Flights), slots: make([]bertiSlot, g.Slots)}
}

func (p *berti) Most() int { return p.spec.Degree }

func (p *berti) Access(a *Access, out []uint64) []uint64 {
	if a.Write {
		return out
	}
	stream := (a.Stream>>1 ^ a.Stream>>4) & bertiStream
	switch {
	case !a.Hit || a.Pending:
		p.begin(a.Line, stream, a.Cycle)
		p.history.add(stream, a.Line, a.Cycle&bertiTime)
	case p.slots[a.Slot].line == a.Line && p.slots[a.Slot].prefetched:
		x := &p.slots[a.Slot]
		x.prefetched = false
		p.learn(stream, a.Line, x.took, a.Cycle&bertiTime)
		p.history.add(stream, a.Line, a.Cycle&bertiTime)
	}
	for i, d := range p.deltas.choose(stream) {
		if i == p.spec.Degree || d.class == bertiNo {
			break
		}
		out = append(out, a.Line+uint64(int64(d.delta)))
	}
	return out
}

// Issue implements Timer.
func (p *berti) Issue(line, stream, cycle uint64) { p.begin(line, stream, cycle) }

// begin notes when a line, or the access that waits for it, began. What finds no entry is not measured.
func (p *berti) begin(line, stream, cycle uint64) {
	var free *bertiFlight
	for i := range p.flights {
		f := &p.flights[i]
		if f.busy && f.line == line {
			free = f
			break
		}
		if !f.busy {
			free = f
		}
	}
	if free != nil {
		*free = bertiFlight{line, stream, cycle & bertiTime, true}
	}
}

// Fill implements Timer.
func (p *berti) Fill(line uint64, slot int, cycle uint64, prefetched bool) {
	took, begun, stream := uint64(0), uint64(0), uint64(0)
	for i := range p.flights {
		if f := &p.flights[i]; f.busy && f.line == line {
			f.busy = false
			stream, begun = f.stream, f.begun
			if took = cycle&bertiTime - begun; took > bertiTook { // or the clock has begun anew
				took = 0
			}
			break
		}
	}
	if slot >= 0 {
		p.slots[slot] = bertiSlot{line, took, prefetched}
	}
	if took != 0 && !prefetched {
		p.learn(stream, line, took, begun)
	}
}

// learn counts the deltas from reads that would have been early enough to bring a line by a time.
func (p *berti) learn(stream, line, took, by uint64) {
	if by < took {
		return
	}
	p.early = p.history.early(stream, line&bertiLine, by-took, p.early[:0])
	for i, from := range p.early {
		if i == 0 {
			p.deltas.read(stream)
		}
		if i == bertiEarly {
			break
		}
		if d := int64(line&bertiLine) - int64(from); d > -bertiReach && d < bertiReach {
			p.deltas.count(stream, int(d))
		}
	}
}

// bertiHistory is the last reads of streams, in sets of which the oldest goes.
type bertiHistory struct {
	ways int
	list []bertiRead // [set*ways+way]
	next []int       // [set] the way to be written next
}

type bertiRead struct{ stream, line, time uint64 }

func newBertiHistory(s BertiSpec) bertiHistory {
	return bertiHistory{ways: s.Ways, list: make([]bertiRead, s.Sets*s.Ways), next: make([]int, s.Sets)}
}

func (h *bertiHistory) set(stream uint64) int { return int(stream) & (len(h.next) - 1) }

func (h *bertiHistory) add(stream, line, time uint64) {
	set := h.set(stream)
	h.list[set*h.ways+h.next[set]] = bertiRead{stream, line & bertiLine, time}
	h.next[set] = (h.next[set] + 1) % h.ways
}

// early appends the lines of the reads of a stream up to a time: the oldest of the set, then from the last
// one back, up to a line that is the one asked about or is known.
func (h *bertiHistory) early(stream, line, time uint64, out []uint64) []uint64 {
	set := h.set(stream)
	w := h.next[set]
	for range h.ways {
		x := &h.list[set*h.ways+w]
		if x.stream == stream && x.time <= time {
			if x.line == line {
				return out
			}
			for _, known := range out {
				if known == x.line {
					return out
				}
			}
			out = append(out, x.line)
		}
		w = (w + h.ways - 1) % h.ways
	}
	return out
}
