package gpu

import (
	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A pace holds the tiles of a product to their operands: a step of the main loops of a round
// begins when the one before it has ended and its operands are here, fetched a few steps ahead.
// Results of a round leave when it has ended.
type pace struct {
	steps, each   int // of all rounds, and of one; 0: nothing waits
	ahead         int
	reads, writes uint64 // bytes of the kernel
	asked, came   uint64 // of the reads
	left          uint64 // of the writes, those that have gone
	cycles        uint64 // of all steps
	done          int
	until         uint64 // cycle in which the step under way has ended; 0: none is
}

// paceOf is that of an operator's kernel, whose tiles take so many cycles.
func (t *Tile) paceOf(kind graph.Kind, cost kernel.Cost, cycles uint64) (p pace) {
	m, ok := kind.(graph.MatMul)
	if !ok || t.spec.Ahead == 0 || cost.Rounds == 0 || cycles == 0 {
		return p
	}
	p = pace{each: cost.Tile.Steps(m.K), ahead: t.spec.Ahead, cycles: cycles}
	p.steps = p.each * cost.Rounds
	for i := range t.streams {
		if s := &t.streams[i]; s.write {
			p.writes += s.total
		} else {
			p.reads += s.total
		}
	}
	return p
}

// part is n steps of all, of some bytes or cycles.
func (p *pace) part(of uint64, n int) uint64 {
	if n >= p.steps {
		return of
	}
	return uint64(float64(of) * float64(n) / float64(p.steps))
}

// may reports whether a byte of a stream may go now.
func (p *pace) may(s *stream) bool {
	switch {
	case p.steps == 0:
		return true
	case s.write:
		return p.left < p.part(p.writes, p.done/p.each*p.each)
	}
	return p.asked < p.part(p.reads, p.done+1+p.ahead)
}

// sent notes bytes of a stream that go.
func (p *pace) sent(s *stream, n uint64) {
	if s.write {
		p.left += n
	} else {
		p.asked += n
	}
}

// advance works on steps until a cycle. wake is when the one under way ends, 0 if its
// operands are waited for, or all have ended; more says that others may be fetched now.
func (p *pace) advance(cycle uint64) (wake uint64, more bool) {
	for p.done < p.steps {
		if p.until == 0 {
			if p.came < p.part(p.reads, p.done+1) {
				return 0, more
			}
			p.until = cycle + p.part(p.cycles, p.done+1) - p.part(p.cycles, p.done)
		}
		if cycle < p.until {
			return p.until, more
		}
		p.done++
		p.until, more = 0, true
	}
	return 0, more
}

// over reports whether all steps have ended.
func (p *pace) over() bool { return p.done == p.steps }
