package vector

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/layout"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/accelerators/mapping/tile"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Work is vector work: operands pass through the ifmap buffer (parameters
// through the filter buffer), results through the ofmap buffer, in parts of
// equal length. A part is a range of units: rows of a softmax or norm, elements
// of the result of anything else. Operands and results move in proportion.
type Work struct {
	operands []flow
	results  []flow
	first    []flow // parameters that are read once, with the first part
	again    []flow // parameters that do not fit: read again with every row
	Units    int64  // of the share
	per      int64  // units of a part, if a unit fits
	Slices   int64  // else parts of a unit: 0
	twice    bool   // a unit in slices passes twice: for its statistics and for its results
	Ops      int64  // operations of the share
	moved    int64  // elements of the share that pass the lanes at least
	Steps    int64
	Cycles   int64 // of the vector unit
	Traffic  dma.Traffic
	Acc      dma.Accesses
	Once     bool // rows that pass twice for their statistics have them already
}

// A flow is a range of a tensor that streams by. A table is read in rows that
// are spread over it.
type flow struct {
	tensor   graph.TensorID
	buffer   dma.Buffer
	from, to int64 // elements
	wide     graph.Unit
	row      int64         // elements of a row of a table; 0: no table
	stride   int64         // elements between the rows that are read
	lines    layout.Matrix // of a tiled matrix that goes by in rows; no columns: anything else
}

// part is the transfer of the pieces [a,b) when the stream is cut into "of" pieces.
func (f *flow) part(dst []dma.Transfer, a, b, of int64) []dma.Transfer {
	if f.row > 0 {
		rows := (f.to - f.from) / f.row
		if rows < of { // a slice of one row
			n := of / rows
			lo, hi := f.wide.Offset(integer.Scale(f.row, a%n, n)), f.wide.Offset(integer.Scale(f.row, a%n+1, n))
			if a%n+1 == n {
				hi = f.wide.Size(f.row)
			}
			return append(dst, dma.Transfer{Tensor: f.tensor, Buffer: f.buffer, Offset: f.wide.Offset((f.from/f.row+a/n)*f.stride) + lo,
				RowBytes: hi - lo, Rows: 1, Planes: 1})
		}
		lo, hi := integer.Scale(rows, a, of), integer.Scale(rows, b, of)
		if hi == lo {
			return dst
		}
		return append(dst, dma.Transfer{Tensor: f.tensor, Buffer: f.buffer, Offset: f.wide.Offset((f.from/f.row + lo) * f.stride),
			RowBytes: f.wide.Size(f.row), Rows: hi - lo, Stride: f.wide.Offset(f.stride), Planes: 1})
	}
	if f.lines.Cols > 0 {
		return f.tiled(dst, a, b, of)
	}
	lo, hi := f.bytesAt(a, of), f.bytesAt(b, of)
	if hi == lo {
		return dst
	}
	return append(dst, dma.Transfer{Tensor: f.tensor, Buffer: f.buffer, Offset: lo, RowBytes: hi - lo, Rows: 1, Planes: 1})
}

// tiled is part of a tiled matrix: rows of it, or a slice of one row.
func (f *flow) tiled(dst []dma.Transfer, a, b, of int64) []dma.Transfer {
	t := dma.Transfer{Tensor: f.tensor, Buffer: f.buffer}
	first, rows := f.from/f.lines.Cols, (f.to-f.from)/f.lines.Cols
	if rows < of { // the parts of a row do not reach into the next one
		n := of / rows
		lo, hi := integer.Scale(f.lines.Cols, a%n, n), integer.Scale(f.lines.Cols, a%n+1, n)
		return f.lines.Region(dst, t, first+a/n, first+a/n+1, lo, hi)
	}
	return f.lines.Region(dst, t, first+integer.Scale(rows, a, of), first+integer.Scale(rows, b, of), 0, f.lines.Cols)
}

// bytesAt is the byte of the tensor that the flow has reached after a out of "of"
// units.
func (f *flow) bytesAt(a, of int64) int64 {
	if a == of {
		return f.wide.Size(f.to)
	}
	return f.wide.Offset(f.from + integer.Scale(f.to-f.from, a, of))
}

func (f *flow) bytes() int64 {
	if f.row > 0 {
		return (f.to - f.from) / f.row * f.wide.Size(f.row)
	}
	return f.bytesAt(1, 1) - f.bytesAt(0, 1)
}

// partBytes is the least that a part of vector work moves, unless the buffers
// are smaller. assumption: DMA bursts of a few KiB.
const partBytes = 4 << 10

// Divide divides the work of op, or the share cut out of "of" equal ones (of 0: all), into parts for
// the buffers of a core; lies says how a tensor lies in memory. False is returned if there is none.
func (s *Work) Divide(op *graph.Op, g *graph.Graph, core *machine.Core, cut product.Part, of int64, lies func(graph.TensorID) layout.Arrangement) (ok bool, err error) {
	s.flows(g, op)
	rows := false
	switch k := op.Kind.(type) {
	case graph.Softmax:
		s.Units, rows = k.Rows, true
	case graph.Norm:
		if k.Rule().Scope.Sums() {
			s.Units, rows = k.Rows, true
		}
	case graph.Gather:
		s.Units = k.Rows
	}
	if s.Units == 0 { // elements of whatever is largest
		for _, f := range slices.Concat(s.operands, s.results) {
			s.Units = max(s.Units, f.to)
		}
	}
	if s.Units == 0 {
		return false, nil
	}
	if of == 0 {
		cut, of = product.Part{From: 0, To: 1}, 1
	}
	_, gather := op.Kind.(graph.Gather)
	if rows || gather {
		s.inBlocks(lies)
	}
	half := [3]int64{int64(core.SRAM.Ifmap / 2), int64(core.SRAM.Filter / 2), int64(core.SRAM.Ofmap / 2)}
	k, norm := op.Kind.(graph.Norm)
	half[dma.Filter] = s.hold(half[dma.Filter], rows, norm && k.Rule().Scope == graph.OverRow)
	s.share(cut, of)
	if s.Units == 0 {
		return false, nil
	}
	s.twice = rows && !s.Once
	if err := s.fit(half, rows || gather); err != nil {
		return false, err
	}
	s.count()
	s.Steps = integer.Ceil(s.Units, max(s.per, 1))
	if s.Slices > 0 {
		s.Steps = s.Units * s.passes() * s.Slices
	}
	s.Cycles = integer.Ceil(max(s.Ops, s.moved), int64(max(core.Lanes, 1)))
	return true, nil
}

// count adds up what moves and what the vector unit reads and writes.
func (s *Work) count() {
	passes, t, acc := s.passes(), &s.Traffic, &s.Acc
	for i := range s.operands {
		switch f := &s.operands[i]; f.buffer {
		case dma.Filter:
			t.Filter += f.bytes() * passes
			acc.FilterReads += (f.to - f.from) * passes
		default:
			t.Ifmap += f.bytes() * passes
			acc.IfmapReads += (f.to - f.from) * passes
		}
	}
	for i := range s.first {
		t.Filter += s.first[i].bytes()
		acc.FilterReads += s.first[i].to - s.first[i].from
	}
	for i := range s.again {
		t.Filter += s.again[i].bytes() * s.Units
		acc.FilterReads += (s.again[i].to - s.again[i].from) * s.Units
	}
	for i := range s.results {
		t.Output += s.results[i].bytes()
		acc.OfmapWrites += s.results[i].to - s.results[i].from
	}
}

// inBlocks has tiled matrices go by in rows. Operators that go by elements take them as they
// lie, all of them alike (ties).
func (s *Work) inBlocks(lies func(graph.TensorID) layout.Arrangement) {
	for _, set := range [][]flow{s.operands, s.results} {
		for i := range set {
			if f := &set[i]; lies(f.tensor).Block > 0 {
				f.lines = layout.Matrix{Rows: s.Units, Cols: f.to / s.Units, Layout: lies(f.tensor), Wide: f.wide}
			}
		}
	}
}

// flows lists what the operator reads and writes, as graph.Footprint counts it.
func (s *Work) flows(g *graph.Graph, op *graph.Op) {
	bound := int64(-1)
	if k, ok := op.Kind.(graph.Move); ok {
		bound = k.Elements
	}
	take := func(id graph.TensorID, b dma.Buffer, left *int64) flow {
		t := g.Tensor(id)
		n := t.Padded()
		if *left >= 0 && *left < t.Elements() {
			n = *left
		}
		if *left >= 0 {
			*left -= min(*left, t.Elements())
		}
		return flow{tensor: id, buffer: b, to: n, wide: t.Unit()}
	}
	left, moved := bound, int64(0)
	for i, id := range op.In {
		if id == graph.None || slices.Contains(op.In[:i], id) {
			continue
		}
		b := dma.Ifmap
		if g.Tensor(id).Role == graph.Weight {
			b = dma.Filter
		}
		f := take(id, b, &left)
		if k, ok := op.Kind.(graph.Gather); ok && i == 0 {
			f.buffer, f.to, f.row, f.stride = dma.Ifmap, k.Rows*k.Cols, k.Cols, max(1, k.Table/max(k.Rows, 1))*k.Cols
			if k.Rows > k.Table { // rows come again: read the first ones as often as fits
				f.stride = 0
			}
		}
		if f.to > 0 {
			s.operands = append(s.operands, f)
		}
	}
	left = bound
	for _, id := range op.Out {
		if f := take(id, dma.Ofmap, &left); f.to > 0 {
			s.results = append(s.results, f)
			moved += f.to
		}
	}
	s.moved = moved
}

// hold reads small parameters once, with the first part: scales and shifts of a
// norm serve every row. Those that do not fit come again with every row if each
// row needs all of them, else once, in proportion. It returns what is left of
// the buffer.
func (s *Work) hold(half int64, rows, all bool) int64 {
	s.operands = slices.DeleteFunc(s.operands, func(f flow) bool {
		switch {
		case f.buffer != dma.Filter || !rows && f.to >= s.Units:
			return false
		case f.bytes() <= half:
			half -= f.bytes()
			s.first = append(s.first, f)
		case all:
			s.again = append(s.again, f)
		default:
			return false
		}
		return true
	})
	return half
}

// share keeps the shares [from, to) out of "of" equal ones.
func (s *Work) share(p product.Part, of int64) {
	lo, hi := integer.Scale(s.Units, p.From, of), integer.Scale(s.Units, p.To, of)
	narrow := func(f *flow) {
		n, row := f.to, max(f.row, 1)
		f.from, f.to = integer.Scale(n/row, lo, s.Units)*row, integer.Scale(n/row, hi, s.Units)*row
	}
	for i := range s.operands {
		narrow(&s.operands[i])
	}
	for i := range s.results {
		narrow(&s.results[i])
	}
	s.Ops = integer.Scale(s.Ops, hi, s.Units) - integer.Scale(s.Ops, lo, s.Units)
	s.moved = integer.Scale(s.moved, hi, s.Units) - integer.Scale(s.moved, lo, s.Units)
	s.Units = hi - lo
}

// passes is how often the operands stream by.
func (s *Work) passes() int64 {
	if s.Slices > 0 && s.twice {
		return 2
	}
	return 1
}

// fit chooses the length of the parts: as long as half of each buffer allows,
// but at least StepsPerTile parts where these are not tiny. Rows that do not fit
// pass in slices.
func (s *Work) fit(half [3]int64, rows bool) error {
	s.per = max(1, min(s.Units, integer.Ceil(s.Units, tile.StepsPerTile)))
	total := int64(0)
	for _, set := range [][]flow{s.operands, s.results} {
		for i := range set {
			total += set[i].bytes()
		}
	}
	if total > 0 {
		s.per = min(s.Units, max(s.per, integer.Ceil(partBytes*s.Units, total)))
	}
	for s.per > 1 && s.overflow(half, s.per, s.Units) != nil {
		s.per = integer.Ceil(s.per, 2)
	}
	err := s.overflow(half, s.per, s.Units)
	if err == nil || !rows {
		return err
	}
	longest := int64(1)
	for _, f := range slices.Concat(s.operands, s.results) {
		longest = max(longest, integer.Ceil(f.to-f.from, s.Units))
	}
	for s.Slices = 2; s.Slices < 2*longest; s.Slices *= 2 {
		if err = s.overflow(half, 1, s.Units*s.Slices); err == nil {
			return nil
		}
	}
	return err
}

// overflow reports the buffer that is too small for a pieces out of "of" units.
func (s *Work) overflow(half [3]int64, a, of int64) error {
	for b, n := range s.part(a, of) {
		if n > half[b] {
			return fmt.Errorf("smallest part: %s needs %d B, %d B more than the %d B of half the buffer", dma.Buffer(b), n, n-half[b], half[b])
		}
	}
	return nil
}

// Need is the bytes that a part takes in each buffer, with the parameters that stay.
func (s *Work) Need() [3]int64 {
	a, of := s.per, s.Units
	if s.Slices > 0 {
		a, of = 1, s.Units*s.Slices
	}
	need := s.part(a, of)
	for i := range s.first {
		need[dma.Filter] += s.first[i].bytes()
	}
	return need
}

// part is the bytes that a pieces out of "of" units take in each buffer.
func (s *Work) part(a, of int64) (need [3]int64) {
	for _, set := range [][]flow{s.operands, s.results} {
		for i := range set {
			f := &set[i]
			n := f.to - f.from
			if f.row > 0 && of == s.Units {
				need[f.buffer] += integer.CeilScale(n/f.row, a, of) * f.wide.Size(f.row)
				continue
			}
			need[f.buffer] += f.wide.Size(integer.CeilScale(n, a, of))
			if f.wide.Partial() { // a part may begin and end inside a unit
				need[f.buffer] += f.wide.Bytes
			}
		}
	}
	for i := range s.again { // a slice of it; all of it where rows are whole
		f := &s.again[i]
		need[f.buffer] += f.wide.Size(integer.CeilScale(f.to-f.from, 1, max(1, s.Slices)))
		if f.wide.Partial() {
			need[f.buffer] += f.wide.Bytes
		}
	}
	return need
}

// A Walk yields the parts of vector work in order.
type Walk struct {
	s    *Work
	part int64 // that comes next
}

// Reset starts the walk over s; nil has no parts.
func (w *Walk) Reset(s *Work) { *w = Walk{s: s} }

// Next fills st with the next part; false at the end.
func (w *Walk) Next(st *dma.Step) bool {
	st.Loads, st.Stores = st.Loads[:0], st.Stores[:0]
	s := w.s
	if s == nil || w.part == s.Steps {
		return false
	}
	if w.part == 0 {
		for i := range s.first {
			st.Loads = s.first[i].part(st.Loads, 0, 1, 1)
		}
	}
	a, b, of, second := w.part*s.per, min((w.part+1)*s.per, s.Units), s.Units, true
	if s.Slices > 0 { // row, pass, slice
		row, rest := w.part/(s.passes()*s.Slices), w.part%(s.passes()*s.Slices)
		second = !s.twice || rest >= s.Slices
		a = row*s.Slices + rest%s.Slices
		b, of = a+1, s.Units*s.Slices
	}
	for i := range s.operands {
		st.Loads = s.operands[i].part(st.Loads, a, b, of)
	}
	if second {
		for i := range s.again {
			st.Loads = s.again[i].part(st.Loads, a%s.Slices, a%s.Slices+1, s.Slices)
		}
		for i := range s.results {
			st.Stores = s.results[i].part(st.Stores, a, b, of)
		}
	}
	w.part++
	// operations spread evenly over the steps' share of the units
	n := s.Cycles
	st.MACs = 0
	if s.Slices > 0 {
		st.Cycles = integer.Scale(n, w.part, s.Steps) - integer.Scale(n, w.part-1, s.Steps)
	} else {
		st.Cycles = integer.Scale(n, b, of) - integer.Scale(n, a, of)
	}
	return true
}
