package cxl

// A job is one line that a machine of coherence reads from a memory, or writes.
type job struct {
	addr  uint64
	id    int32 // of the machine's transaction, or of an access of an accelerator
	kind  jobKind
	asked int64
	taken int64 // by the memory
	back  int64
}

type jobKind uint8

const (
	fetch jobKind = iota
	store
	plain // of an accelerator, without coherence
)

// A desk has the jobs in front of a memory, oldest first, and those at it.
type desk struct {
	waiting []job
	head    int
	known   []job
	spare   []int32
}

func (q *desk) empty() bool { return q.head == len(q.waiting) }

func (q *desk) push(j job) { q.waiting = append(q.waiting, j) }

// next takes the oldest job to the memory; its messages are those of line -1-k.
func (q *desk) next() (k int32, j job) {
	j = q.waiting[q.head]
	if q.head++; 2*q.head >= len(q.waiting) {
		q.waiting = q.waiting[:copy(q.waiting, q.waiting[q.head:])]
		q.head = 0
	}
	if n := len(q.spare); n > 0 {
		k = q.spare[n-1]
		q.spare = q.spare[:n-1]
		q.known[k] = j
		return k, j
	}
	q.known = append(q.known, j)
	return int32(len(q.known) - 1), j
}

// done ends a job; line is that of its message.
func (q *desk) done(line int32) job {
	k := -1 - line
	q.spare = append(q.spare, k)
	return q.known[k]
}
