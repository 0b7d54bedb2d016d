package policy

// A Recency keeps the ways of every set in a doubly linked list. Only ways that hold a line are
// in it.
type Recency struct {
	ways int
	link []link // [set*(ways+1)+way]; the last of a set is its head: next is the first, prev the last way
}

// link holds neighbours as way numbers; the number of ways is the head.
type link struct{ next, prev uint32 }

func NewRecency(g Geometry) Recency {
	r := Recency{g.Ways, make([]link, g.Sets*(g.Ways+1))}
	for s := range g.Sets {
		r.link[s*(g.Ways+1)+g.Ways] = link{uint32(g.Ways), uint32(g.Ways)}
	}
	return r
}

func (r *Recency) set(set int) []link { return r.link[set*(r.ways+1) : (set+1)*(r.ways+1)] }

// first and last return the ends of a list that is not empty.
func (r *Recency) first(set int) int { return int(r.set(set)[r.ways].next) }
func (r *Recency) Last(set int) int  { return int(r.set(set)[r.ways].prev) }

// Remove takes way out of the list.
func (r *Recency) Remove(set, way int) {
	l := r.set(set)
	n := l[way]
	l[n.prev].next = n.next
	l[n.next].prev = n.prev
}

// PushFirst inserts way, which must not be in the list, at the front.
func (r *Recency) PushFirst(set, way int) {
	l := r.set(set)
	h := &l[r.ways]
	l[way] = link{h.next, uint32(r.ways)}
	l[h.next].prev = uint32(way)
	h.next = uint32(way)
}

// pushLast puts way, which is in no list, at the end.
func (r *Recency) pushLast(set, way int) {
	l := r.set(set)
	h := &l[r.ways]
	l[way] = link{uint32(r.ways), h.prev}
	l[h.prev].next = uint32(way)
	h.prev = uint32(way)
}

// Touch moves way to the front.
func (r *Recency) Touch(set, way int) {
	if r.first(set) != way {
		r.Remove(set, way)
		r.PushFirst(set, way)
	}
}

// Replace puts by, which must not be in the list, in the place of way.
func (r *Recency) Replace(set, way, by int) {
	l := r.set(set)
	n := l[way]
	l[by] = n
	l[n.prev].next, l[n.next].prev = uint32(by), uint32(by)
}
