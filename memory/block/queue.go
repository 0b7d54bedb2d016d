package block

// Queues as in components/ring, of one type each, since they are used several times per cycle.
// They are not cleared: what requests point to is reused anyway.

type requests struct {
	buf      []Request // its length is a power of two
	first, n int
}

func (r *requests) at(i int) *Request { return &r.buf[(r.first+i)&(len(r.buf)-1)] }

// push makes room for one at the end, to be filled.
func (r *requests) push() *Request {
	if r.n == len(r.buf) {
		r.grow()
	}
	r.n++
	return r.at(r.n - 1)
}

func (r *requests) grow() {
	buf := make([]Request, max(16, 2*len(r.buf)))
	for i := range r.n {
		buf[i] = *r.at(i)
	}
	r.buf, r.first = buf, 0
}

func (r *requests) pop() {
	r.first = (r.first + 1) & (len(r.buf) - 1)
	r.n--
}

type answers struct {
	buf      []Answer // its length is a power of two
	first, n int
}

func (r *answers) at(i int) *Answer { return &r.buf[(r.first+i)&(len(r.buf)-1)] }

func (r *answers) push(a Answer) {
	if r.n == len(r.buf) {
		r.grow()
	}
	r.n++
	*r.at(r.n - 1) = a
}

func (r *answers) grow() {
	buf := make([]Answer, max(16, 2*len(r.buf)))
	for i := range r.n {
		buf[i] = *r.at(i)
	}
	r.buf, r.first = buf, 0
}

func (r *answers) pop() Answer {
	a := *r.at(0)
	r.first = (r.first + 1) & (len(r.buf) - 1)
	r.n--
	return a
}
