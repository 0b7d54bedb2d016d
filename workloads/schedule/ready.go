package schedule

// readyLists are, by executor and by the model that they were made of, requests with operators
// issued of which the executor may get another one: a heap of each by arrival. A request is put
// in when something of it has changed. One that may get nothing any more is taken out when it is
// the first.
type readyLists struct {
	heaps [][][]*Request
	scans uint64 // requests looked at, for tests
}

// readyOf is the first of the requests of a model that executor e may get an operator of; nil:
// there is none.
func (s *State) readyOf(e int, model int32) (r *Request, op int32) {
	s.gather()
	if int(model) >= len(s.lists.heaps[e]) {
		return nil, 0
	}
	heap := &s.lists.heaps[e][model]
	for len(*heap) > 0 {
		r := (*heap)[0]
		s.lists.scans++
		if r.issued > 0 {
			if op, ok := s.First(r, e); ok {
				return r, op
			}
		}
		r.listed[e/64] &^= 1 << (e % 64)
		pop(heap)
	}
	return nil, 0
}

// gather begins the lists with the requests that are there.
func (s *State) gather() {
	if s.lists != nil {
		return
	}
	s.lists = &readyLists{heaps: make([][][]*Request, len(s.Executors))}
	for _, r := range s.started {
		s.list(r)
	}
}

// list puts a request into the lists of the executors that may get an operator of it.
func (s *State) list(r *Request) {
	if s.lists == nil || r.issued == 0 || len(r.candidate) == 0 {
		return
	}
	if r.listed == nil {
		r.listed = make([]uint64, (len(s.Executors)+63)/64)
	}
	for _, e := range s.Models[r.Model].places {
		if r.listed[e/64]>>(e%64)&1 == 1 {
			continue
		}
		s.lists.scans++
		if _, ok := s.First(r, e); !ok {
			continue
		}
		r.listed[e/64] |= 1 << (e % 64)
		for int(r.Of) >= len(s.lists.heaps[e]) {
			s.lists.heaps[e] = append(s.lists.heaps[e], nil)
		}
		push(&s.lists.heaps[e][r.Of], r)
	}
}

func push(heap *[]*Request, r *Request) {
	h := append(*heap, r)
	for i := len(h) - 1; i > 0 && h[i].ID < h[(i-1)/2].ID; i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
	*heap = h
}

func pop(heap *[]*Request) {
	h := *heap
	last := len(h) - 1
	h[0], h[last] = h[last], nil
	h = h[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c+1 < last && h[c+1].ID < h[c].ID {
			c++
		}
		if c >= last || h[i].ID <= h[c].ID {
			break
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
	*heap = h
}
