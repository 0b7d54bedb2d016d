package cxl

import "github.com/causeway-sim/causeway/memory/cxl/link"

// A step is what happens to a line at a known time.
type step uint8

const (
	stepIssue   step = iota // reaches the root port's packer
	stepForward             // reaches the packer of the next link
	stepMemory              // reaches the device's place in front of its memory
	stepReply               // reaches the packer towards the host
	stepLocal               // reaches the port of the local memory
	stepDone                // is back at the host
	stepLook                // reaches the host's cache of coherent lines
	stepNote                // a coherence message reaches the machine that it is for
	stepFetch               // a line of a machine reaches the port of the local memory
	stepBrought             // and the machine
	stepDev                 // an access of an accelerator reaches its cache
)

// outside tells whether a step may have an effect that others see.
func (s step) outside() bool { return s == stepMemory || s >= stepLocal }

type event struct {
	at    int64
	order uint64
	line  int32
	step  step
}

func (e *event) before(o *event) bool {
	return e.at < o.at || e.at == o.at && e.order < o.order
}

// calendar is a heap of events; at equal times the first that was put in comes
// first.
type calendar struct{ heap []event }

func (c *calendar) next() int64 {
	if len(c.heap) == 0 {
		return link.Never
	}
	return c.heap[0].at
}

func (c *calendar) push(e event) {
	c.heap = append(c.heap, e)
	h := c.heap
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !e.before(&h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = e
}

func (c *calendar) pop() event {
	h := c.heap
	top := h[0]
	n := len(h) - 1
	e := h[n]
	c.heap = h[:n]
	h = c.heap
	if n == 0 {
		return top
	}
	i := 0
	for {
		best := 4*i + 1
		if best >= n {
			break
		}
		for k := best + 1; k < min(best+4, n); k++ {
			if h[k].before(&h[best]) {
				best = k
			}
		}
		if !h[best].before(&e) {
			break
		}
		h[i] = h[best]
		i = best
	}
	h[i] = e
	return top
}
