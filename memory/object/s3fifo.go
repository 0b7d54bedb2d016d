package object

func init() {
	add("s3fifo", "Three queues: new objects enter a small one, those used twice there or missed soon after move to the main one, which spares what was used.",
		"Yang et al., FIFO queues are all you need for cache eviction, SOSP 2023, section 4, algorithm 1; in bytes as libCacheSim has it",
		newS3FIFO)
}

// s3fifo has a small queue of a tenth of the bytes, a main queue of the others and a ghost
// queue of as many bytes as nine tenths. The main queue may have more than its share while
// the small one has less.
type s3fifo struct {
	*objectStore
	small, main queue
	ghost       ghost
	smallRoom   uint64
	mainRoom    uint64
	was         bool // the object that was missed last was remembered
}

func newS3FIFO(s *objectStore) rule {
	c := float64(s.capacity)
	small := uint64(c * 0.10)
	return &s3fifo{objectStore: s, smallRoom: small, mainRoom: s.capacity - small, ghost: ghost{most: uint64(c * 0.90)}}
}

func (r *s3fifo) hit(i uint32) {
	if x := &r.at[i]; x.freq < 3 {
		x.freq++
	}
}

func (r *s3fifo) missed(i uint32, size uint64) bool {
	r.was = r.ghost.recall(r.objectStore, i)
	return size <= r.smallRoom
}

// inMain is slot.in of an object in the main queue.
const inMain = 1

func (r *s3fifo) insert(id uint64, size uint32) {
	switch {
	case r.was:
		i := r.take(id, size)
		r.at[i].in = inMain
		r.pushFirst(&r.main, i)
	case uint64(size) < r.smallRoom:
		r.pushFirst(&r.small, r.take(id, size))
	}
}

func (r *s3fifo) evict(uint64) {
	if r.main.bytes > r.mainRoom || r.small.bytes == 0 {
		r.evictMain()
		return
	}
	for r.small.bytes > 0 { // without a victim the main queue comes next
		i := r.small.last
		r.remove(&r.small, i)
		if r.at[i].freq < 2 {
			r.leave(i)
			r.ghost.remember(r.objectStore, i)
			return
		}
		r.at[i].in, r.at[i].freq = inMain, 0
		r.pushFirst(&r.main, i)
	}
}

func (r *s3fifo) evictMain() {
	for {
		i := r.main.last
		r.remove(&r.main, i)
		if r.at[i].freq == 0 {
			r.leave(i)
			r.forget(i)
			return
		}
		r.at[i].freq--
		r.pushFirst(&r.main, i)
	}
}
