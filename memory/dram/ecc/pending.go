package ecc

// A Wait is a read of data whose last beat passes at clock At, and that waits for its check bits.
type Wait struct {
	Tag                   uint32
	Arrived, Accepted, At int64

	next int
}

// Pending is the reads of check bits that are on their way.
type Pending struct {
	reads []read
	waits []Wait
	free  [2]int // of reads, of waits: the first that is free, linked by next
}

// A read is one of check bits.
type read struct {
	users  int // reads of data that will ask for it
	first  int // of those that wait
	done   int64
	issued bool
	next   int
}

// NewPending has none on their way.
func NewPending() *Pending { return &Pending{free: [2]int{None, None}} }

// Begin starts a read of check bits and returns its number.
func (p *Pending) Begin() int {
	i := p.free[0]
	if i == None {
		i = len(p.reads)
		p.reads = append(p.reads, read{})
	} else {
		p.free[0] = p.reads[i].next
	}
	p.reads[i] = read{first: None}
	return i
}

// Join notes that a read of data will ask for check bits.
func (p *Pending) Join(i int) { p.reads[i].users++ }

// Ask is for the check bits of a read of data. done is the clock at which they have come; ok is false if that is not
// known: then w waits.
func (p *Pending) Ask(i int, w Wait) (done int64, ok bool) {
	r := &p.reads[i]
	if r.issued {
		done = r.done
		if r.users--; r.users == 0 {
			p.give(i)
		}
		return done, true
	}
	k := p.free[1]
	if k == None {
		k = len(p.waits)
		p.waits = append(p.waits, Wait{})
	} else {
		p.free[1] = p.waits[k].next
	}
	w.next = r.first
	p.waits[k], r.first = w, k
	return 0, false
}

// Come notes that check bits will have come at a clock, and calls f with each read of data that waits for them, the first last.
func (p *Pending) Come(i int, at int64, f func(Wait)) {
	r := &p.reads[i]
	r.issued, r.done = true, at
	for k := r.first; k != None; {
		w := p.waits[k]
		f(w)
		p.waits[k].next, p.free[1] = p.free[1], k
		k = w.next
		r.users--
	}
	r.first = None
	if r.users == 0 {
		p.give(i)
	}
}

func (p *Pending) give(i int) { p.reads[i].next, p.free[0] = p.free[0], i }

// A Walker names the bursts that a scrubber reads: row by row through all banks.
type Walker struct {
	g  Geometry
	at int
}

// NewWalker begins with the first burst.
func NewWalker(g Geometry) *Walker { return &Walker{g: g} }

// Next is the next burst.
func (w *Walker) Next() Place {
	at := w.at
	if w.at++; w.at == w.g.Banks*w.g.Rows*w.g.Columns {
		w.at = 0
	}
	row := at / w.g.Columns
	return Place{row % w.g.Banks, uint32(row / w.g.Banks), uint32(at % w.g.Columns)}
}
