package mapping

import "github.com/causeway-sim/causeway/accelerators/dataflow"

// A transferTime is what moves before or after a tile. Hauls of several operands take their
// times one after the other: short requests of one leave the memory idle.
type transferTime struct{ bytes, requests, busy int64 }

// take fixes the time of what one of so many cores moves that fetch it together.
func (a transferTime) take(mem *Memory, of int64) transferTime {
	if of > 1 {
		a.bytes, a.requests = ceil(a.bytes, of), ceil(a.requests, of)
	}
	a.busy = mem.time(a.bytes, a.requests)
	return a
}

func (a transferTime) plus(b transferTime) transferTime {
	return transferTime{a.bytes + b.bytes, a.requests + b.requests, a.busy + b.busy}
}

// time estimates how many cycles the machine takes for a solution, with memory and
// array in parallel as the schedule of accelerators/systolic lets them: while tile i
// is computed, tile i+1 is loaded and tile i-1 stored, and the loads of a tile may be
// issued once the tile two before it has been computed. The tiles of a kind (what
// moves depends on the loop that turned) take
//
//	max(C, X, (C + X + latency)/2)
//
// C being the cycles of the array and X those of the memory: of two tiles in a row
// one is computed and one loaded with its latency. Before that comes the first load,
// after that the last store. Tiles are taken as equally long.
//
// C is that of the vector unit where it takes longer for the results that leave with a tile.
//
// A tile that is fed in pieces loads an operand with the first piece that reads it. That
// load may be issued two pieces ahead, so that the array waits for what it takes longer
// than a piece is computed.
func (s *shape) time(h *machine, x *solution, piece [3]int64) (cycles, effort int64) {
	c, o, mem := &x.c, &orders[x.c.order], &h.mem
	const M, N, K = dataflow.M, dataflow.N, dataflow.K
	t := [3]int64{c.cut(o.axes[0]).trips, c.cut(o.axes[1]).trips, c.cut(o.axes[2]).trips}
	groups := ceil(s.batch, c.bt)
	// turns[j] is how often loop j turns while those outside stand; turns[3] begins
	// another tile of products.
	turns := [4]int64{groups * (t[0] - 1), groups * t[0] * (t[1] - 1), groups * t[0] * t[1] * (t[2] - 1), groups}
	changes := func(j int, a, b dataflow.Axis) bool {
		if j == 3 {
			return true
		}
		for i := j; i < 3; i++ {
			if y := o.axes[i]; (y == a || y == b) && (i == j || t[i] > 1) {
				return true
			}
		}
		return false
	}
	var loadsA, loadsB int64
	for j, n := range turns {
		if changes(j, M, K) {
			loadsA += n
		}
		if changes(j, N, K) {
			loadsB += n
		}
	}
	a, b, out := s.transferTimes(mem, c, piece)
	moved, results := x.traffic, 1+s.sides // operands and results that move
	s.kept.leave(&moved)
	if results -= s.kept.sides; s.kept.c {
		results--
	}
	if s.kept.a {
		a.requests = 0
	}
	if s.kept.b {
		b.requests = 0
	}
	a.bytes, b.bytes = ceil(moved.Ifmap, loadsA), ceil(moved.Filter, loadsB)
	a, b = a.take(mem, h.sharedA), b.take(mem, h.sharedB)
	tiles := x.tiles
	done := tiles / c.k.trips                        // result tiles
	out.bytes = ceil(x.traffic.Output*results, done) // with the tiles of other operands
	out.requests *= results
	out = out.take(mem, 1)
	var every transferTime // with every tile
	if x.traffic.Spill > 0 {
		every.bytes = ceil(moved.Spill+moved.Psum, tiles)
		every.requests = mem.requests(2, every.bytes)
		every = every.take(mem, 1)
	}
	inner := c.k.trips > 1 && o.axes[2] == K // results leave after the innermost loop
	if !inner {
		every = every.plus(transferTime{ceil(out.bytes, c.k.trips), ceil(out.requests, c.k.trips), ceil(out.busy, c.k.trips)})
	}
	parts := [3]int64{M: ceil(c.m.size, piece[M]), N: ceil(c.n.size, piece[N]), K: ceil(c.k.size, piece[K])}
	pieces := parts[M] * parts[N] * parts[K]
	array := ceil(x.cost.cycles, tiles)
	late := max(0, ceil(s.vector, done*max(h.lanes, 1))-ceil(array, parts[K]))
	var sum, first, steady, busyAll, requests int64
	for _, j := range [4]int{2, 1, 0, 3} {
		move := every
		if changes(j, M, K) {
			move = move.plus(a)
		}
		if changes(j, N, K) {
			move = move.plus(b)
		}
		if inner && j != 2 {
			move = move.plus(out)
		}
		busy, work := move.busy, array+c.lateTile(inner, j, late)
		each := max(work, busy, (work+busy+pieces*mem.Latency+1)/2)
		if pieces > 1 {
			heavy := out.busy / pieces
			if changes(j, M, K) {
				heavy += a.busy / (parts[M] * parts[K])
			}
			if changes(j, N, K) {
				heavy += b.busy / (parts[N] * parts[K])
			}
			each = max(each, work+parts[K]*max(0, heavy+mem.Latency-work/pieces))
		}
		if j == 2 && turns[2] > 0 {
			steady = busy
		} else if pieces == 1 && steady+mem.Latency <= work { // the DMA engine was idle before
			each = max(each, busy+mem.Latency)
		}
		sum += turns[j] * each
		busyAll, requests = busyAll+turns[j]*busy, requests+turns[j]*move.requests
		if j == 3 { // the first tile has nothing before it to hide its loads
			first = mem.Latency + busy/pieces
			sum += work/pieces + each - each/pieces - each
		}
	}
	last := mem.Latency + out.busy/pieces
	return first + sum + last, (busyAll + requests) / effortShare
}

