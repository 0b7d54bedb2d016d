package object

func init() {
	add("arc", "Two LRU lists, of objects used once and of objects used again, whose shares follow what was missed soon after it left.",
		"Megiddo and Modha, ARC: a self-tuning, low overhead replacement cache, FAST 2003, figure 4; in bytes as libCacheSim has it",
		func(s *objectStore) rule { return &arc{objectStore: s} })
}

// arc has the four lists of the paper, in bytes.
type arc struct {
	*objectStore
	list [2]queue // T1 and T2
	left [2]queue // B1 and B2
	p    float64  // target bytes of T1
	was  bool     // the object that was missed last was remembered
	inB2 bool     // in B2; stays as it is while objects are missed that were not
}

const once, again = 0, 1

// hit is case I.
func (r *arc) hit(i uint32) {
	r.inB2 = false
	r.remove(&r.list[r.at[i].in], i)
	r.at[i].in = again
	r.pushFirst(&r.list[again], i)
}

// missed moves the target, in cases II and III.
func (r *arc) missed(i uint32, size uint64) bool {
	r.was = i != 0
	if !r.was {
		return size <= r.capacity
	}
	b1, b2 := float64(r.left[once].bytes), float64(r.left[again].bytes)
	in := r.at[i].in
	if r.inB2 = in == again; r.inB2 {
		r.p = max(r.p-max(b1/b2, 1), 0)
	} else {
		r.p = min(r.p+max(b2/b1, 1), float64(r.capacity))
	}
	r.drop(in, i)
	return size <= r.capacity
}

// drop forgets an object of B1 or B2.
func (r *arc) drop(in uint8, i uint32) {
	r.remove(&r.left[in], i)
	r.forget(i)
}

func (r *arc) insert(id uint64, size uint32) {
	i := r.take(id, size)
	if r.was {
		r.at[i].in, r.inB2 = again, false
	}
	r.pushFirst(&r.list[r.at[i].in], i)
}

func (r *arc) evict(size uint64) {
	if !r.was && r.trim(size) {
		i := r.list[once].last // T1 is the whole cache: its last is not remembered
		r.remove(&r.list[once], i)
		r.leave(i)
		r.forget(i)
		return
	}
	t1 := r.list[once].bytes
	in := again
	if r.list[again].bytes == 0 || t1 > 0 && (float64(t1) > r.p || r.inB2 && float64(t1) == r.p) {
		in = once
	}
	i := r.list[in].last
	r.remove(&r.list[in], i)
	r.leave(i)
	r.pushFirst(&r.left[in], i)
}

// trim forgets one object to make room for one that is not remembered (case IV). It
// reports whether T1 is the whole cache.
func (r *arc) trim(size uint64) (whole bool) {
	b1, b2 := &r.left[once], &r.left[again]
	one := r.list[once].bytes + b1.bytes
	switch {
	case one+size > r.capacity:
		if b1.bytes == 0 {
			return true
		}
		r.drop(once, b1.last)
	case one+r.list[again].bytes+b2.bytes >= 2*r.capacity && b2.bytes > 0:
		r.drop(again, b2.last)
	}
	return false
}
