package cache

import "math/bits"

// An mshr (miss status holding register) is a line under way from below, with
// those who wait for it.
type mshr struct {
	line        uint64
	slice       int32
	waiting     int32 // accesses in the list
	first, last int32 // of the list of waiters; -1: none
	unsent      int32 // fetches that are not sent
	pieces      int32 // requests below that are not answered
	number      int32 // of the register
	chain       int32 // the register of the next line of the same request below plus 1
	same        int32 // the register of another line with the same hash plus 1
	have        uint8 // sectors under way
}

// A waiter is an access that waits for a line.
type waiter struct {
	request uint32
	k       int32 // line of the request
	next    int32 // in the list, or in that of free waiters
}

// mshrs finds the line under way in constant time.
type mshrs struct {
	table   []mshr
	heads   []int32 // by hash, the register of a line plus 1; the others follow it: see mshr.same
	idle    []int32
	used    []int32  // per slice
	came    []uint64 // lines released, per slice
	limit   int32    // per slice
	waiters []waiter
	spare   int32  // first free waiter, -1: none
	most    uint64 // in use at once
}

func newMSHRs(slices, each int) *mshrs {
	n := slices * each
	m := &mshrs{table: make([]mshr, n), heads: make([]int32, 1<<bits.Len(uint(2*n-1))), used: make([]int32, slices), came: make([]uint64, slices), limit: int32(each), spare: -1}
	for i := n - 1; i >= 0; i-- {
		m.idle = append(m.idle, int32(i))
	}
	return m
}

// of returns the line's register, or nil.
func (m *mshrs) of(line uint64) *mshr {
	for i := *m.head(line); i > 0; i = m.table[i-1].same {
		if m.table[i-1].line == line {
			return &m.table[i-1]
		}
	}
	return nil
}

// head is where the search for a line begins. Lines side by side are not far apart.
func (m *mshrs) head(line uint64) *int32 {
	return &m.heads[(line^line>>16)&uint64(len(m.heads)-1)]
}

// full reports whether a slice has none left.
func (m *mshrs) full(slice int) bool { return m.used[slice] == m.limit }

// busy reports whether a slice has none left for lines of streams: a quarter is for those
// that are asked for.
func (m *mshrs) busy(slice int) bool { return 4*m.used[slice] >= 3*m.limit }

// open is the number in use.
func (m *mshrs) open() int { return len(m.table) - len(m.idle) }

// take gives a line a register; its slice must not be full.
func (m *mshrs) take(line uint64, slice int) *mshr {
	i := m.idle[len(m.idle)-1]
	m.idle = m.idle[:len(m.idle)-1]
	m.used[slice]++
	m.most = max(m.most, uint64(m.open()))
	head := m.head(line)
	r := &m.table[i] // field by field: a copy in one piece waits for what was just written
	r.line, r.slice, r.number, r.first, r.last = line, int32(slice), i, -1, -1
	r.waiting, r.unsent, r.pieces, r.chain, r.have = 0, 0, 0, 0, 0
	r.same, *head = *head, i+1
	return r
}

// wait lines an access up after the others.
func (m *mshrs) wait(r *mshr, request uint32, k int) {
	w := m.spare
	if w < 0 {
		w = int32(len(m.waiters))
		m.waiters = append(m.waiters, waiter{})
	} else {
		m.spare = m.waiters[w].next
	}
	x := &m.waiters[w]
	x.request, x.k, x.next = request, int32(k), -1
	if r.last < 0 {
		r.first = w
	} else {
		m.waiters[r.last].next = w
	}
	r.last = w
	r.waiting++
}

// shift takes the first waiter out of the list; ok is false if it is empty.
func (m *mshrs) shift(r *mshr) (w waiter, ok bool) {
	i := r.first
	if i < 0 {
		return w, false
	}
	w = m.waiters[i]
	r.first = w.next
	if r.first < 0 {
		r.last = -1
	}
	m.waiters[i].next, m.spare = m.spare, i
	return w, true
}

// release frees the register of a line that has come.
func (m *mshrs) release(r *mshr) {
	at := m.head(r.line)
	for *at != r.number+1 {
		at = &m.table[*at-1].same
	}
	*at = r.same
	m.used[r.slice]--
	m.came[r.slice]++
	m.idle = append(m.idle, r.number)
}
