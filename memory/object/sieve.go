package object

func init() {
	add("sieve", "A hand walks from the oldest object to the newest, spares those that were used, and evicts the first that was not.",
		"Zhang et al., SIEVE is simpler than LRU: an efficient turn-key eviction algorithm for web caches, NSDI 2024, section 3, algorithm 1",
		func(s *objectStore) rule { return &sieve{lru: lru{objectStore: s}} })
}

// sieve has one queue, in which objects keep their places; freq is 1 of those used.
type sieve struct {
	lru
	hand uint32 // object that is looked at next; 0: the oldest
}

func (r *sieve) hit(i uint32) { r.at[i].freq = 1 }

func (r *sieve) evict(uint64) {
	i := r.hand
	if i == 0 {
		i = r.order.last
	}
	for r.at[i].freq > 0 {
		r.at[i].freq = 0
		if i = r.at[i].prev; i == 0 {
			i = r.order.last
		}
	}
	r.hand = r.at[i].prev
	r.remove(&r.order, i)
	r.leave(i)
	r.forget(i)
}
