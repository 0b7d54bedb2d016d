package block

// A Quick node can say at once when it answers a request: no request waits for another, so
// that the time of each does not depend on others.
type Quick interface {
	Node
	// Worst is the most cycles that any request takes inside the node and below it. ok is
	// false if the node, as it is configured, is not quick.
	Worst() (cycles uint64, ok bool)
	// Ready reports whether Quick may be called in a cycle: no request that came before
	// is still on its way through the node, and no observer wants tasks.
	Ready() bool
	// Fits reports whether a request is one of those that Quick takes.
	Fits(r *Request) bool
	// Quick does all that the node does for a request that it sees in a cycle, and
	// returns the cycle in which it answers. Counters are as they will be then.
	Quick(r *Request, cycle uint64) (answered uint64, err error)
	// Hits does reads, one after the other, as long as each is answered in the very cycle in
	// which it is seen, and returns how many; of the next nothing has happened. The caller
	// gives their cycles to Saw before any other call.
	Hits(r *Reads) int
	// Saw takes the cycles in which the first and the last of so many reads, done by Hits,
	// were seen.
	Saw(n int, first, last uint64)
	// Takes reports whether Reads does all of such reads, if each lies in as many bytes,
	// aligned.
	Takes(r *Reads) bool
	// Reads does reads, one after the other, whenever they are seen, and notes in Waits and
	// Late which of them take how long. It returns how many; of the next nothing has happened.
	// The caller gives their cycles to Seen before any other call.
	Reads(r *Reads) int
	// Seen takes the cycles of all reads that the last Reads did.
	Seen(r *Reads)
}

// Reads are requests of equal size that only read, and of no known tensor.
type Reads struct {
	Addr, PC []uint64
	Core     []uint32
	Bytes    uint64 // of each
	// Least and Greatest are bounds of Addr.
	Least, Greatest uint64

	// Waits are those, by index, that may be answered later than in the cycle in which they
	// are seen, and Late by how much.
	Waits []int32
	Late  []uint64
	// N is how many of the reads were done. First and Last are the cycles in which the first
	// and the last of them are seen, and At those of Waits.
	N           int
	First, Last uint64
	At          []uint64
}

// Begin empties the reads.
func (r *Reads) Begin() {
	r.Addr, r.PC, r.Core = r.Addr[:0], r.PC[:0], r.Core[:0]
}

// Add puts in one more, within the bounds.
func (r *Reads) Add(addr, pc uint64, core uint32) {
	r.Addr, r.PC, r.Core = append(r.Addr, addr), append(r.PC, pc), append(r.Core, core)
}

// Wait notes that a read takes some cycles.
func (r *Reads) Wait(index int, late uint64) {
	r.Waits, r.Late = append(r.Waits, int32(index)), append(r.Late, late)
}

// Worst is the most cycles from a request to its answer; false if some node below the
// outlet is not quick.
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

// quickAnswers bounds the answers under way in the usual manner: with those of quick
// requests, of which there are two in a cycle at most, a wire takes them all.
const quickAnswers = 16

// Quick sends a request in a cycle to a node that it fits, and returns the cycle in
// which the answer is seen.
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

// Trip is the cycles from a request that Hits does to its answer.
func (l *Link) Trip() uint64 { return l.there + l.back }

// Hits does reads that are answered Trip cycles after they are sent, and returns how many.
func (l *Link) Hits(r *Reads) int { return l.quick.Hits(r) }

// Sent tells in which cycles the first and the last of so many reads, done by Hits, were sent.
func (l *Link) Sent(n int, first, last uint64) {
	l.quick.Saw(n, first+l.there, last+l.there)
	l.settle(last + l.there + l.back)
}

// Takes reports whether the node that a link leads to takes any number of such reads by Reads.
func (l *Link) Takes(r *Reads) bool { return l.quick.Takes(r) }

// Reads does reads that are answered Trip cycles after they are sent and those that the node
// takes, and returns how many.
func (l *Link) Reads(r *Reads) int {
	r.Waits, r.Late, r.At = r.Waits[:0], r.Late[:0], r.At[:0]
	r.N = l.quick.Reads(r)
	return r.N
}

// Seen tells in which cycles all reads that the last Reads did were sent, as First, Last and
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

// Interrupted reports whether a goroutine outside waits for the current event to end.
func (b *Block) Interrupted() bool { return b.engine.Interrupted() }

// Free is the cycle before which nothing happens in the block that its source does not
// do itself, and the one before which nothing happens outside.
func (b *Block) Free() (inside, outside uint64) {
	inside = Never
	for _, d := range b.due {
		inside = min(inside, d)
	}
	return inside, b.until
}
