package systolic

import (
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// buffers is the number of SRAMs.
const buffers = 3

// moved counts bytes by buffer.
type moved [buffers]uint64

// A layer is the record of one job.
type layer struct {
	job           *job
	start, end    uint64 // start: from here on the core belongs to this layer
	book          stalls
	read, written moved
	scores        uint64 // bytes of scores of attention, read and written
	kept, spilled uint64 // bytes of results: that stayed on the chip, that found no room
	macs          uint64 // of the steps computed
	energy        energy.Breakdown
}

// array is the cycles in which the array worked. Fused operators can keep the
// vector unit busy for longer.
func (l *layer) array() uint64 {
	if !l.job.Plan.Matrix {
		return 0
	}
	return uint64(l.job.Plan.Cycles)
}

// parts divides the cycles of compute. Where the vector unit works alone the whole
// array is without work, as rows and columns are that the mapping leaves empty: those
// cycles are mapping loss.
func (l *layer) parts() dataflow.Parts {
	p := l.job.Plan.Parts()
	p.Mapping += float64(l.book[compute] - l.array())
	return p
}

// count books the bytes of a transfer.
func (l *layer) count(t *dma.Transfer, store bool) {
	l.bytes(t.Tensor, t.Buffer, uint64(t.Bytes()), store)
}

func (l *layer) bytes(id graph.TensorID, b dma.Buffer, n uint64, store bool) {
	if id >= 0 && l.job.share.scores[id] {
		l.scores += n
	}
	if id >= 0 && l.job.spills(id) {
		l.spilled += n
	}
	if store {
		l.written[b] += n
	} else {
		l.read[b] += n
	}
}

// check tells what does not add up.
func (l *layer) check() error {
	name := l.job.share.Graph.Ops[l.job.Op].Name
	if p := l.parts(); min(p.Useful, p.Mapping, p.Fill, p.Drain) < -1e-6 || math.Abs(p.Total()-float64(l.book[compute])) > 1e-9*float64(l.book[compute]) {
		return fmt.Errorf("layer %s computed for %d cycles, of which %+v", name, l.book[compute], p)
	}
	if n := l.book.total(); n != l.end-l.start {
		return fmt.Errorf("layer %s took %d cycles, of which %d have a cause", name, l.end-l.start, n)
	}
	p := l.job.Plan
	if got, want := l.book[compute], uint64(p.Cycles); got < want || got > want && !p.Matrix {
		return fmt.Errorf("layer %s computed for %d cycles instead of %d", name, got, want)
	}
	if got, want := l.macs, uint64(p.MACs); got != want {
		return fmt.Errorf("layer %s did %d multiply-accumulates instead of %d", name, got, want)
	}
	if got, want := l.read[0]+l.read[1]+l.read[2]+l.written[0]+l.written[1]+l.written[2]+l.kept, uint64(p.Traffic.Total()); got != want {
		return fmt.Errorf("layer %s moved %d bytes instead of %d", name, got, want)
	}
	return nil
}

// totals is the sum over layers.
type totals struct {
	book                   stalls
	macs, vector, array    uint64
	skipped                uint64 // of macs
	read, written          moved
	scores, kept, spilled  uint64
	ifmap, filter, ofmapRd uint64 // SRAM accesses in elements
	ofmapWr                uint64
	energy                 energy.Breakdown
	parts                  dataflow.Parts
	work                   float64 // multiply-accumulates in words of the array
}

func (t *totals) add(l *layer) {
	p, part := l.job.Plan, l.parts()
	t.parts.Useful += part.Useful
	t.parts.Mapping += part.Mapping
	t.parts.Fill += part.Fill
	t.parts.Drain += part.Drain
	for i, n := range l.book {
		t.book[i] += n
	}
	for i := range l.read {
		t.read[i] += l.read[i]
		t.written[i] += l.written[i]
	}
	t.scores += l.scores
	t.kept += l.kept
	t.spilled += l.spilled
	t.energy = plus(t.energy, l.energy)
	t.macs += uint64(p.MACs)
	t.work += p.Work()
	t.skipped += uint64(p.Skipped())
	t.array += l.array()
	t.vector += uint64(p.Vector)
	t.ifmap += uint64(p.SRAM.IfmapReads)
	t.filter += uint64(p.SRAM.FilterReads)
	t.ofmapRd += uint64(p.SRAM.OfmapReads)
	t.ofmapWr += uint64(p.SRAM.OfmapWrites)
}

func (m moved) sum() (n uint64) {
	for _, x := range m {
		n += x
	}
	return n
}
