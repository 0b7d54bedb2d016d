package communicator

import (
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A span is cycles in which so many transfers had kernels on the chip, and what these moved of its
// memory in each cycle.
type span struct {
	from, to uint64
	kernels  int
	bytes    float64
}

// running is how many transfers have kernels on the chip, and the bytes of its memory that they
// move in a cycle.
func (c *Comp) running() (n int, bytes float64) {
	shares := c.shares()
	for _, f := range c.flows {
		if f.begun && !f.sent {
			n++
		}
		if f.moves() {
			bytes += f.memory / shares[f.on]
		}
	}
	return n, bytes
}

// took notes the kernels of the cycles up to one, since the flows have moved last.
func (c *Comp) took(cycle uint64) {
	if !c.noted || cycle <= c.group.last {
		return
	}
	if n, bytes := c.running(); n > 0 {
		c.spans.Push(span{c.group.last, cycle, n, bytes})
	}
}

// Note implements work.Communicator.
func (c *Comp) Note() { c.noted = c.spec.Blocks > 0 }

// Taken implements work.Communicator.
func (c *Comp) Taken(from, to units.Time) (sum work.Taking) {
	if !c.noted {
		return sum
	}
	c.group.mutex.Lock()
	defer c.group.mutex.Unlock()
	cycles := func(t units.Time) float64 { return float64(t) / float64(units.Nanosecond) / c.clock.Nanoseconds(1) }
	a, b := cycles(from), cycles(to)
	for c.spans.Len() > 0 && float64(c.spans.At(0).to) <= a {
		c.spans.Drop()
	}
	add := func(n float64, kernels int, bytes float64) {
		sum.SMs += n * float64(kernels)
		sum.Bytes += n * bytes
		if kernels > 0 {
			sum.Time += n * c.clock.Nanoseconds(1) * 1e-9
		}
	}
	for i := range c.spans.Len() {
		s := c.spans.At(i)
		add(max(0, min(b, float64(s.to))-max(a, float64(s.from))), s.kernels, s.bytes)
	}
	n, bytes := c.running()
	add(max(0, b-max(a, float64(c.group.last))), n, bytes)
	sum.SMs *= float64(c.spec.Blocks) * c.clock.Nanoseconds(1) * 1e-9
	return sum
}

// accesses is how often a kernel of a transfer reads or writes the chip's memory for each byte that
// the chip receives. A sender writes into a buffer in the receiver's memory; the receiver reads it,
// adds it to its own or writes it to its place, and passes it on. What is sent first is read besides.
//
// Source: NCCL, src/device/prims_simple.h (recvReduceSend, recvCopySend; protocol Simple).
//
// assumption: buffers of all channels go through the L2 faster than it keeps them.
var accesses = map[string]float64{"all_gather": 3, "reduce_scatter": 3, "all_reduce": 6, "all_to_all": 4, "send": 4}

// traffic is the bytes of the chip's memory that a transfer moves.
func traffic(t *graph.Transfer) float64 {
	n := 1.0 // of whose bytes each rank receives a part
	if r := float64(t.Among.Count); t.Func != "send" && t.Func != "recv" && r > 0 {
		n = (r - 1) / r
	}
	return accesses[t.Func] * n * float64(whole(t))
}
