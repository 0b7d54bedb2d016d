package attention

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping/block"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/tile"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Loop is the tile loop of an attention: heads, blocks of positions, blocks of entries.
type Loop struct {
	BR, BC   int64 // positions and entries of a block
	parts    int64 // of the query heads that share keys, each with blocks of its own
	Resident bool  // keys and values of a head are read once

	arrayCost       // of all heads
	Vector    int64 // operations
	Computed  int64
	Steps     int64
	Time      int64 // cycles of the core: array and vector unit side by side, block by block
	slower    int64 // cycles of the slower of core and memory, block by block
	tail      int64 // cycles of the array after the last load
	Estimate  int64 // cycles with memory
	rank      int64 // what the objective time compares: the estimate and a little of the memory's effort
	Traffic   dma.Traffic
	KeyBytes  int64 // of Traffic.Filter, those of keys
	Queries   int64 // of Traffic.Ifmap, those of queries
}

// searchAttention finds the best loops, the best first. Blocks smaller than the array are looked at
// only if no larger ones fit, and for least time.
func searchAttention(a *Shape, h *machine.Machine, lanes int64, w dma.Tile, by tile.Goal, bar int64) ([]Loop, error) {
	side := max(h.Rows, h.Cols)
	rl, rs := block.Sizes(a.Q1-a.Q0, integer.Ceil(side, a.Group), integer.Ceil(h.Timing.Min, a.Group))
	cl, cs := block.Sizes(a.Keys, side, side)
	if w.M > 0 {
		rl, rs = []int64{min(w.M, a.Q1-a.Q0)}, nil
	}
	if w.N > 0 {
		cl, cs = []int64{min(w.N, a.Keys)}, nil
	}
	f := loopFinder{a: a, h: h, lanes: lanes, goal: by, bar: bar}
	for _, list := range [][2][]int64{{rl, cl}, {rs, cl}, {rl, cs}, {rs, cs}} {
		if by != tile.LeastTime && len(f.best) > 0 {
			break
		}
		f.try(list[0], list[1])
	}
	if by == tile.LeastTime {
		f.fill(w, append(rl, rs...), append(cl, cs...))
	}
	if len(f.best) > 0 || f.fits {
		return f.best, nil
	}
	smallest := func(large, small []int64) int64 { return slices.Min(append(slices.Clone(large), small...)) }
	return nil, a.overflow(h, smallest(rl, rs), smallest(cl, cs), false)
}

// A loopFinder looks for the best loops of an attention on a machine.
type loopFinder struct {
	a     *Shape
	h     *machine.Machine
	lanes int64
	goal  tile.Goal
	bar   int64 // for least time, no loop above this rank is of interest
	fits  bool  // a loop fits
	best  []Loop
}

// walkedLoops is how many loops of each machine are walked.
const walkedLoops = 16

// try tries blocks of so many positions and entries.
func (f *loopFinder) try(brs, bcs []int64) {
	for _, br := range brs {
		for _, bc := range bcs {
			f.one(br, bc)
		}
	}
}

// one tries a block of so many positions and entries.
func (f *loopFinder) one(br, bc int64) {
	a, h := f.a, f.h
	if f.hopeless(br, bc) {
		return
	}
	for _, resident := range []bool{true, false} {
		if a.overflow(h, br, bc, resident) == nil {
			f.enter(a.Loop(h, br, bc, resident, f.lanes))
			return // residents never read more
		}
	}
}

// fill tries the blocks that the buffers just hold: for each number of positions the most entries,
// for each number of entries the most positions, and as many blocks of equal size.
func (f *loopFinder) fill(w dma.Tile, brs, bcs []int64) {
	a, h := f.a, f.h
	if w.N == 0 {
		for _, br := range brs {
			f.try([]int64{br}, block.Filling(a.Keys, func(bc int64) bool { return a.overflow(h, br, bc, false) == nil }))
		}
	}
	if w.M == 0 {
		for _, bc := range bcs {
			f.try(block.Filling(a.Q1-a.Q0, func(br int64) bool { return a.overflow(h, br, bc, false) == nil }), []int64{bc})
		}
	}
}

// hopeless reports whether blocks of a size take longer than those that are known: they make too many
// steps (of two in a row, one is loaded with the latency of the memory), or the core has too much work
// with them, of which a block that is masked in part has at least the part that is not.
func (f *loopFinder) hopeless(br, bc int64) bool {
	if f.goal != tile.LeastTime || !f.fits {
		return false
	}
	a, h := f.a, f.h
	pairs := a.Mask.Pairs(a.Q0, a.Q1, a.Queries, a.Keys)
	steps := a.Heads * max(pairs/(br*bc), integer.Ceil(a.Q1-a.Q0, br))
	if steps*(h.Mem.Latency+2*h.Timing.Fold(1))/2 > f.limit() {
		return true
	}
	rows := a.Group * br
	scores, sums := productCost(h, rows, bc, a.Size, false), productCost(h, rows, a.Value, bc, true)
	each := max(scores.Cycles+sums.Cycles, rows*bc*(graph.OnlineElement+a.scoreOps)/f.lanes)
	return float64(a.Heads*pairs)/float64(br*bc)*float64(each) > float64(f.limit())
}

