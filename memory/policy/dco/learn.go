package dco

import "math/bits"

// learner watches a few sets and learns, per class of lines, after how many
// steps a line is used again.
type learner struct {
	spec    Spec
	streams []streamState // by stream
	ev      []float32     // [class*ageBuckets+bucket] lines used again at this age
	gone    []float32     // [class*ageBuckets+bucket] lines lost from sight at this age
	live    []float32     // [class*ageBuckets+bucket] lines in sight at the last sweep
	index   []float32     // [class*ageBuckets+bucket] the rank
	bucket  [ageMax + 1]uint8
	start   [ageBuckets + 1]float64 // age at which a bucket begins
	sights  int                     // per set that teaches, a power of two
	shift   uint8                   // of a hash to a sight
	seen    []sight                 // [probe*sights+slot] last uses in the sets that teach
	clock   []uint32                // [probe] steps
	prior   float64                 // chance per step that a line of an unknown class is used
	count   int                     // observations since the last update
	rounds  int
	known   []uint16 // streams in order of appearance
	scratch [3][ageBuckets + 1]float64
}

// Ages are exact up to ageExact steps, then there are 16 per octave.
const (
	ageExact     = 32
	ageMax       = 512
	ageBuckets   = ageExact + 16*4 + 1 // the last is for older lines
	maxSights    = 32768               // at most, and 1024 per set
	streamBits   = 8
	updateEvery  = 256  // observations between updates of the ranks
	sweepEvery   = 4    // updates between sweeps over the sights
	halveAt      = 2048 // observations of a class after which they are halved
	deadAbove    = 64   // observations per use above which a stream is dead
	priorWeight  = 8    // observations that the constant chance counts for
	streamWeight = 4    // of the stream's chances in those of its classes
)

// streamState counts what was seen of one stream.
type streamState struct {
	events uint32
	used   bool
}

// sight is the last use of a line in a set that teaches.
type sight struct {
	line  uint64 // plus 1; 0 is empty
	step  uint32
	class uint16
	at    uint16 // place in the walk over its tensor
}

func newLearner(probes int, ways float64, s Spec) learner {
	const classes = useClasses << streamBits
	sights := min(1024, 1<<(bits.Len(uint(maxSights/probes))-1))
	l := learner{
		spec: s, sights: sights, shift: uint8(65 - bits.Len(uint(sights))), streams: make([]streamState, 1<<streamBits),
		ev: make([]float32, classes*ageBuckets), gone: make([]float32, classes*ageBuckets),
		live: make([]float32, classes*ageBuckets), index: make([]float32, classes*ageBuckets),
		seen: make([]sight, probes*sights), clock: make([]uint32, probes),
		prior: 1 / (8 * ways), known: make([]uint16, 0, 1<<streamBits),
	}
	b, next := 0, 1
	for age := range l.bucket {
		if age == next {
			b++
			next += max(1<<max(len64(uint64(age))-5, 0), 1)
		}
		l.bucket[age] = uint8(b)
		if age == 0 || l.bucket[age-1] != uint8(b) {
			l.start[b] = float64(age)
		}
	}
	l.start[ageBuckets] = 2 * ageMax
	for i := range l.index {
		l.index[i] = l.unknown(i % ageBuckets)
	}
	return l
}

// unknown is the rank of lines of which nothing is known: that of a constant
// chance, tilted so that the older go first.
func (l *learner) unknown(bucket int) float32 { return float32(l.prior * tilt(bucket)) }

// tilt lets the older of two equal lines go.
func tilt(bucket int) float64 { return 1 - 1e-5*float64(bucket) }

// rank of a line of a class at an age in steps.
func (l *learner) rank(class uint16, age uint32) float32 {
	return l.index[int(class)*ageBuckets+int(l.bucket[min(age, ageMax)])]
}

// observe records a use of a line in a sampled set, at a place in the walk over its tensor, and
// returns the earlier record of the line.
func (l *learner) observe(probe int, line uint64, step uint32, class, at uint16) (c returnRecord) {
	l.clock[probe] = step
	slot := probe*l.sights + int(line*0x9e3779b97f4a7c15>>l.shift)
	e := &l.seen[slot]
	stream := class / useClasses
	if s := &l.streams[stream]; !s.used {
		s.used = true
		l.known = append(l.known, stream)
	}
	if e.line == line+1 {
		c = returnRecord{stream: e.class / useClasses, age: step - e.step, walked: at - e.at, seen: true}
		at := int(e.class)*ageBuckets + int(l.bucket[min(step-e.step, ageMax)])
		l.ev[at]++
		s := &l.streams[e.class/useClasses]
		s.events++
		if n := s.events; n >= 4 && n&(n-1) == 0 { // soon at first
			l.update(e.class / useClasses)
		}
	} else if e.line != 0 {
		l.gone[int(e.class)*ageBuckets+int(l.bucket[min(step-e.step, ageMax)])]++
	}
	*e = sight{line + 1, step, class, at}
	if l.count++; l.count >= updateEvery {
		l.count = 0
		if l.rounds%sweepEvery == 0 {
			l.sweep()
		}
		l.rounds++
		for _, s := range l.known {
			l.update(s)
		}
	}
	return c
}

// sweep counts the lines that wait for their next use by age, and drops those
// that have waited too long.
func (l *learner) sweep() {
	for _, s := range l.known {
		clear(l.live[int(s)*useClasses*ageBuckets:][:useClasses*ageBuckets])
	}
	for i := range l.seen {
		e := &l.seen[i]
		if e.line == 0 {
			continue
		}
		age := l.clock[i>>(64-l.shift)] - e.step
		at := int(e.class)*ageBuckets + int(l.bucket[min(age, ageMax)])
		if age >= ageMax {
			l.gone[at]++
			e.line = 0
		} else {
			l.live[at]++
		}
	}
}
