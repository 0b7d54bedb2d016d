package prefetch

// bertiTable counts the deltas of the streams seen last.
type bertiTable struct {
	spec    BertiSpec
	streams []bertiStreamEntry
	oldest  int // the entry that goes next
	chosen  []bertiDelta
}

// A bertiStreamEntry is what is known of a stream.
type bertiStreamEntry struct {
	stream uint64
	known  bool
	reads  int // since the classes were set
	deltas []bertiDelta
}

// A bertiDelta is a delta of a stream; 0: none.
type bertiDelta struct {
	delta, count int
	class        bertiClass
	percent      float32 // of the reads
}

// A bertiClass says how often a delta was early enough.
type bertiClass uint8

const (
	bertiNo bertiClass = iota
	bertiHigh
	bertiMedium
	bertiLow
)

const (
	bertiRound = 16 // reads after which classes are set
	bertiSoon  = 8  // reads after which a stream without classes is used
	// A stream without classes wants more: CONFIDENCE of the artifact's vberti.
	bertiSoonHigh   = 80
	bertiSoonMedium = 35
)

func newBertiTable(s BertiSpec) bertiTable {
	t := bertiTable{spec: s, streams: make([]bertiStreamEntry, s.Streams), chosen: make([]bertiDelta, s.Deltas)}
	for i := range t.streams {
		t.streams[i].deltas = make([]bertiDelta, s.Deltas)
	}
	return t
}

func (t *bertiTable) find(stream uint64) *bertiStreamEntry {
	for i := range t.streams {
		if x := &t.streams[i]; x.known && x.stream == stream {
			return x
		}
	}
	return nil
}

// read notes a read of a stream for which early ones were found. Every 16 of them set the classes anew.
func (t *bertiTable) read(stream uint64) {
	x := t.find(stream)
	if x == nil {
		return
	}
	if x.reads++; x.reads < bertiRound {
		return
	}
	x.reads = 0
	for i := range x.deltas {
		d := &x.deltas[i]
		switch percent := 100 * d.count / bertiRound; {
		case percent > t.spec.High:
			d.class = bertiHigh
		case percent > t.spec.Medium:
			d.class = bertiMedium
		case percent > t.spec.Low:
			d.class = bertiLow
		default:
			d.class = bertiNo
		}
		d.count = 0
	}
}

// count counts a delta of a stream. A new one takes the place of the rarest that is of no class, or else of
// the lowest.
func (t *bertiTable) count(stream uint64, delta int) {
	x := t.find(stream)
	if x == nil {
		x = &t.streams[t.oldest]
		t.oldest = (t.oldest + 1) % len(t.streams)
		clear(x.deltas)
		x.stream, x.known, x.reads = stream, true, 1
		x.deltas[0] = bertiDelta{delta: delta, count: 1}
		return
	}
	for i := range x.deltas {
		if d := &x.deltas[i]; d.delta == delta {
			d.count = min(d.count+1, bertiRound)
			return
		}
	}
	for _, class := range []bertiClass{bertiNo, bertiLow} {
		at := -1
		for i := range x.deltas {
			if d := &x.deltas[i]; d.class == class && (at < 0 || d.count < x.deltas[at].count) {
				at = i
			}
		}
		if at >= 0 {
			x.deltas[at] = bertiDelta{delta: delta, count: 1}
			return
		}
	}
}

// choose returns the deltas of a stream, the best first; those of no class are the last.
func (t *bertiTable) choose(stream uint64) []bertiDelta {
	x := t.find(stream)
	if x == nil {
		return nil
	}
	list := t.chosen
	clear(list)
	n := 0
	for i := range x.deltas {
		if d := &x.deltas[i]; d.delta != 0 && d.class != bertiNo {
			list[n] = bertiDelta{delta: d.delta, class: d.class}
			n++
		}
	}
	if n == 0 && x.reads >= bertiSoon {
		t.chooseSoon(x, list)
	}
	insertionSort(list, better)
	return list
}

// chooseSoon fills list with the deltas of a stream that has no classes yet, by their share so far.
func (t *bertiTable) chooseSoon(x *bertiStreamEntry, list []bertiDelta) {
	n := 0
	for i := range x.deltas {
		if d := &x.deltas[i]; d.delta != 0 {
			list[n] = bertiDelta{delta: d.delta, percent: float32(int(float32(d.count) / float32(x.reads) * 100))}
			n++
		}
	}
	insertionSort(list, func(a, b bertiDelta) bool { return a.percent > b.percent || size(a) < size(b) })
	for i := range list {
		switch d := &list[i]; {
		case d.percent > bertiSoonHigh:
			d.class = bertiHigh
		case d.percent > bertiSoonMedium:
			d.class = bertiMedium
		}
	}
}

// better orders deltas by class, and by size within one.
func better(a, b bertiDelta) bool {
	if a.class != b.class {
		return a.class != bertiNo && (b.class == bertiNo || a.class < b.class)
	}
	return size(a) < size(b)
}

func size(d bertiDelta) int { return max(d.delta, -d.delta) }

// insertionSort sorts a short list. An entry that goes before the first moves there at once: the order by
// share is no strict one, and the order of equal deltas follows from how it is applied.
func insertionSort(list []bertiDelta, before func(a, b bertiDelta) bool) {
	for i := 1; i < len(list); i++ {
		x := list[i]
		j := i
		if before(x, list[0]) {
			copy(list[1:i+1], list[:i])
			j = 0
		} else {
			for ; before(x, list[j-1]); j-- {
				list[j] = list[j-1]
			}
		}
		list[j] = x
	}
}
