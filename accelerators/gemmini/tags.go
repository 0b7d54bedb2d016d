package gemmini

// A tags is the tags of a set-associative cache with random replacement.
type tags struct {
	sets, ways int
	line       []int64 // number of the line of each way, -1: none
	dirty      []bool
	random     uint32
}

func newTags(bytes, ways, line int) tags {
	t := tags{sets: max(1, bytes/line/ways), ways: ways, random: 0x2545f491}
	t.line, t.dirty = make([]int64, t.sets*ways), make([]bool, t.sets*ways)
	for i := range t.line {
		t.line[i] = -1
	}
	return t
}

func (t *tags) set(line int64) int { return int(line % int64(t.sets)) }

// touch looks a line up.
func (t *tags) touch(line int64, write bool) bool {
	at := t.set(line) * t.ways
	for i, l := range t.line[at : at+t.ways] {
		if l == line {
			t.dirty[at+i] = t.dirty[at+i] || write
			return true
		}
	}
	return false
}

// fill puts a line into an empty way, or in place of one at random.
func (t *tags) fill(line int64, write bool) (victim int64, dirty bool) {
	at := t.set(line) * t.ways
	way := -1
	for i, l := range t.line[at : at+t.ways] {
		if l < 0 {
			way = at + i
			break
		}
	}
	if way < 0 {
		// xorshift, as hardware has a shift register
		t.random ^= t.random << 13
		t.random ^= t.random >> 17
		t.random ^= t.random << 5
		way = at + int(t.random%uint32(t.ways))
	}
	victim, dirty = t.line[way], t.line[way] >= 0 && t.dirty[way]
	t.line[way], t.dirty[way] = line, write
	return victim, dirty
}

// A flights is the misses of a cache that are out, each with a number and the cycle in which it ends.
type flights []flight

type flight struct{ until, what int64 }

func (f *flights) add(until, what int64) { *f = append(*f, flight{until, what}) }

// begin is the first cycle from now on in which fewer than most are out.
func (f *flights) begin(now int64, most int) int64 {
	for {
		kept := (*f)[:0]
		first := int64(1) << 62
		for _, x := range *f {
			if x.until > now {
				kept = append(kept, x)
				first = min(first, x.until)
			}
		}
		*f = kept
		if len(kept) < most {
			return now
		}
		now = first
	}
}

// after is the first cycle from now on in which none of that number is out.
func (f *flights) after(now, what int64) int64 {
	for _, x := range *f {
		if x.what == what {
			now = max(now, x.until)
		}
	}
	return now
}
