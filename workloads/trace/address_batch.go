package trace

// A AddressBatch is a batch of records with address, program counter and core only: reads without size,
// time and tensor. Records At to N-1 are unused.
type AddressBatch struct {
	Addr, PC [lotSize]uint64
	Core     [lotSize]uint32 // below 65,536
	At, N    int
	// Least and Greatest are the limits of all addresses of the lot.
	Least, Greatest uint64
}

// lotSize keeps a lot, 5 KiB, near the processor.
const lotSize = 256

// Left returns the number of unused records.
func (l *AddressBatch) Left() int { return l.N - l.At }

// A Batcher is a Reader that can read many records at a time.
type Batcher interface {
	Reader
	// Batch reads up to most records, as Next does. It stops before a record that does not fit a
	// AddressBatch, at the end, and before a wrong record, whose error Next returns.
	Batch(l *AddressBatch, most uint64)
	// Before returns the place of the record read n records before the last.
	Before(n int) Pos
}