// limit is the rank up to which a loop is of interest. Where the best has too many steps for a walk,
// no other one is.
func (f *loopFinder) limit() int64 {
	switch n := len(f.best); {
	case n > 0 && f.best[0].Steps > tile.WalkedSteps:
		return min(f.bar, f.best[0].rank)
	case n == walkedLoops:
		return min(f.bar, f.best[n-1].rank)
	}
	return f.bar
}

// enter has a loop take its place among the best.
func (f *loopFinder) enter(x Loop) {
	f.fits = true
	if f.goal == tile.LeastTime && x.rank > f.limit() || slices.ContainsFunc(f.best, func(y Loop) bool { return y.BR == x.BR && y.BC == x.BC }) {
		return
	}
	most := walkedLoops
	if f.goal != tile.LeastTime {
		most = 1
	}
	at, _ := slices.BinarySearchFunc(f.best, &x, func(y Loop, x *Loop) int {
		if x.better(&y, f.goal) {
			return 1
		}
		return -1
	})
	if f.best = slices.Insert(f.best, at, x); len(f.best) > most {
		f.best = f.best[:most]
	}
}

// overflow says which buffer a block does not fit into.
func (a *Shape) overflow(h *machine.Machine, br, bc int64, resident bool) error {
	ifmap, filter, ofmap := a.Footprint(br, bc, resident)
	for _, b := range []struct {
		b          dma.Buffer
		need, half int64
	}{{dma.Ifmap, ifmap, h.Ifmap}, {dma.Filter, filter, h.Filter}, {dma.Ofmap, ofmap, h.Ofmap}} {
		if b.need > b.half {
			return fmt.Errorf("blocks of %d queries (x %d heads) and %d keys: %s needs %d B, %d B more than the %d B of half the buffer",
				br, a.Group, bc, b.b, b.need, b.need-b.half, b.half)
		}
	}
	return nil
}

// better reports whether x comes before y under the objective; equal ones are settled by
// larger blocks.
func (x *Loop) better(y *Loop, by tile.Goal) bool {
	t, c := cmp.Compare(x.Traffic.Total(), y.Traffic.Total()), cmp.Compare(x.Time, y.Time)
	switch by {
	case tile.LeastCycles:
		t, c = c, t
	case tile.LeastTime:
		c = cmp.Or(cmp.Compare(x.rank, y.rank), c)
		t, c = c, t
	}
	return cmp.Or(t, c, cmp.Compare(x.parts, y.parts), cmp.Compare(y.BR, x.BR), cmp.Compare(y.BC, x.BC)) < 0
}

// Loop adds up the blocks of a candidate. Blocks in which nothing is masked are alike and
// counted together.
func (a *Shape) Loop(h *machine.Machine, br, bc int64, resident bool, lanes int64) Loop {
	x := Loop{BR: br, BC: bc, parts: a.parts, Resident: resident}
	longest := int64(0)
	count := func(b *blockCost, times int64) {
		x.add(&b.Scores, times)
		x.add(&b.Sums, times)
		x.Vector += b.Vector * times
		x.Computed += b.computed * times
		x.Steps += times
		v := integer.Ceil(b.Vector, lanes)
		x.Time += max(b.Scores.Cycles+b.Sums.Cycles, v) * times
		longest = max(longest, v)
	}
	var slabs, entries int64
	pace := pacer{a: a, h: h, resident: resident}
	for q0 := a.Q0; q0 < a.Q1; q0 += br {
		q1 := min(q0+br, a.Q1)
		lo, hi := a.Span(q0, q1)
		entries += hi - lo
		var inner blockCost
		alike := int64(0)
		for k0 := lo / bc * bc; k0 < hi; k0 += bc {
			c0, c1 := max(k0, lo), min(k0+bc, hi)
			slabs += a.slabs * (q1 - q0) * a.slabWide.Size(c1-c0)
			first, last := c0 == lo, c1 == hi
			if !first && !last && a.full(q0, q1, c0, c1) {
				if alike == 0 {
					inner = a.Block(h, q0, q1, c0, c1, false, false)
				}
				alike++
				pace.next(&inner, lanes, q1-q0, c0, c1, false, false)
				continue
			}
			b := a.Block(h, q0, q1, c0, c1, first, last)
			count(&b, 1)
			pace.next(&b, lanes, q1-q0, c0, c1, first, last)
			x.tail = b.Sums.Cycles + h.Timing.End
		}
		count(&inner, alike)
	}
	x.slower = pace.cycles
	if resident {
		lo, hi := a.Span(a.Q0, a.Q1)
		entries = hi - lo
	}
	for _, n := range []*int64{&x.Folds, &x.Stream, &x.Cycles, &x.Rows, &x.Cols, &x.Vector, &x.Computed, &x.Steps, &x.Time, &x.slower,
		&x.Acc.IfmapReads, &x.Acc.FilterReads, &x.Acc.OfmapReads, &x.Acc.OfmapWrites} {
		*n *= a.Heads
	}
	x.Acc.OfmapReads += x.Computed // by the vector unit
	x.Steps += stagesBehind
	x.Cycles += h.Timing.Start + h.Timing.End
	x.Time += h.Timing.Start + h.Timing.End + longest // the pipeline fills once
	rows := a.Heads * a.Group * (a.Q1 - a.Q0)
	x.Queries = a.QWide.Size(rows * a.Size)
	x.KeyBytes = a.Heads * a.KWide.Size(entries*a.Size)
	x.Traffic = dma.Traffic{Ifmap: x.Queries + a.Heads*slabs + a.held, Filter: a.Heads * a.entryBytes(entries), Output: a.OWide.Size(rows*a.Value) + rows*a.statBytes}
	a.withMemory(h, &x)
	return x
}

