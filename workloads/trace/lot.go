package trace

// A Lot is some records of which there is nothing to tell but address, program counter and
// core: reads without size, time and tensor. Those from At to N are still to be used.
type Lot struct {
	Addr, PC [lotSize]uint64
	Core     [lotSize]uint32 // below 65,536
	At, N    int
	// Least and Greatest are of all addresses of the lot.
	Least, Greatest uint64
}

// lotSize keeps a lot, 5 KiB, near the processor.
const lotSize = 256

// Left is the number of records still to be used.
func (l *Lot) Left() int { return l.N - l.At }

// A Batcher is a Reader that can read many records at a time.
type Batcher interface {
	Reader
	// Batch reads records as so many calls of Next would, most at most. It reads none where
	// a Lot has no room for what they say, at the end, and before one that is wrong: Next
	// tells why.
	Batch(l *Lot, most uint64)
	// Before is where the record stands that was read n before the last.
	Before(n int) Pos
}
