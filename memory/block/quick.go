package block

// A Quick node can say at once when it answers a request: it keeps nobody waiting, so
// that the time of each request is its own.
type Quick interface {
	Node
	// Worst is the most cycles that any request takes inside the node and behind it; ok
	// is false of a node that, as it is set up, is not quick.
	Worst() (cycles uint64, ok bool)
	// Ready reports whether Quick may be called in a cycle: no request that came before
	// is still on its way through the node, and nobody wants to see tasks.
	Ready() bool
	// Fits reports whether a request is one of those that Quick takes.
	Fits(r *Request) bool
	// Quick does all that the node does for a request that it sees in a cycle, and
	// returns the cycle in which it answers. Counters are as they will be then.
	Quick(r *Request, cycle uint64) (answered uint64, err error)
	// Hits does reads, one after the other, as long as each is answered in the very cycle in
	// which it is seen, and returns how many; of the next nothing has happened. Their cycles
	// are told by Saw before anything else.
	Hits(r *Reads) int
	// Saw tells in which cycles the first and the last of so many reads, done by Hits, were
	// seen.
	Saw(n int, first, last uint64)
}

// Reads are requests of equal size that only read, and of no known tensor.
type Reads struct {
	Addr, PC []uint64
	Core     []uint32
	Bytes    uint64 // of each
}

// Worst is the most cycles from a request to its answer; false if some node behind the
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

// Fits reports whether a request fits the node that a link leads to.
func (l *Link) Fits(r *Request) bool { return l.quick.Fits(r) }

// Interrupted reports whether somebody waits for the block to come back.
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
