package object

func init() {
	add("fifo_mep", "A FIFO queue with several points near its entry at which an object leaves that was not used since the point before (reconstruction).",
		"reconstruction from the abstract of Jia et al., FIFO-MEP: an efficient multi-eviction-point FIFO cache with stable demotion, CLUSTER 2025, doi 10.1109/CLUSTER59342.2025.11186495",
		newFIFOMEP)
}

// fifoMEP is memory/policy's reconstruction, in bytes: a queue of a stretch per eviction
// point and a last one, which is a clock of two bits.
type fifoMEP struct {
	*objectStore
	stretch []queue
	most    []uint64 // bytes of each
	ghost   ghost
	first   int // stretch that the object enters that was missed last
}

const mepPoints = 3

func newFIFOMEP(s *objectStore) rule {
	c := s.capacity
	r := &fifoMEP{objectStore: s, ghost: ghost{most: c/10*9 + c%10*9/10}}
	end := uint64(0)
	for i := range uint64(mepPoints) {
		if i+1 >= c {
			break
		}
		at := max(end+1, (i+1)*(c/30)+(i+1)*(c%30)/30)
		r.most = append(r.most, at-end)
		end = at
	}
	r.most = append(r.most, c-end)
	r.stretch = make([]queue, len(r.most))
	return r
}

func (r *fifoMEP) last() int { return len(r.stretch) - 1 }

func (r *fifoMEP) hit(i uint32) {
	if x := &r.at[i]; x.freq < 3 {
		x.freq++
	}
}

func (r *fifoMEP) missed(i uint32, size uint64) bool {
	r.first = 0
	if r.ghost.recall(r.objectStore, i) {
		r.first = r.last()
	}
	return size <= r.capacity
}

// pass moves the last object of a stretch into the next one.
func (r *fifoMEP) pass(k int) {
	i := r.stretch[k].last
	r.remove(&r.stretch[k], i)
	r.at[i].in = uint8(k + 1)
	r.pushFirst(&r.stretch[k+1], i)
}

// evict lets objects move on from the stretches that are too long with the new one, until
// one leaves.
func (r *fifoMEP) evict(size uint64) {
	for k := range r.last() {
		q := &r.stretch[k]
		more := uint64(0)
		if k == r.first {
			more = size
		}
		for q.bytes > 0 && q.bytes+more > r.most[k] {
			i := q.last
			if r.at[i].freq == 0 {
				r.remove(q, i)
				r.leave(i)
				r.ghost.remember(r.objectStore, i)
				return
			}
			r.at[i].freq = 0
			r.pass(k)
		}
	}
	k := r.last()
	for r.stretch[k].bytes == 0 { // a large object may need all of the last stretch
		k--
	}
	r.clock(&r.stretch[k])
}

// clock evicts the first object from the end of a stretch that was not used; the others
// go to its beginning.
func (r *fifoMEP) clock(q *queue) {
	for {
		i := q.last
		r.remove(q, i)
		if r.at[i].freq == 0 {
			r.leave(i)
			r.forget(i)
			return
		}
		r.at[i].freq--
		r.pushFirst(q, i)
	}
}

// insert does not inspect objects that pass points: there is room for all.
func (r *fifoMEP) insert(id uint64, size uint32) {
	i := r.take(id, size)
	r.at[i].in = uint8(r.first)
	r.pushFirst(&r.stretch[r.first], i)
	for k := range r.last() {
		for r.stretch[k].bytes > r.most[k] {
			r.pass(k)
		}
	}
}
