package streamed

import (
	"slices"

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

// A flow is the streams of a kernel, in the making.
type flow struct {
	w             *work.Share
	to            []stream
	reads, writes float64 // bytes of the tensors
}

// streams are those of operator op of a share, which is a kernel. What stays on the chip for now is
// taken off the results alone, what was there, or is read again, of the operands: each has its part.
func streams(to []stream, w *work.Share, op int, k *Kernel) []stream {
	f := flow{w: w, to: to[:0]}
	if k.Ops == nil {
		f.operator(op)
	}
	for n, i := range k.Ops {
		f.operator(i)
		if !k.Exchanged {
			f.inside(k.Ops[:n])
		}
	}
	written := k.Written // of the results
	if !k.Exact {
		written = max(f.writes-k.Late, 0)
	}
	written = min(written, k.Bytes)
	f.divide(k.Bytes-written, written, k.Exact)
	return f.to
}

// add appends a part of a tensor, from one of its bytes on.
func (f *flow) add(id graph.TensorID, write bool, from, most uint64) {
	for i := range f.to {
		if s := &f.to[i]; s.id == id && s.write == write {
			return
		}
	}
	n := min(uint64(f.w.Graph.Tensors[id].Bytes())-from, most)
	if n == 0 {
		return
	}
	s := stream{id: id, size: n, left: n, write: write}
	if f.w.Spread != nil {
		s.spread = f.w.Spread(id)
	}
	if s.base = from; s.spread == nil {
		s.base += f.w.Base(id)
	}
	f.to = append(f.to, s)
	if write {
		f.writes += float64(n)
	} else {
		f.reads += float64(n)
	}
}

// inside takes the operands that operators before the last have made off the reads.
func (f *flow) inside(before []int) {
	f.to = slices.DeleteFunc(f.to, func(s stream) bool {
		if s.write {
			return false
		}
		for _, i := range before {
			if slices.Contains(f.w.Graph.Ops[i].Out, s.id) {
				f.reads -= float64(s.size)
				return true
			}
		}
		return false
	})
}

// operator adds what an operator reads and writes.
func (f *flow) operator(op int) {
	const all = uint64(1) << 62
	g := f.w.Graph
	o, _ := fuse.Epilogue(g, op)
	if o == nil {
		o = &g.Ops[op]
	}
	for i, id := range o.In {
		if id == graph.None || slices.Contains(o.In[:i], id) {
			continue
		}
		from, most := uint64(0), all
		d := g.Tensors[id].DType
		switch k := o.Kind.(type) {
		case graph.Gather:
			if i == 0 {
				most = uint64(d.Bytes(k.Rows * k.Cols))
			}
		case graph.Move:
			most = uint64(d.Bytes(k.Elements))
		case graph.MatMul: // the stages of a kernel share the second matrix
			if bytes := uint64(g.Tensors[id].Bytes()); i == 1 && k.Stages > 1 {
				from = bytes * uint64(k.Stage) / uint64(k.Stages)
				most = bytes*uint64(k.Stage+1)/uint64(k.Stages) - from
			}
		}
		f.add(id, false, from, most)
	}
	for _, id := range o.Out {
		most := all
		if k, ok := o.Kind.(graph.Move); ok {
			most = uint64(g.Tensors[id].DType.Bytes(k.Elements))
		}
		f.add(id, true, 0, most)
	}
}

// divide gives each stream its part of the bytes that are read and written. With whole, operands that
// no operator makes are read in full before others, if bytes are left out at all.
func (f *flow) divide(read, written float64, whole bool) {
	reads, writes := parts{total: read, of: f.reads}, parts{total: written, of: f.writes}
	if whole = whole && read < f.reads; whole {
		for i := range f.to {
			if s := &f.to[i]; !s.write && f.lasting(s.id) {
				s.total = min(s.size, uint64(reads.total))
				reads.total -= float64(s.total)
				reads.of -= float64(s.size)
			}
		}
	}
	for i := range f.to {
		s := &f.to[i]
		switch {
		case s.write:
			s.total = writes.next(s.size)
		case !whole || !f.lasting(s.id):
			s.total = reads.next(s.size)
		}
		s.left = s.total
	}
}

// lasting reports whether a tensor was there before the model ran.
func (f *flow) lasting(id graph.TensorID) bool {
	r := f.w.Graph.Tensors[id].Role
	return r == graph.Weight || r == graph.KV
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

// many is the streams of a kernel from which on it takes them in turn, as the products of many experts.
const many = 32

// A queue is the streams of a kernel, and where it is if they are many.
type queue struct {
	list        []stream
	read, write int
}

// next is the stream of which the least has gone, so that all end together, of those that may go, or of
// many the first; nil: none has anything to send.
func (q *queue) next(p *pace) *stream {
	if len(q.list) > many {
		if s := q.after(&q.read, false); s != nil && p.may(false) {
			return s
		}
		if s := q.after(&q.write, true); s != nil && p.may(true) {
			return s
		}
		return nil
	}
	var best *stream
	for i := range q.list {
		s := &q.list[i]
		if s.left > 0 && p.may(s.write) && (best == nil || float64(s.left)*float64(best.total) > float64(best.left)*float64(s.total)) {
			best = s
		}
	}
	return best
}

// after is the first stream in one direction, from one on, that has something to send.
func (q *queue) after(from *int, write bool) *stream {
	for ; *from < len(q.list); *from++ {
		if s := &q.list[*from]; s.write == write && s.left > 0 {
			return s
		}
	}
	return nil
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
