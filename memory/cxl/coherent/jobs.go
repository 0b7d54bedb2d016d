package coherent

// A Job is a read or write of one line in a memory.
type Job struct {
	Addr  uint64
	Write bool
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

// Jobs is a queue of jobs for a memory, and the jobs in the memory.
type Jobs struct {
	waiting []Job
	head    int
	started []Job
	spare   []int32
}

// Empty reports whether no job waits.
func (q *Jobs) Empty() bool { return q.head == len(q.waiting) }

func (q *Jobs) push(j Job) { q.waiting = append(q.waiting, j) }

// Peek returns the oldest waiting job; there must be one.
func (q *Jobs) Peek() *Job { return &q.waiting[q.head] }

// Start sends the oldest waiting job to the memory at t, and returns its number.
func (q *Jobs) Start(t int64) (number int32) {
	j := q.waiting[q.head]
	j.taken = t
	if q.head++; 2*q.head >= len(q.waiting) {
		q.waiting = q.waiting[:copy(q.waiting, q.waiting[q.head:])]
		q.head = 0
	}
	if n := len(q.spare); n > 0 {
		number = q.spare[n-1]
		q.spare = q.spare[:n-1]
		q.started[number] = j
		return number
	}
	q.started = append(q.started, j)
	return int32(len(q.started) - 1)
}

// done ends a job.
func (q *Jobs) done(number int32) Job {
	q.spare = append(q.spare, number)
	return q.started[number]
}
