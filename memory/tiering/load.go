package tiering

// load counts what requests, not moves, do at a tier. Times are cycles.
type load struct {
	reads, writes         uint64 // pieces begun
	readBytes, writeBytes uint64
	answered              uint64 // reads
	latency               uint64 // of them, added up
	under                 uint64 // reads under way
	area                  uint64 // under way, added up over the cycles
	last                  uint64 // cycle up to which area is right
	movedIn, movedOut     uint64 // pages
	moveReads, moveWrites uint64 // bytes of moves
}

// upTo brings the area up to a cycle.
func (l *load) upTo(cycle uint64) {
	l.area += l.under * (cycle - l.last)
	l.last = cycle
}

// begin notes a piece of a request.
func (l *load) begin(cycle, bytes uint64, write bool) {
	if write {
		l.writes++
		l.writeBytes += bytes
		return
	}
	l.upTo(cycle)
	l.under++
	l.reads++
	l.readBytes += bytes
}

// answer notes the answer of a read that began at a cycle.
func (l *load) answer(begun, cycle uint64) {
	l.upTo(cycle)
	l.under--
	l.answered++
	l.latency += cycle - begun
}
