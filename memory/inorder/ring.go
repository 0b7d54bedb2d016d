package inorder

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/task"
)

// pending is a request that is not answered yet.
type pending struct {
	due, at uint64 // cycles: of the answer, of the acceptance
	bytes   uint64
	req     sim.Msg // nil in a block
	tag     uint32  // of a request in a block
	data    []byte  // of a read, where the memory holds bytes
	task    task.ID
	counted bool // the answer
}

// ring is a queue that reuses its memory. Its length is a power of two.
type ring struct {
	buf      []pending
	first, n int
}

func (r *ring) push(p pending) {
	if r.n == len(r.buf) {
		r.grow()
	}
	r.buf[(r.first+r.n)&(len(r.buf)-1)] = p
	r.n++
}

func (r *ring) grow() {
	buf := make([]pending, max(16, 2*len(r.buf)))
	for i := range r.n {
		buf[i] = r.buf[(r.first+i)&(len(r.buf)-1)]
	}
	r.buf, r.first = buf, 0
}

func (r *ring) head() *pending { return r.at(0) }

// at is the i-th request.
func (r *ring) at(i int) *pending { return &r.buf[(r.first+i)&(len(r.buf)-1)] }

func (r *ring) pop() {
	r.buf[r.first].req, r.buf[r.first].data = nil, nil // the requester may reuse or drop it
	r.first = (r.first + 1) & (len(r.buf) - 1)
	r.n--
}