// A pacer adds up the slower of core and memory from block to block: while a block is computed, the
// next one is loaded.
type pacer struct {
	a        *Shape
	h        *machine.Machine
	resident bool
	read     int64 // entries before it are on the chip, where they stay
	work     int64 // cycles of the block before
	store    int64 // bytes of results of the block before
	bytes    int64 // of the last block loaded, and the time of that
	busy     int64
	cycles   int64
}

// next goes on to a block of so many positions and entries [from, to).
func (p *pacer) next(b *blockCost, lanes, positions, from, to int64, first, last bool) {
	a, rows := p.a, p.a.Group*positions
	bytes := p.store + a.slabs*positions*a.slabWide.Size(to-from)
	if p.resident {
		from = min(to, max(from, p.read))
		p.read = max(p.read, to)
	}
	bytes += a.entryBytes(to - from)
	p.store = 0
	if first {
		bytes += a.QWide.Size(rows * a.Size)
	}
	if last {
		p.store = a.OWide.Size(rows * a.Value)
	}
	if bytes != p.bytes {
		p.bytes, p.busy = bytes, p.h.Mem.Busy(bytes, p.h.Mem.Requests(1, bytes)+2)
	}
	p.cycles += max(p.work, p.busy)
	p.work = max(b.Scores.Cycles+b.Sums.Cycles, integer.Ceil(b.Vector, lanes))
}

// withMemory estimates the cycles of a loop with array and memory in parallel: the slower of both,
// after the first keys and queries have been loaded, which nothing hides, and before the last
// block is stored. Of two blocks in a row one is computed and one loaded with its latency, as in
// tile.Solution.timeOn, and the memory is spared as there. Where the memory is the slower, the array has the
// last block left after the last load; where keys stay on the chip, they are loaded with the first
// block of positions of a head, and its other blocks wait for little.
func (a *Shape) withMemory(h *machine.Machine, x *Loop) {
	mem := &h.Mem
	requests := func(bytes, runs int64) int64 { return mem.Requests(1, bytes) + runs }
	rows, entries := min(x.BR, a.Q1-a.Q0), min(x.BC, a.Keys)
	begin := a.slabs*rows*a.slabWide.Size(entries) + a.KWide.Size(entries*a.Size) + a.QWide.Size(rows*a.Group*a.Size) + a.held
	all, end := x.Traffic.Total(), a.OWide.Size(rows*a.Group*a.Value)
	n := requests(all, 2*x.Steps)
	busy, first, last := mem.Busy(all, n), mem.Busy(begin, requests(begin, 1+a.Group)), mem.Busy(end, requests(end, a.Group))
	rest := max(0, busy-first)
	x.Estimate = mem.Latency + first + max(x.Time+last, rest+x.tail, (x.Time+rest+last+x.Steps*mem.Latency)/2, x.slower-first+x.tail+last) + mem.Latency
	x.rank = x.Estimate + (busy+n)/tile.EffortShare
}

// stagesBehind is how many blocks the weighted sum is behind the scores: the softmax of
// a block runs during the scores of the next one and the sum of the one before.
const stagesBehind = 2
