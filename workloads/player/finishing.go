package player

// finishing is the answers that are known ahead: twice their cycles, and one more where
// the loop does not wait for them. Most come in the order of their requests, or are hits
// that come before a few misses, so there are a few queues, each in order.
type finishing struct {
	queues [4]times
	n      int
}

// times is a queue of numbers in ascending order. The length of its ring is a power of two.
type times struct {
	ring     []uint64
	first, n int
}

func (t *times) at(i int) *uint64 { return &t.ring[(t.first+i)&(len(t.ring)-1)] }

func (t *times) push(at uint64) {
	if t.n == len(t.ring) {
		ring := make([]uint64, max(16, 2*t.n))
		for i := range t.n {
			ring[i] = *t.at(i)
		}
		t.ring, t.first = ring, 0
	}
	t.n++
	i := t.n - 1
	for i > 0 && *t.at(i - 1) > at { // of the last queue only
		*t.at(i) = *t.at(i - 1)
		i--
	}
	*t.at(i) = at
}

// push notes an answer in a cycle, which the loop may wait for.
func (f *finishing) push(cycle uint64, waits bool) {
	at := cycle << 1
	if !waits {
		at++
	}
	f.n++
	k := 0
	for k < len(f.queues)-1 && f.queues[k].n > 0 && *f.queues[k].at(f.queues[k].n - 1) > at {
		k++
	}
	f.queues[k].push(at)
}

// pop takes away those that come until a cycle, and returns how many, and how many of
// them the loop waited for.
func (f *finishing) pop(cycle uint64) (n int, waited uint64) {
	if f.n == 0 {
		return 0, 0
	}
	for k := range f.queues {
		for t := &f.queues[k]; t.n > 0 && *t.at(0)>>1 <= cycle; n++ {
			waited += ^*t.at(0) & 1
			t.first = (t.first + 1) & (len(t.ring) - 1)
			t.n--
		}
	}
	f.n -= n
	return n, waited
}

// next is the cycle of the next answer, never if there is none.
func (f *finishing) next() uint64 {
	next := never
	if f.n == 0 {
		return next
	}
	for k := range f.queues {
		if t := &f.queues[k]; t.n > 0 {
			next = min(next, *t.at(0)>>1)
		}
	}
	return next
}

const never = ^uint64(0)
