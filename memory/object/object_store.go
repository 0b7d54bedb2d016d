package object

// A shelf holds objects, and what is remembered of those that left, in slots.
type objectStore struct {
	capacity, used uint64 // bytes
	place          map[uint64]uint32
	at             []slot // 0: none
	free           uint32 // the first empty one; others follow by next
}

type slot struct {
	id         uint64
	next, prev uint32 // in its queue; next is towards the last
	size       uint32
	freq       uint8 // uses, of rules that count them
	in         uint8 // queue, of rules with several
	gone       bool  // only remembered
}

// A queue is a list of slots, the newest first.
type queue struct {
	first, last uint32
	bytes       uint64
}

func newShelf(capacity uint64) objectStore {
	return objectStore{capacity: capacity, place: map[uint64]uint32{}, at: make([]slot, 1)}
}

func (s *objectStore) Used() uint64 { return s.used }

// take puts an object into a slot.
func (s *objectStore) take(id uint64, size uint32) uint32 {
	i := s.free
	if i == 0 {
		i = uint32(len(s.at))
		s.at = append(s.at, slot{})
	} else {
		s.free = s.at[i].next
	}
	s.at[i] = slot{id: id, size: size}
	s.place[id] = i
	s.used += uint64(size)
	return i
}

// leave ends the stay of an object, which is only remembered from then on.
func (s *objectStore) leave(i uint32) {
	s.at[i].gone = true
	s.used -= uint64(s.at[i].size)
}

// forget empties the slot of an object that has left.
func (s *objectStore) forget(i uint32) {
	delete(s.place, s.at[i].id)
	s.at[i] = slot{next: s.free}
	s.free = i
}

func (s *objectStore) pushFirst(q *queue, i uint32) {
	x := &s.at[i]
	x.next, x.prev = q.first, 0
	if q.first != 0 {
		s.at[q.first].prev = i
	} else {
		q.last = i
	}
	q.first = i
	q.bytes += uint64(x.size)
}

func (s *objectStore) remove(q *queue, i uint32) {
	x := &s.at[i]
	if x.prev != 0 {
		s.at[x.prev].next = x.next
	} else {
		q.first = x.next
	}
	if x.next != 0 {
		s.at[x.next].prev = x.prev
	} else {
		q.last = x.prev
	}
	q.bytes -= uint64(x.size)
}

// A ghost is a queue of evicted objects, up to a number of bytes.
type ghost struct {
	queue
	most uint64
}

// remember takes in an object that has left its queue. The oldest are forgotten, or this
// one, if it is too large.
func (g *ghost) remember(s *objectStore, i uint32) {
	n := uint64(s.at[i].size)
	if n > g.most {
		s.forget(i)
		return
	}
	for g.bytes+n > g.most {
		old := g.last
		s.remove(&g.queue, old)
		s.forget(old)
	}
	s.pushFirst(&g.queue, i)
}

// recall forgets the object in slot i, and reports whether there was one: 0 is none.
func (g *ghost) recall(s *objectStore, i uint32) bool {
	if i == 0 {
		return false
	}
	s.remove(&g.queue, i)
	s.forget(i)
	return true
}
