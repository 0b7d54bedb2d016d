package mapping

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping/block"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A loop is the tile loop of an attention: heads, blocks of positions, blocks of entries.
type loop struct {
	br, bc   int64 // positions and entries of a block
	parts    int64 // of the query heads that share keys, each with blocks of its own
	resident bool  // keys and values of a head are read once

	arrayCost       // of all heads
	vector    int64 // operations
	computed  int64
	steps     int64
	time      int64 // cycles of the core: array and vector unit side by side, block by block
	slower    int64 // cycles of the slower of core and memory, block by block
	tail      int64 // cycles of the array after the last load
	estimate  int64 // cycles with memory
	rank      int64 // what the objective time compares: the estimate and a little of the memory's effort
	traffic   Traffic
	keyBytes  int64 // of Traffic.Filter, those of keys
	queries   int64 // of Traffic.Ifmap, those of queries
}

// searchAttention finds the best loops, the best first. Blocks smaller than the array are looked at
// only if no larger ones fit, and for least time.
func searchAttention(a *attention, h *machine, lanes int64, w Tile, by goal, bar int64) ([]loop, error) {
	side := max(h.rows, h.cols)
	rl, rs := block.Sizes(a.q1-a.q0, ceil(side, a.group), ceil(h.timing.Min, a.group))
	cl, cs := block.Sizes(a.keys, side, side)
	if w.M > 0 {
		rl, rs = []int64{min(w.M, a.q1-a.q0)}, nil
	}
	if w.N > 0 {
		cl, cs = []int64{min(w.N, a.keys)}, nil
	}
	f := loopFinder{a: a, h: h, lanes: lanes, goal: by, bar: bar}
	for _, list := range [][2][]int64{{rl, cl}, {rs, cl}, {rl, cs}, {rs, cs}} {
		if by != leastTime && len(f.best) > 0 {
			break
		}
		f.try(list[0], list[1])
	}
	if by == leastTime {
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
	a     *attention
	h     *machine
	lanes int64
	goal  goal
	bar   int64 // for least time, no loop above this rank is of interest
	fits  bool  // a loop fits
	best  []loop
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
			f.enter(a.loop(h, br, bc, resident, f.lanes))
			return // residents never read more
		}
	}
}

// fill tries the blocks that the buffers just hold: for each number of positions the most entries,
// for each number of entries the most positions, and as many blocks of equal size.
func (f *loopFinder) fill(w Tile, brs, bcs []int64) {
	a, h := f.a, f.h
	if w.N == 0 {
		for _, br := range brs {
			f.try([]int64{br}, block.Filling(a.keys, func(bc int64) bool { return a.overflow(h, br, bc, false) == nil }))
		}
	}
	if w.M == 0 {
		for _, bc := range bcs {
			f.try(block.Filling(a.q1-a.q0, func(br int64) bool { return a.overflow(h, br, bc, false) == nil }), []int64{bc})
		}
	}
}

// hopeless reports whether blocks of a size take longer than those that are known: they make too many
// steps (of two in a row, one is loaded with the latency of the memory), or the core has too much work
// with them, of which a block that is masked in part has at least the part that is not.
func (f *loopFinder) hopeless(br, bc int64) bool {
	if f.goal != leastTime || !f.fits {
		return false
	}
	a, h := f.a, f.h
	pairs := a.mask.Pairs(a.q0, a.q1, a.queries, a.keys)
	steps := a.heads * max(pairs/(br*bc), ceil(a.q1-a.q0, br))
	if steps*(h.mem.Latency+2*h.timing.Fold(1))/2 > f.limit() {
		return true
	}
	rows := a.group * br
	scores, sums := h.product(rows, bc, a.size, false), h.product(rows, a.value, bc, true)
	each := max(scores.cycles+sums.cycles, rows*bc*(graph.OnlineElement+a.scoreOps)/f.lanes)
	return float64(a.heads*pairs)/float64(br*bc)*float64(each) > float64(f.limit())
}

