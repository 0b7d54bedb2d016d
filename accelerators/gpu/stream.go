package gpu

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/fuse"
)

// A stream is the bytes of one operand of a kernel that go to or come from memory, in
// the order of their addresses; a kernel that reads an operand again does so panel by
// panel.
type stream struct {
	id          graph.TensorID
	base, size  uint64         // of the tensor; of one in pieces base is the first byte of it
	spread      *memory.Spread // where its pieces lie; nil: it is one
	piece       int            // of the last byte
	left, total uint64         // bytes to be moved
	write       bool
}

// streams are those of an operator whose kernel has that cost. What stays in the L2 for
// now is taken off the results alone, what was there, or is read again, of the operands:
// each has its part.
func streams(to []stream, w *work.Share, op int, cost kernel.Cost) []stream {
	to = to[:0]
	o, _ := fuse.Epilogue(w.Graph, op)
	if o == nil {
		o = &w.Graph.Ops[op]
	}
	var reads, writes float64
	part := func(id graph.TensorID, write bool, from, most uint64) {
		t := &w.Graph.Tensors[id]
		n := min(uint64(t.Bytes())-from, most)
		if n > 0 {
			s := stream{id: id, size: n, left: n, write: write}
			if w.Spread != nil {
				s.spread = w.Spread(id)
			}
			if s.base = from; s.spread == nil {
				s.base += w.Base(id)
			}
			to = append(to, s)
			if write {
				writes += float64(n)
			} else {
				reads += float64(n)
			}
		}
	}
	add := func(id graph.TensorID, write bool, most uint64) { part(id, write, 0, most) }
	for i, id := range o.In {
		if id == graph.None || slices.Contains(o.In[:i], id) {
			continue
		}
		most := uint64(1) << 62
		d := w.Graph.Tensors[id].DType
		switch k := o.Kind.(type) {
		case graph.Gather:
			if i == 0 {
				most = uint64(d.Bytes(k.Rows * k.Cols))
			}
		case graph.Move:
			most = uint64(d.Bytes(k.Elements))
		case graph.MatMul: // the stages of a kernel share the second matrix
			if bytes := uint64(w.Graph.Tensors[id].Bytes()); i == 1 && k.Stages > 1 {
				from, to := bytes*uint64(k.Stage)/uint64(k.Stages), bytes*uint64(k.Stage+1)/uint64(k.Stages)
				part(id, false, from, to-from)
				continue
			}
		}
		add(id, false, most)
	}
	for _, id := range o.Out {
		most := uint64(1) << 62
		if k, ok := o.Kind.(graph.Move); ok {
			most = uint64(w.Graph.Tensors[id].DType.Bytes(k.Elements))
		}
		add(id, true, most)
	}
	left := min(max(writes-cost.Late, 0), cost.Bytes) // of the results
	read, written := parts{total: cost.Bytes - left, of: reads}, parts{total: left, of: writes}
	for i := range to {
		s := &to[i]
		if s.write {
			s.total = written.next(s.size)
		} else {
			s.total = read.next(s.size)
		}
		s.left = s.total
	}
	return to
}

// parts divide a total in whole bytes by the sizes of tensors: no byte of it is lost to the
// rounding of each.
type parts struct {
	total, of float64
	before    float64 // sizes of those that have their parts
	given     uint64
}

// next is the part of the tensor after those before.
func (p *parts) next(size uint64) uint64 {
	p.before += float64(size)
	all := uint64(p.total * (p.before / p.of) * (1 + 1e-15)) // but for the rounding error of a float
	n := all - p.given
	p.given = all
	return n
}

// next is the stream of which the least has gone, so that all end together, of those that
// may go; nil: none has anything to send.
func next(list []stream, p *pace) *stream {
	var best *stream
	for i := range list {
		s := &list[i]
		if s.left > 0 && p.may(s) && (best == nil || float64(s.left)*float64(best.total) > float64(best.left)*float64(s.total)) {
			best = s
		}
	}
	return best
}

// panel is the bytes of an operand that a kernel reads again before it goes on: tiles
// that share a panel run at the same time.
const panel = 1 << 20

// at is the address of the next byte, and how many follow it before the stream jumps.
func (s *stream) at() (addr, run uint64) {
	addr, run = s.place()
	return s.lies(addr, run)
}

// lies is where a byte of the tensor lies, of which so many may follow.
func (s *stream) lies(at, most uint64) (addr, run uint64) {
	if s.spread == nil {
		return at, most
	}
	addr, run, s.piece = s.spread.Find(at, s.piece)
	return addr, min(run, most)
}

// place is the next byte of the tensor, from its address, and how many follow it.
func (s *stream) place() (at, run uint64) {
	done := s.total - s.left
	if s.total <= s.size {
		return s.base + done, s.left
	}
	each := max(uint64(float64(panel)*float64(s.total)/float64(s.size)), panel) // bytes per panel, again and again
	i := min(done/each, (s.size-1)/panel)
	size := min(panel, s.size-i*panel)
	off := (done - i*each) % size
	return s.base + i*panel + off, min(s.left, size-off, max((i+1)*each, done+1)-done)
}