// lateTile is how much longer than the array the vector unit takes for a tile that loop j
// begins, of so many cycles for each tile of results: it works on results as they leave, with
// the last tile of their sum.
func (c *candidate) lateTile(inner bool, j int, late int64) int64 {
	switch {
	case c.k.trips == 1:
		return late
	case !inner:
		return ceil(late, c.k.trips)
	case j == 2:
		return ceil(late, c.k.trips-1)
	}
	return 0
}

// effortShare: a solution may take this part of the time longer that another one keeps
// the memory and its requests busy longer. Mappings that hide what they move are
// equally fast here, and not where others share the memory.
const effortShare = 32

// estimate notes the estimated time of a solution, and whether its tiles had better
// be fed whole: pieces begin earlier, and cut rows into short requests.
func (s *shape) estimate(h *machine, x *solution) {
	whole := [3]int64{x.c.m.size, x.c.n.size, x.c.k.size}
	piece := s.pieces(h, &x.c, x.tiles)
	t, effort := s.time(h, x, piece)
	x.time, x.rank, x.whole = t, t+effort, false
	if piece != whole {
		if t, effort := s.time(h, x, whole); t+effort < x.rank {
			x.time, x.rank, x.whole = t, t+effort, true
		}
	}
}

// transferTimes is the requests that move a tile of each operand and of the results, which is
// loaded and stored piece by piece.
func (s *shape) transferTimes(mem *Memory, c *candidate, piece [3]int64) (a, b, out transferTime) {
	const M, N, K = dataflow.M, dataflow.N, dataflow.K
	n, k := ceil(c.n.size, piece[N]), ceil(c.k.size, piece[K]) // pieces of a row
	switch {
	case s.form != gemm:
		channels := c.k.size / s.kUnit
		if s.aLay.last {
			a.requests = s.pixelRuns(mem, c, piece, channels)
		} else if c.m.cols < s.cols || s.skipsRows() {
			a.requests = mem.requests(c.bt*c.m.images*channels*c.m.rows, size(s.w, s.aWide))
		} else {
			m := ceil(c.m.size, piece[M])
			a.requests = mem.requests(s.planes(c, m, c.bt*channels, s.batch*s.k/s.kUnit, c.m.foot/max(c.m.images, 1)/m))
		}
		m, filters := ceil(c.m.size, piece[M]), c.n.size/s.nUnit
		out.requests = mem.requests(s.planes(c, m, c.bt*filters, s.batch*s.n/s.nUnit, size(c.m.outFoot/max(c.m.images, 1)/m, s.cWide)))
		if s.cLay.last { // runs of filters, one for each pixel unless a tile has all of them
			filters := c.n.size / s.nUnit
			out.requests = mem.runs(c.m.images, c.m.outFoot/max(c.m.images, 1), size(filters, s.cWide), c.bt*filters == s.batch*s.n/s.nUnit)
		}
	default:
		a.requests = mem.runs(c.bt, c.m.rows, size(piece[K], s.aWide), piece[K] == s.fullK) * k
		out.requests = mem.runs(c.bt, c.m.rows, size(piece[N], s.cWide), piece[N] == s.n) * n
		m := ceil(c.m.size, piece[M])
		if s.aLay.block > 0 {
			a.requests = mem.blockRuns(c.bt*m*k, piece[M], piece[K], s.aLay.block, s.aWide)
		}
		if s.cLay.block > 0 {
			out.requests = mem.blockRuns(c.bt*m*n, piece[M], piece[N], s.cLay.block, s.cWide)
		}
	}
	switch {
	case s.bPacked:
		b.requests = mem.requests(c.bt*n*k, size(piece[K]*piece[N], s.bWide))
	case s.bRows:
		b.requests = mem.runs(c.bt, c.n.size, size(piece[K], s.bWide), piece[K] == s.fullK) * k
	default:
		b.requests = mem.runs(c.bt, c.k.size, size(piece[N], s.bWide), piece[N] == s.n) * n
	}
	return a, b, out
}

// planes is the runs, and bytes of each, of a tile of so many channels of all whose planes are
// moved in so many parts: whole planes of channels touch, and so do images of all channels.
func (s *shape) planes(c *candidate, parts, channels, all, bytes int64) (runs, run int64) {
	images := max(c.m.images, 1)
	switch {
	case parts > images || c.m.rows < s.rows || c.m.cols < s.cols:
		return images * channels * parts, bytes
	case channels == all:
		return parts, images * channels * bytes // bytes are of a part of an image
	}
	return images, channels * bytes * parts
}

// pixelRuns is the requests of the inputs of a tile whose channels are last.
func (s *shape) pixelRuns(mem *Memory, c *candidate, piece [3]int64, channels int64) int64 {
	images := max(c.m.images, 1)
	pixels := c.m.foot / images / max(s.aWide.Bytes, 1)
	if c.bt*channels == s.batch*s.k/s.kUnit {
		m := ceil(c.m.size, piece[dataflow.M])
		return mem.requests(images*m, size(pixels*c.bt*channels/m, s.aWide))
	}
	return mem.requests(c.bt*images*pixels, size(channels, s.aWide))
}

// runs is the requests of planes of rows, which touch if they are whole.
func (m *Memory) runs(planes, rows, row int64, whole bool) int64 {
	if whole {
		return m.requests(planes, rows*row)
	}
	return m.requests(planes*rows, row)
}
