package mshr

import "math/bits"

// A Register is a miss status holding register: a line that was requested from below, with the accesses
// that wait for it.
type Register struct {
	Line         uint64 // number of the line: address / bytes of a line
	Slice        int32  // the slice whose register it is, from 0
	Waiting      int32  // accesses that wait
	First        Waiter // the access that waits first, if any does; most lines have one
	others, last int32  // list of those after it, if there are any
	Unsent       int32  // fetches of the line that are not sent yet
	Pieces       int32  // requests to the memory below that are not answered yet
	Number       int32  // index of the register in File.Registers
	Chain        int32  // number of the register of the next line in the same request to the memory below, plus 1; 0: none
	same         int32  // the register of another line with the same hash plus 1
	Have         uint8  // sectors that were requested, a bit each
}

// A Waiter is an access that waits for a line.
type Waiter struct {
	Request uint32 // number that the cache gave the request
	K       int32  // which line of the request, from 0
}

// listed is a Waiter after the first.
type listed struct {
	Waiter
	next int32 // in the list, or in that of free places
}

// A File has the registers of all slices.
type File struct {
	Registers []Register
	heads     []int32 // by hash, the register of a line plus 1; the others follow it: see Register.same
	idle      []int32
	used      []int32  // per slice
	Came      []uint64 // lines that arrived and were released, per slice
	limit     int32    // per slice
	waiters   []listed
	spare     int32  // first free place in waiters, -1: none
	Most      uint64 // largest number of registers in use at once
}

// New makes a File of so many slices, with so many registers (each) in every slice. Both are at least 1.
func New(slices, each int) *File {
	n := slices * each
	m := &File{Registers: make([]Register, n), heads: make([]int32, 1<<bits.Len(uint(2*n-1))), used: make([]int32, slices), Came: make([]uint64, slices), limit: int32(each), spare: -1}
	for i := n - 1; i >= 0; i-- {
		m.idle = append(m.idle, int32(i))
	}
	return m
}

// Of returns the register of a line, or nil if the line is not outstanding.
func (m *File) Of(line uint64) *Register {
	for i := *m.head(line); i > 0; i = m.Registers[i-1].same {
		if m.Registers[i-1].Line == line {
			return &m.Registers[i-1]
		}
	}
	return nil
}

// head is where the search for a line begins. Lines side by side are not far apart.
func (m *File) head(line uint64) *int32 {
	return &m.heads[(line^line>>16)&uint64(len(m.heads)-1)]
}

// Full reports whether all registers of a slice are in use.
func (m *File) Full(slice int) bool { return m.used[slice] == m.limit }

// Busy reports whether three quarters of a slice's registers are in use. A prefetcher that can ask
// again waits then, because the last quarter is kept for demand misses.
func (m *File) Busy(slice int) bool { return 4*m.used[slice] >= 3*m.limit }

// Open returns the number of registers in use, of all slices.
func (m *File) Open() int { return len(m.Registers) - len(m.idle) }

// Take assigns a free register of a slice to a line. The slice must not be Full.
func (m *File) Take(line uint64, slice int) *Register {
	i := m.idle[len(m.idle)-1]
	m.idle = m.idle[:len(m.idle)-1]
	m.used[slice]++
	m.Most = max(m.Most, uint64(m.Open()))
	head := m.head(line)
	r := &m.Registers[i] // field by field: a copy in one piece waits for what was just written
	r.Line, r.Slice, r.Number = line, int32(slice), i
	r.Waiting, r.Unsent, r.Pieces, r.Chain, r.Have = 0, 0, 0, 0, 0
	r.same, *head = *head, i+1
	return r
}

// Wait appends an access, line k of a request, to those that wait for the register's line.
func (m *File) Wait(r *Register, request uint32, k int) {
	r.Waiting++
	if r.Waiting == 1 {
		r.First.Request, r.First.K = request, int32(k)
		return
	}
	w := m.spare
	if w < 0 {
		w = int32(len(m.waiters))
		m.waiters = append(m.waiters, listed{})
	} else {
		m.spare = m.waiters[w].next
	}
	m.waiters[w].Waiter = Waiter{request, int32(k)}
	if r.Waiting == 2 {
		r.others = w
	} else {
		m.waiters[r.last].next = w
	}
	r.last = w
}

// Shift removes and returns the access that has waited longest; ok is false if none waits.
func (m *File) Shift(r *Register) (w Waiter, ok bool) {
	if r.Waiting == 0 {
		return w, false
	}
	w = r.First
	if r.Waiting--; r.Waiting > 0 {
		i := r.others
		x := &m.waiters[i]
		r.First, r.others = x.Waiter, x.next
		x.next, m.spare = m.spare, i
	}
	return w, true
}

// Release frees the register of a line that has arrived.
func (m *File) Release(r *Register) {
	at := m.head(r.Line)
	for *at != r.Number+1 {
		at = &m.Registers[*at-1].same
	}
	*at = r.same
	m.used[r.Slice]--
	m.Came[r.Slice]++
	m.idle = append(m.idle, r.Number)
}
