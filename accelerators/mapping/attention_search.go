package mapping

import (
	"cmp"
	"fmt"
	"slices"
)

// A loop is the tile loop of an attention: heads, blocks of positions, blocks of entries.
type loop struct {
	br, bc   int64 // positions and entries of a block
	resident bool  // keys and values of a head are read once

	arrayCost       // of all heads
	vector    int64 // operations
	computed  int64
	steps     int64
	time      int64 // cycles of the core: array and vector unit side by side, block by block
	estimate  int64 // cycles with memory
	rank      int64 // what the objective time compares: the estimate and a little of the memory's effort
	traffic   Traffic
	keyBytes  int64 // of Traffic.Filter, those of keys
	queries   int64 // of Traffic.Ifmap, those of queries
}

// blocks lists the sizes of blocks of n that are tried: n in equal parts, and multiples of
// unit in steps of a power of two and once and a half. Blocks under least come last, for
// buffers that hold nothing else.
func blocks(n, unit, least int64) (large, small []int64) {
	var all []int64
	for parts := int64(1); parts <= 64; parts *= 2 {
		all = append(all, ceil(n, parts))
	}
	for x := unit; x < n; x *= 2 {
		all = append(all, x, min(n, x+x/2))
	}
	for x := min(unit, n); x > 0; x /= 2 {
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b int64) int { return cmp.Compare(b, a) })
	for _, x := range slices.Compact(all) {
		if x >= min(n, least) {
			large = append(large, x)
		} else {
			small = append(small, x)
		}
	}
	return large, small
}

// searchAttention finds the best loops, the best first. Blocks smaller than the array are looked at
// only if no larger ones fit, and for least time where there are few blocks: then the first one,
// which nothing hides, is a good part of the time.
func searchAttention(a *attention, h *machine, lanes int64, w Tile, by goal, bar int64) ([]loop, error) {
	side := max(h.rows, h.cols)
	rl, rs := blocks(a.q1-a.q0, ceil(side, a.group), ceil(h.timing.Min, a.group))
	cl, cs := blocks(a.keys, side, side)
	if w.M > 0 {
		rl, rs = []int64{min(w.M, a.q1-a.q0)}, nil
	}
	if w.N > 0 {
		cl, cs = []int64{min(w.N, a.keys)}, nil
	}
	f := loopFinder{a: a, h: h, lanes: lanes, goal: by, bar: bar}
	for i, list := range [][2][]int64{{rl, cl}, {rs, cl}, {rl, cs}, {rs, cs}} {
		if by != leastTime && len(f.best) > 0 {
			break
		}
		f.few = i > 0 && len(f.best) > 0
		f.try(list[0], list[1])
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
	few   bool  // no loops of more blocks than are walked
	fits  bool  // a loop fits
	best  []loop
}

// walkedLoops is how many loops of each machine are walked.
const walkedLoops = 4

// try tries blocks of so many positions and entries.
func (f *loopFinder) try(brs, bcs []int64) {
	a, h := f.a, f.h
	for _, br := range brs {
		for _, bc := range bcs {
			if f.hopeless(br, bc) {
				continue
			}
			for _, resident := range []bool{true, false} {
				if a.overflow(h, br, bc, resident) == nil {
					f.enter(a.loop(h, br, bc, resident, f.lanes))
					break // residents never read more
				}
			}
		}
	}
}

// hopeless reports whether blocks of a size make too many steps to be as fast as those that are
// known: of two in a row, one is loaded with the latency of the memory.
func (f *loopFinder) hopeless(br, bc int64) bool {
	if f.goal != leastTime {
		return false
	}
	a := f.a
	steps := a.heads * max(a.mask.Pairs(a.q0, a.q1, a.queries, a.keys)/(br*bc), ceil(a.q1-a.q0, br))
	return f.few && steps > walkedSteps || f.fits && steps*(f.h.mem.Latency+2*f.h.timing.Fold(1))/2 > f.limit()
}

// limit is the rank up to which a loop is of interest.
func (f *loopFinder) limit() int64 {
	if len(f.best) == walkedLoops {
		return min(f.bar, f.best[len(f.best)-1].rank)
	}
	return f.bar
}

// enter has a loop take its place among the best.
func (f *loopFinder) enter(x loop) {
	f.fits = true
	if f.goal == leastTime && x.rank > f.limit() {
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
	return cmp.Or(t, c, cmp.Compare(y.br, x.br), cmp.Compare(y.bc, x.bc)) < 0
}

// loop adds up the blocks of a candidate. Blocks in which nothing is masked are alike and
// counted together.
func (a *attention) loop(h *machine, br, bc int64, resident bool, lanes int64) loop {
	x := loop{br: br, bc: bc, resident: resident}
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
				continue
			}
			b := a.block(h, q0, q1, c0, c1, first, last)
			count(&b, 1)
		}
		count(&inner, alike)
	}
	if resident {
		lo, hi := a.span(a.q0, a.q1)
		entries = hi - lo
	}
	for _, n := range []*int64{&x.folds, &x.stream, &x.cycles, &x.rows, &x.cols, &x.vector, &x.computed, &x.steps, &x.time,
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

// withMemory estimates the cycles of a loop with array and memory in parallel: the slower of both,
// after the first keys and queries have been loaded, which nothing hides, and before the last
// block is stored. Of two blocks in a row one is computed and one loaded with its latency, as in
// shape.time, and the memory is spared as there.
func (a *attention) withMemory(h *machine, x *loop) {
	mem := &h.mem
	requests := func(bytes, runs int64) int64 { return mem.requests(1, bytes) + runs }
	rows, entries := min(x.br, a.q1-a.q0), min(x.bc, a.keys)
	begin := a.slabs*rows*size(entries, a.slabWide) + size(entries*a.size, a.kWide) + size(rows*a.group*a.size, a.qWide) + a.held
	all, end := x.traffic.Total(), size(rows*a.group*a.value, a.oWide)
	n := requests(all, 2*x.steps)
	busy, first, last := mem.time(all, n), mem.time(begin, requests(begin, 1+a.group)), mem.time(end, requests(end, a.group))
	rest := max(0, busy-first)
	x.estimate = mem.Latency + first + max(x.time+last, rest, (x.time+rest+last+x.steps*mem.Latency)/2) + mem.Latency
	x.rank = x.estimate + (busy+n)/effortShare
}

// stagesBehind is how many blocks the weighted sum is behind the scores: the softmax of
// a block runs during the scores of the next one and the sum of the one before.
const stagesBehind = 2
