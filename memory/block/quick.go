package block

// A KnownLatency node knows the time of an answer when it sees the request, since no request waits for
// another.
type KnownLatency interface {
	Node
	// Worst returns the most cycles of a request in the node and below it. ok is false if the
	// node, as configured, is not quick.
	Worst() (cycles uint64, ok bool)
	// Ready reports whether Quick may be called in a cycle: no earlier request is in the node,
	// and no tasks are recorded.
	Ready() bool
	// Fits reports whether a request is one of those that Quick takes.
	Fits(r *Request) bool
	// Quick carries out a request that the node sees in a cycle, and returns the cycle of the
	// answer. It updates all counters at once.
	Quick(r *Request, cycle uint64) (answered uint64, err error)
	// Hits carries out reads in order while each is answered in the cycle in which it is seen,
	// and returns how many; the next read has had no effect. The caller passes their cycles to
	// Saw before any other call.
	Hits(r *Reads) int
	// Saw receives the cycles in which the first and the last of n reads of Hits were seen.
	Saw(n int, first, last uint64)
	// Takes reports whether Reads accepts all such reads, if each lies within one aligned block
	// of Bytes bytes.
	Takes(r *Reads) bool
	// Reads carries out reads in order, whatever their cycles, and records delayed ones in Waits
	// and Late. It returns how many; the next read has had no effect. The caller passes their
	// cycles to Seen before any other call.
	Reads(r *Reads) int
	// Seen receives the cycles of the reads of the last Reads.
	Seen(r *Reads)
}

// Reads are read requests of equal size without a known tensor.
type Reads struct {
	Addr, PC []uint64
	Core     []uint32
	Bytes    uint64 // of each
	// Least and Greatest are bounds of Addr.
	Least, Greatest uint64

	// Waits are the indices of reads that may be answered later than in the cycle in which they
	// are seen, and Late their delays in cycles.
	Waits []int32
	Late  []uint64
	// N is the number of reads carried out. First and Last are the cycles in which the first and
	// the last of them are seen, and At those of Waits.
	N           int
	First, Last uint64
	At          []uint64
}

// Begin empties the reads.
func (r *Reads) Begin() {
	r.Addr, r.PC, r.Core = r.Addr[:0], r.PC[:0], r.Core[:0]
}

// Add appends a read, whose address must be within Least and Greatest.
func (r *Reads) Add(addr, pc uint64, core uint32) {
	r.Addr, r.PC, r.Core = append(r.Addr, addr), append(r.PC, pc), append(r.Core, core)
}

// Wait records that a read takes late more cycles.
func (r *Reads) Wait(index int, late uint64) {
	r.Waits, r.Late = append(r.Waits, int32(index)), append(r.Late, late)
}

// Worst returns the most cycles from a request to its answer; false if some node below the outlet
// is not a KnownLatency.
func (o *Outlet) Worst() (cycles uint64, ok bool) {
	for _, l := range o.Links {
		if l.quick == nil {
			return 0, false
		}
		n, ok := l.quick.Worst()
		if !ok {
			return 0, false
		}
		cycles = max(cycles, l.there+n+l.back)
	}
	return cycles, true
}

// Ready reports whether requests may be sent by Quick.
func (o *Outlet) Ready() bool {
	for _, l := range o.Links {
		if l.requests.n > 0 || l.answers.n > quickAnswers || !l.quick.Ready() {
			return false
		}
	}
	return true
}

// quickAnswers is the most answers in flight outside Quick: with those of quick requests, at most
// two per cycle, a wire takes all.
const quickAnswers = 16

// Quick carries out a request sent in a cycle to a node for which Fits is true, and returns the
// cycle in which the requester sees the answer.
func (l *Link) Quick(r *Request, cycle uint64) (seen uint64, err error) {
	at, err := l.quick.Quick(r, cycle+l.there)
	at += l.back
	l.settle(at)
	return at, err
}

// settle notes that quick requests are answered in cycles up to this one.
func (l *Link) settle(cycle uint64) {
	if cycle > *l.settled {
		*l.settled = cycle
	}
}

// Trip returns the cycles from a request of Hits to its answer.
func (l *Link) Trip() uint64 { return l.there + l.back }

// Hits carries out reads that are answered Trip cycles after they are sent, and returns how many.
func (l *Link) Hits(r *Reads) int { return l.quick.Hits(r) }

// Sent passes on the cycles in which the first and the last of n reads of Hits were sent.
func (l *Link) Sent(n int, first, last uint64) {
	l.quick.Saw(n, first+l.there, last+l.there)
	l.settle(last + l.there + l.back)
}

// Takes reports whether the node accepts all such reads by Reads.
func (l *Link) Takes(r *Reads) bool { return l.quick.Takes(r) }

// Reads carries out reads that are answered Trip cycles after they are sent, and others that the
// node accepts, and returns how many.
func (l *Link) Reads(r *Reads) int {
	r.Waits, r.Late, r.At = r.Waits[:0], r.Late[:0], r.At[:0]
	r.N = l.quick.Reads(r)
	return r.N
}

// Seen passes on the cycles in which the reads of the last Reads were sent, as First, Last and
// At, and the cycle of the last answer.
func (l *Link) Seen(r *Reads, answered uint64) {
	r.First += l.there
	r.Last += l.there
	for i := range r.At {
		r.At[i] += l.there
	}
	l.quick.Seen(r)
	l.settle(answered)
}

// Fits reports whether a request fits the node that a link leads to.
func (l *Link) Fits(r *Request) bool { return l.quick.Fits(r) }

// Interrupted reports whether another goroutine waits for the current event to end.
func (b *Block) Interrupted() bool { return b.engine.Interrupted() }

// Free returns the cycle before which only the source acts inside the block, and the cycle before
// which no component outside acts.
func (b *Block) Free() (inside, outside uint64) {
	inside = Never
	for _, d := range b.due {
		inside = min(inside, d)
	}
	return inside, b.until
}
