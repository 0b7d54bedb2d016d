package object

const belady = "Belady, A study of replacement algorithms for a virtual-storage computer, IBM Systems Journal 1966"

func init() {
	add("lru", "Evicts the object that was used longest ago.", belady, func(s *objectStore) rule { return &lru{objectStore: s} })
	add("fifo", "Evicts the object that came in longest ago.", belady, func(s *objectStore) rule { return &fifo{lru{objectStore: s}} })
}

// lru keeps the object used last in front.
type lru struct {
	*objectStore
	order queue
}

func (r *lru) hit(i uint32) {
	if r.order.first != i {
		r.remove(&r.order, i)
		r.pushFirst(&r.order, i)
	}
}

func (r *lru) missed(_ uint32, size uint64) bool { return size <= r.capacity }

func (r *lru) evict(uint64) {
	i := r.order.last
	r.remove(&r.order, i)
	r.leave(i)
	r.forget(i)
}

func (r *lru) insert(id uint64, size uint32) { r.pushFirst(&r.order, r.take(id, size)) }

// fifo is lru that a hit does not move.
type fifo struct{ lru }

func (*fifo) hit(uint32) {}
