package mapping

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A stream is vector work: operands pass through the ifmap buffer (parameters
// through the filter buffer), results through the ofmap buffer, in parts of
// equal length. A part is a range of units: rows of a softmax or norm, elements
// of the result of anything else. Operands and results move in proportion.
type stream struct {
	operands []flow
	results  []flow
	first    []flow // parameters that are read once, with the first part
	again    []flow // parameters that do not fit: read again with every row
	units    int64  // of the share
	per      int64  // units of a part, if a unit fits
	slices   int64  // else parts of a unit: 0
	twice    bool   // a unit in slices passes twice: for its statistics and for its results
	ops      int64  // operations of the share
	moved    int64  // elements of the share that pass the lanes at least
}

// A flow is a range of a tensor that streams by. A table is read in rows that
// are spread over it.
type flow struct {
	tensor   graph.TensorID
	buffer   Buffer
	from, to int64 // elements
	wide     width
	row      int64  // elements of a row of a table; 0: no table
	stride   int64  // elements between the rows that are read
	lines    matrix // of a tiled matrix that goes by in rows; no columns: anything else
}

// part is the transfer of the pieces [a,b) when the stream is cut into "of" pieces.
func (f *flow) part(dst []Transfer, a, b, of int64) []Transfer {
	if f.row > 0 {
		rows := (f.to - f.from) / f.row
		if rows < of { // a slice of one row
			n := of / rows
			lo, hi := offset(scale(f.row, a%n, n), f.wide), offset(scale(f.row, a%n+1, n), f.wide)
			if a%n+1 == n {
				hi = size(f.row, f.wide)
			}
			return append(dst, Transfer{Tensor: f.tensor, Buffer: f.buffer, Offset: offset((f.from/f.row+a/n)*f.stride, f.wide) + lo,
				RowBytes: hi - lo, Rows: 1, Planes: 1})
		}
		lo, hi := scale(rows, a, of), scale(rows, b, of)
		if hi == lo {
			return dst
		}
		return append(dst, Transfer{Tensor: f.tensor, Buffer: f.buffer, Offset: offset((f.from/f.row+lo)*f.stride, f.wide),
			RowBytes: size(f.row, f.wide), Rows: hi - lo, Stride: offset(f.stride, f.wide), Planes: 1})
	}
	if f.lines.cols > 0 {
		return f.tiled(dst, a, b, of)
	}
	lo, hi := f.bytesAt(a, of), f.bytesAt(b, of)
	if hi == lo {
		return dst
	}
	return append(dst, Transfer{Tensor: f.tensor, Buffer: f.buffer, Offset: lo, RowBytes: hi - lo, Rows: 1, Planes: 1})
}

// tiled is part of a tiled matrix: rows of it, or a slice of one row.
func (f *flow) tiled(dst []Transfer, a, b, of int64) []Transfer {
	t := Transfer{Tensor: f.tensor, Buffer: f.buffer}
	first, rows := f.from/f.lines.cols, (f.to-f.from)/f.lines.cols
	if rows < of { // the parts of a row do not reach into the next one
		n := of / rows
		lo, hi := scale(f.lines.cols, a%n, n), scale(f.lines.cols, a%n+1, n)
		return f.lines.region(dst, t, first+a/n, first+a/n+1, lo, hi)
	}
	return f.lines.region(dst, t, first+scale(rows, a, of), first+scale(rows, b, of), 0, f.lines.cols)
}

// bytesAt is the byte of the tensor that the flow has reached after a out of "of"
// units.
func (f *flow) bytesAt(a, of int64) int64 {
	if a == of {
		return size(f.to, f.wide)
	}
	return offset(f.from+scale(f.to-f.from, a, of), f.wide)
}

func (f *flow) bytes() int64 {
	if f.row > 0 {
		return (f.to - f.from) / f.row * size(f.row, f.wide)
	}
	return f.bytesAt(1, 1) - f.bytesAt(0, 1)
}

// scale is n*a/of rounded down, for a up to of.
func scale(n, a, of int64) int64 {
	if n == of {
		return a
	}
	hi, lo := bits.Mul64(uint64(n), uint64(a))
	q, _ := bits.Div64(hi, lo, uint64(of))
	return int64(q)
}

// partBytes is the least that a part of vector work moves, unless the buffers
// are smaller. assumption: DMA bursts of a few KiB.
const partBytes = 4 << 10

// stream plans vector work, or the share cut out of "of" equal ones (of 0:
// all).
func (x *Mapper) stream(op *graph.Op, g *graph.Graph, core Core, cut part, of int64) (*Plan, error) {
	p := &Plan{Op: op, lanes: int64(max(core.Lanes, 1)), s: &noShape, h: &noMachine, sol: &noSolution}
	if k, ok := op.Kind.(graph.Move); ok && k.Elements == 0 {
		return p, nil
	}
	s := &stream{ops: op.VectorOps() + x.norms[op]}
	s.flows(g, op)
	rows := false
	switch k := op.Kind.(type) {
	case graph.Softmax:
		s.units, rows = k.Rows, true
	case graph.Norm:
		if k.Rule().Scope.Sums() {
			s.units, rows = k.Rows, true
		}
	case graph.Gather:
		s.units = k.Rows
	}
	if s.units == 0 { // elements of whatever is largest
		for _, f := range slices.Concat(s.operands, s.results) {
			s.units = max(s.units, f.to)
		}
	}
	if s.units == 0 {
		return p, nil
	}
	if of == 0 {
		cut, of = part{0, 1}, 1
	}
	if rows || isGather(op) {
		x.inBlocks(s)
	}
	half := [3]int64{int64(core.SRAM.Ifmap / 2), int64(core.SRAM.Filter / 2), int64(core.SRAM.Ofmap / 2)}
	k, norm := op.Kind.(graph.Norm)
	half[Filter] = s.hold(half[Filter], rows, norm && k.Rule().Scope == graph.OverRow)
	s.share(cut, of)
	if s.units == 0 {
		return p, nil
	}
	_, gather := op.Kind.(graph.Gather)
	s.twice = rows && x.norms[op] == 0
	if err := s.fit(half, rows || gather); err != nil {
		return nil, fmt.Errorf("%s: %w", op.Name, err)
	}
	passes := s.passes()
	for i := range s.operands {
		switch f := &s.operands[i]; f.buffer {
		case Filter:
			p.Traffic.Filter += f.bytes() * passes
			p.SRAM.FilterReads += (f.to - f.from) * passes
		default:
			p.Traffic.Ifmap += f.bytes() * passes
			p.SRAM.IfmapReads += (f.to - f.from) * passes
		}
	}
	for i := range s.first {
		p.Traffic.Filter += s.first[i].bytes()
		p.SRAM.FilterReads += s.first[i].to - s.first[i].from
	}
	for i := range s.again {
		p.Traffic.Filter += s.again[i].bytes() * s.units
		p.SRAM.FilterReads += (s.again[i].to - s.again[i].from) * s.units
	}
	for i := range s.results {
		p.Traffic.Output += s.results[i].bytes()
		p.SRAM.OfmapWrites += s.results[i].to - s.results[i].from
	}
	p.work = s
	p.Vector = s.ops
	p.Steps = ceil(s.units, max(s.per, 1))
	if s.slices > 0 {
		p.Steps = s.units * passes * s.slices
	}
	p.Cycles = ceil(max(s.ops, s.moved), p.lanes)
	p.Time = max(p.Cycles, core.Memory.time(p.Traffic.Total(), 0)) + 2*core.Memory.Latency
	return p, nil
}

func isGather(op *graph.Op) bool { _, ok := op.Kind.(graph.Gather); return ok }

// inBlocks has tiled matrices go by in rows. Operators that go by elements take them as they
// lie, all of them alike (ties).
func (x *Mapper) inBlocks(s *stream) {
	for _, set := range [][]flow{s.operands, s.results} {
		for i := range set {
			if f := &set[i]; x.lies(f.tensor).block > 0 {
				f.lines = matrix{s.units, f.to / s.units, x.lies(f.tensor), f.wide}
			}
		}
	}
}

// flows lists what the operator reads and writes, as graph.Footprint counts it.
func (s *stream) flows(g *graph.Graph, op *graph.Op) {
	bound := int64(-1)
	if k, ok := op.Kind.(graph.Move); ok {
		bound = k.Elements
	}
	take := func(id graph.TensorID, b Buffer, left *int64) flow {
		t := g.Tensor(id)
		n := t.Padded()
		if *left >= 0 && *left < t.Elements() {
			n = *left
		}
		if *left >= 0 {
			*left -= min(*left, t.Elements())
		}
		return flow{tensor: id, buffer: b, to: n, wide: widthOf(t)}
	}
	left, moved := bound, int64(0)
	for i, id := range op.In {
		if id == graph.None || slices.Contains(op.In[:i], id) {
			continue
		}
		b := Ifmap
		if g.Tensor(id).Role == graph.Weight {
			b = Filter
		}
		f := take(id, b, &left)
		if k, ok := op.Kind.(graph.Gather); ok && i == 0 {
			f.buffer, f.to, f.row, f.stride = Ifmap, k.Rows*k.Cols, k.Cols, max(1, k.Table/max(k.Rows, 1))*k.Cols
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
		if f := take(id, Ofmap, &left); f.to > 0 {
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
func (s *stream) hold(half int64, rows, all bool) int64 {
	s.operands = slices.DeleteFunc(s.operands, func(f flow) bool {
		switch {
		case f.buffer != Filter || !rows && f.to >= s.units:
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
func (s *stream) share(p part, of int64) {
	lo, hi := scale(s.units, p.from, of), scale(s.units, p.to, of)
	narrow := func(f *flow) {
		n, row := f.to, max(f.row, 1)
		f.from, f.to = scale(n/row, lo, s.units)*row, scale(n/row, hi, s.units)*row
	}
	for i := range s.operands {
		narrow(&s.operands[i])
	}
	for i := range s.results {
		narrow(&s.results[i])
	}
	s.ops = scale(s.ops, hi, s.units) - scale(s.ops, lo, s.units)
	s.moved = scale(s.moved, hi, s.units) - scale(s.moved, lo, s.units)
	s.units = hi - lo
}

// passes is how often the operands stream by.
func (s *stream) passes() int64 {
	if s.slices > 0 && s.twice {
		return 2
	}
	return 1
}

// fit chooses the length of the parts: as long as half of each buffer allows,
// but at least stepsPerTile parts where these are not tiny. Rows that do not fit
// pass in slices.
func (s *stream) fit(half [3]int64, rows bool) error {
	s.per = max(1, min(s.units, ceil(s.units, stepsPerTile)))
	total := int64(0)
	for _, set := range [][]flow{s.operands, s.results} {
		for i := range set {
			total += set[i].bytes()
		}
	}
	if total > 0 {
		s.per = min(s.units, max(s.per, ceil(partBytes*s.units, total)))
	}
	for s.per > 1 && s.overflow(half, s.per, s.units) != nil {
		s.per = ceil(s.per, 2)
	}
	err := s.overflow(half, s.per, s.units)
	if err == nil || !rows {
		return err
	}
	longest := int64(1)
	for _, f := range slices.Concat(s.operands, s.results) {
		longest = max(longest, ceil(f.to-f.from, s.units))
	}
	for s.slices = 2; s.slices < 2*longest; s.slices *= 2 {
		if err = s.overflow(half, 1, s.units*s.slices); err == nil {
			return nil
		}
	}
	return err
}

// overflow reports the buffer that is too small for a pieces out of "of" units.
func (s *stream) overflow(half [3]int64, a, of int64) error {
	for b, n := range s.part(a, of) {
		if n > half[b] {
			return fmt.Errorf("smallest part: %s needs %d B, %d B more than the %d B of half the buffer", Buffer(b), n, n-half[b], half[b])
		}
	}
	return nil
}

// need is the bytes that a part takes in each buffer, with the parameters that stay.
func (s *stream) need() [3]int64 {
	a, of := s.per, s.units
	if s.slices > 0 {
		a, of = 1, s.units*s.slices
	}
	need := s.part(a, of)
	for i := range s.first {
		need[Filter] += s.first[i].bytes()
	}
	return need
}

// part is the bytes that a pieces out of "of" units take in each buffer.
func (s *stream) part(a, of int64) (need [3]int64) {
	for _, set := range [][]flow{s.operands, s.results} {
		for i := range set {
			f := &set[i]
			n := f.to - f.from
			if f.row > 0 && of == s.units {
				need[f.buffer] += ceilScale(n/f.row, a, of) * size(f.row, f.wide)
				continue
			}
			need[f.buffer] += size(ceilScale(n, a, of), f.wide)
			if partial(f.wide) { // a part may begin and end inside a unit
				need[f.buffer] += f.wide.Bytes
			}
		}
	}
	for i := range s.again { // a slice of it; all of it where rows are whole
		f := &s.again[i]
		need[f.buffer] += size(ceilScale(f.to-f.from, 1, max(1, s.slices)), f.wide)
		if partial(f.wide) {
			need[f.buffer] += f.wide.Bytes
		}
	}
	return need
}

// ceilScale is n*a/of rounded up.
func ceilScale(n, a, of int64) int64 {
	x := scale(n, a, of)
	hi, lo := bits.Mul64(uint64(n), uint64(a))
	if h, l := bits.Mul64(uint64(x), uint64(of)); h != hi || l != lo {
		x++
	}
	return x
}

// nextPart fills st with the next part of vector work.
func (w *Walker) nextPart(st *Step) bool {
	s := w.p.work
	if w.part == 0 {
		for i := range s.first {
			st.Loads = s.first[i].part(st.Loads, 0, 1, 1)
		}
	}
	a, b, of, second := w.part*s.per, min((w.part+1)*s.per, s.units), s.units, true
	if s.slices > 0 { // row, pass, slice
		row, rest := w.part/(s.passes()*s.slices), w.part%(s.passes()*s.slices)
		second = !s.twice || rest >= s.slices
		a = row*s.slices + rest%s.slices
		b, of = a+1, s.units*s.slices
	}
	for i := range s.operands {
		st.Loads = s.operands[i].part(st.Loads, a, b, of)
	}
	if second {
		for i := range s.again {
			st.Loads = s.again[i].part(st.Loads, a%s.slices, a%s.slices+1, s.slices)
		}
		for i := range s.results {
			st.Stores = s.results[i].part(st.Stores, a, b, of)
		}
	}
	w.part++
	// operations spread evenly over the steps' share of the units
	n := w.p.Cycles
	st.MACs = 0
	if s.slices > 0 {
		st.Cycles = scale(n, w.part, w.p.Steps) - scale(n, w.part-1, w.p.Steps)
	} else {
		st.Cycles = scale(n, b, of) - scale(n, a, of)
	}
	w.end = w.part == w.p.Steps
	return true
}
