package gemmini

import (
	"errors"
	"fmt"
	"math/bits"
)

// A Layer is a call of the library: a convolution or a product.
type Layer struct {
	conv   *Conv
	matmul Matmul
}

// Convolution is a call of the convolution.
func Convolution(c Conv) Layer { return Layer{conv: &c} }

// Product is a call of the product.
func Product(p Matmul) Layer { return Layer{matmul: p} }

// Own is the library's own tiling, and the processor's cycles before the first tile.
func (l Layer) Own(m *Machine) (Tiling, int) {
	if l.conv == nil {
		return l.matmul.Own(m), m.Software.Start
	}
	t, probes := l.conv.Own(m)
	return t, m.Software.Start + probes*m.Software.Probe
}

// Rows is rows of the scratchpad and of the accumulators that a full tile takes.
func (l Layer) Rows(m *Machine, t *Tiling) (scratchpad, accumulator int) {
	if l.conv != nil {
		tile := t.Tile
		for i, n := range l.conv.size() {
			tile[i] = min(tile[i], n)
		}
		return l.conv.rowsOf(&tile, m.Dim)
	}
	i, j, k := blocksOf(t.Tile[dimP], m.Dim), blocksOf(t.Tile[dimK], m.Dim), blocksOf(t.Tile[dimC], m.Dim)
	return (i*k + k*j) * m.Dim, i * j * m.Dim
}

// operands are the first bytes and sizes of inputs, weights and results.
func (l Layer) operands() [3]int64 {
	if c := l.conv; c != nil {
		return [3]int64{int64(c.Batch*c.InRows*c.InCols) * int64(c.Channels), int64(c.KernelRows*c.KernelCols*c.Channels) * int64(c.Filters),
			int64(c.Batch*c.OutRows*c.OutCols) * int64(c.Filters)}
	}
	p := l.matmul
	return [3]int64{int64(p.M) * int64(p.K), int64(p.K) * int64(p.N), int64(p.M) * int64(p.N)}
}

// A Stream carries out layers one after another on one machine. Each layer's weights lie after
// those before; a layer reads its inputs where the layer before wrote its results.
type Stream struct {
	m     *Machine
	mem   *shared
	place place
}

// A place says where operands are.
type place struct{ input, weight, output int64 }

// NewStream begins with empty caches.
func NewStream(m *Machine) *Stream {
	return &Stream{m: m, mem: newShared(m), place: place{inputAt, weightAt, outputAt}}
}

// Hold fills the caches with the layer's operands: the last level, and with both the shared cache
// too, which otherwise is empty.
func (s *Stream) Hold(l Layer, both bool) {
	s.mem = newShared(s.m)
	n := l.operands()
	for i, at := range [3]int64{s.place.input, s.place.weight, s.place.output} {
		s.mem.warm(at, n[i], i == 2)
	}
	if !both {
		s.mem.tags = newTags(s.m.Memory.Bytes, s.m.Memory.Ways, s.m.Memory.Line)
	}
}

// Run carries out a layer under a tiling, after some cycles of the processor.
func (s *Stream) Run(l Layer, t Tiling, start int) Result {
	var p Program
	if l.conv != nil {
		p = l.conv.program(t, start, s.place)
	} else {
		p = l.matmul.program(s.m, t, start, s.place)
	}
	hits, misses, written := s.mem.hits, s.mem.missed, s.mem.written
	s.mem.rest()
	out := run(s.m, p, s.mem)
	out.Hits, out.Misses, out.WrittenBack = out.Hits-hits, out.Misses-misses, out.WrittenBack-written
	n := l.operands()
	const page = 4096
	s.place.weight += (n[1] + page - 1) / page * page
	return out
}

// Turn makes the results of what was run the inputs of what comes.
func (s *Stream) Turn() { s.place.input, s.place.output = s.place.output, s.place.input }

// Add counts another result in.
func (r *Result) Add(o Result) {
	r.Cycles += o.Cycles
	r.Busy += o.Busy
	r.Loops += o.Loops
	r.Commands += o.Commands
	r.Read += o.Read
	r.Written += o.Written
	r.Hits += o.Hits
	r.Misses += o.Misses
	r.WrittenBack += o.WrittenBack
}

// Check reports sizes that no machine can have.
func (m *Machine) Check() error {
	var errs []error
	for _, x := range []struct {
		name    string
		n, unit int
	}{{"the scratchpad", m.ScratchpadRows, 2 * m.ScratchpadBanks}, {"the accumulators", m.AccumulatorRows, 2},
		{"the library's scratchpad", m.Software.ScratchpadRows, 2}, {"the library's accumulators", m.Software.AccumulatorRows, 2}} {
		if x.n < 2*m.Dim || x.n%x.unit != 0 {
			errs = append(errs, fmt.Errorf("%s has %d rows (want a multiple of %d, at least %d)", x.name, x.n, x.unit, 2*m.Dim))
		}
	}
	if m.Software.ScratchpadRows > m.ScratchpadRows || m.Software.AccumulatorRows > m.AccumulatorRows {
		errs = append(errs, errors.New("the library was compiled for larger memories than the hardware has"))
	}
	for _, x := range []struct {
		name       string
		bytes, row int
	}{{"cache", m.Memory.Bytes, m.Memory.Ways * m.Memory.Line}, {"last_level", m.Memory.Below.Bytes, m.Memory.Below.Ways * m.Memory.Below.Block}} {
		if n := x.bytes / x.row; n < 1 || x.bytes%x.row != 0 || bits.OnesCount(uint(n)) != 1 {
			errs = append(errs, fmt.Errorf("%s is %d bytes (want a power of two times %d)", x.name, x.bytes, x.row))
		}
	}
	return errors.Join(errs...)
}

// Fits reports a tiling whose tiles do not fit into half of both memories, whatever the layer.
func (m *Machine) Fits(t *Tiling) error {
	c := Conv{Stride: 1}
	scratchpad, accumulator := c.rowsOf(&t.Tile, m.Dim)
	if scratchpad > m.ScratchpadRows/2 || accumulator > m.AccumulatorRows/2 {
		return fmt.Errorf("a tile takes %d rows of the scratchpad and %d of the accumulators (half of the hardware has %d and %d)", scratchpad, accumulator, m.ScratchpadRows/2, m.AccumulatorRows/2)
	}
	return nil
}