// limit is the rank up to which a loop is of interest. Where the best has too many steps for a walk,
// no other one is.
func (f *loopFinder) limit() int64 {
	switch n := len(f.best); {
	case n > 0 && f.best[0].steps > walkedSteps:
		return min(f.bar, f.best[0].rank)
	case n == walkedLoops:
		return min(f.bar, f.best[n-1].rank)
	}
	return f.bar
}

// enter has a loop take its place among the best.
func (f *loopFinder) enter(x loop) {
	f.fits = true
	if f.goal == leastTime && x.rank > f.limit() || slices.ContainsFunc(f.best, func(y loop) bool { return y.br == x.br && y.bc == x.bc }) {
		return
	}
	most := walkedLoops
	if f.goal != leastTime {
		most = 1
	}
	at, _ := slices.BinarySearchFunc(f.best, &x, func(y loop, x *loop) int {
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
func (a *attention) overflow(h *machine, br, bc int64, resident bool) error {
	ifmap, filter, ofmap := a.footprint(br, bc, resident)
	for _, b := range []struct {
		b          Buffer
		need, half int64
	}{{Ifmap, ifmap, h.ifmap}, {Filter, filter, h.filter}, {Ofmap, ofmap, h.ofmap}} {
		if b.need > b.half {
			return fmt.Errorf("blocks of %d queries (x %d heads) and %d keys: %s needs %d B, %d B more than the %d B of half the buffer",
				br, a.group, bc, b.b, b.need, b.need-b.half, b.half)
		}
	}
	return nil
}

// better reports whether x comes before y under the objective; equal ones are settled by
// larger blocks.
func (x *loop) better(y *loop, by goal) bool {
	t, c := cmp.Compare(x.traffic.Total(), y.traffic.Total()), cmp.Compare(x.time, y.time)
	switch by {
	case leastCycles:
		t, c = c, t
	case leastTime:
		c = cmp.Or(cmp.Compare(x.rank, y.rank), c)
		t, c = c, t
	}
	return cmp.Or(t, c, cmp.Compare(x.parts, y.parts), cmp.Compare(y.br, x.br), cmp.Compare(y.bc, x.bc)) < 0
}

// loop adds up the blocks of a candidate. Blocks in which nothing is masked are alike and
// counted together.
func (a *attention) loop(h *machine, br, bc int64, resident bool, lanes int64) loop {
	x := loop{br: br, bc: bc, parts: a.parts, resident: resident}
	longest := int64(0)
	count := func(b *blockCost, times int64) {
		x.add(&b.scores, times)
		x.add(&b.sums, times)
		x.vector += b.vector * times
		x.computed += b.computed * times
		x.steps += times
		v := ceil(b.vector, lanes)
		x.time += max(b.scores.cycles+b.sums.cycles, v) * times
		longest = max(longest, v)
	}
	var slabs, entries int64
	pace := pacer{a: a, h: h, resident: resident}
	for q0 := a.q0; q0 < a.q1; q0 += br {
		q1 := min(q0+br, a.q1)
		lo, hi := a.span(q0, q1)
		entries += hi - lo
		var inner blockCost
		alike := int64(0)
		for k0 := lo / bc * bc; k0 < hi; k0 += bc {
			c0, c1 := max(k0, lo), min(k0+bc, hi)
			slabs += a.slabs * (q1 - q0) * size(c1-c0, a.slabWide)
			first, last := c0 == lo, c1 == hi
			if !first && !last && a.full(q0, q1, c0, c1) {
				if alike == 0 {
					inner = a.block(h, q0, q1, c0, c1, false, false)
				}
				alike++
				pace.next(&inner, lanes, q1-q0, c0, c1, false, false)
				continue
			}
			b := a.block(h, q0, q1, c0, c1, first, last)
			count(&b, 1)
			pace.next(&b, lanes, q1-q0, c0, c1, first, last)
			x.tail = b.sums.cycles + h.timing.End
		}
		count(&inner, alike)
	}
	x.slower = pace.cycles
	if resident {
		lo, hi := a.span(a.q0, a.q1)
		entries = hi - lo
	}
	for _, n := range []*int64{&x.folds, &x.stream, &x.cycles, &x.rows, &x.cols, &x.vector, &x.computed, &x.steps, &x.time, &x.slower,
		&x.acc.IfmapReads, &x.acc.FilterReads, &x.acc.OfmapReads, &x.acc.OfmapWrites} {
		*n *= a.heads
	}
	x.acc.OfmapReads += x.computed // by the vector unit
	x.steps += stagesBehind
	x.cycles += h.timing.Start + h.timing.End
	x.time += h.timing.Start + h.timing.End + longest // the pipeline fills once
	rows := a.heads * a.group * (a.q1 - a.q0)
	x.queries = size(rows*a.size, a.qWide)
	x.keyBytes = a.heads * size(entries*a.size, a.kWide)
	x.traffic = Traffic{Ifmap: x.queries + a.heads*slabs + a.held, Filter: a.heads * a.entryBytes(entries), Output: size(rows*a.value, a.oWide) + rows*a.statBytes}
	a.withMemory(h, &x)
	return x
}

// A pacer adds up the slower of core and memory from block to block: while a block is computed, the
// next one is loaded.
type pacer struct {
	a        *attention
	h        *machine
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
	a, rows := p.a, p.a.group*positions
	bytes := p.store + a.slabs*positions*size(to-from, a.slabWide)
	if p.resident {
		from = min(to, max(from, p.read))
		p.read = max(p.read, to)
	}
	bytes += a.entryBytes(to - from)
	p.store = 0
	if first {
		bytes += size(rows*a.size, a.qWide)
	}
	if last {
		p.store = size(rows*a.value, a.oWide)
	}
	if bytes != p.bytes {
		p.bytes, p.busy = bytes, p.h.mem.time(bytes, p.h.mem.requests(1, bytes)+2)
	}
	p.cycles += max(p.work, p.busy)
	p.work = max(b.scores.cycles+b.sums.cycles, ceil(b.vector, lanes))
}

// withMemory estimates the cycles of a loop with array and memory in parallel: the slower of both,
// after the first keys and queries have been loaded, which nothing hides, and before the last
// block is stored. Of two blocks in a row one is computed and one loaded with its latency, as in
// shape.time, and the memory is spared as there. Where the memory is the slower, the array has the
// last block left after the last load; where keys stay on the chip, they are loaded with the first
// block of positions of a head, and its other blocks wait for little.
func (a *attention) withMemory(h *machine, x *loop) {
	mem := &h.mem
	requests := func(bytes, runs int64) int64 { return mem.requests(1, bytes) + runs }
	rows, entries := min(x.br, a.q1-a.q0), min(x.bc, a.keys)
	begin := a.slabs*rows*size(entries, a.slabWide) + size(entries*a.size, a.kWide) + size(rows*a.group*a.size, a.qWide) + a.held
	all, end := x.traffic.Total(), size(rows*a.group*a.value, a.oWide)
	n := requests(all, 2*x.steps)
	busy, first, last := mem.time(all, n), mem.time(begin, requests(begin, 1+a.group)), mem.time(end, requests(end, a.group))
	rest := max(0, busy-first)
	x.estimate = mem.Latency + first + max(x.time+last, rest+x.tail, (x.time+rest+last+x.steps*mem.Latency)/2, x.slower-first+x.tail+last) + mem.Latency
	x.rank = x.estimate + (busy+n)/effortShare
}

// stagesBehind is how many blocks the weighted sum is behind the scores: the softmax of
// a block runs during the scores of the next one and the sum of the one before.
const stagesBehind = 2
