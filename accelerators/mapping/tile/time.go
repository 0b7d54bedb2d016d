package tile

import (
	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A transferTime is what moves before or after a tile. Transfers of several operands take their
// times one after the other: short requests of one leave the memory idle.
type transferTime struct{ bytes, requests, busy int64 }

// take fixes the time of what one of so many cores moves that fetch it together.
func (a transferTime) take(mem *machine.Memory, of int64) transferTime {
	if of > 1 {
		a.bytes, a.requests = integer.Ceil(a.bytes, of), integer.Ceil(a.requests, of)
	}
	a.busy = mem.Busy(a.bytes, a.requests)
	return a
}

func (a transferTime) plus(b transferTime) transferTime {
	return transferTime{a.bytes + b.bytes, a.requests + b.requests, a.busy + b.busy}
}

// timeOn estimates how many cycles the machine takes for a solution, with memory and
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
func (x *Solution) timeOn(s *product.Shape, h *machine.Machine, piece [3]int64) (cycles, effort int64) {
	c, o, mem := &x.C, &Orders[x.C.Order], &h.Mem
	const M, N, K = dataflow.M, dataflow.N, dataflow.K
	t := [3]int64{c.Cut(o.axes[0]).trips, c.Cut(o.axes[1]).trips, c.Cut(o.axes[2]).trips}
	groups := integer.Ceil(s.Batch, c.BT)
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
	a, b, out := transferTimes(s, mem, c, piece)
	moved, results := x.Traffic, 1+s.Sides // operands and results that move
	s.Kept.Leave(&moved)
	if results -= s.Kept.Sides; s.Kept.C {
		results--
	}
	if s.Kept.A {
		a.requests = 0
	}
	if s.Kept.B {
		b.requests = 0
	}
	a.bytes, b.bytes = integer.Ceil(moved.Ifmap, loadsA), integer.Ceil(moved.Filter, loadsB)
	a, b = a.take(mem, h.SharedA), b.take(mem, h.SharedB)
	tiles := x.Tiles
	done := tiles / c.K.trips                                // result tiles
	out.bytes = integer.Ceil(x.Traffic.Output*results, done) // with the tiles of other operands
	out.requests *= results
	out = out.take(mem, 1)
	var every transferTime // with every tile
	if x.Traffic.Spill > 0 {
		every.bytes = integer.Ceil(moved.Spill+moved.Psum, tiles)
		every.requests = mem.Requests(2, every.bytes)
		every = every.take(mem, 1)
	}
	inner := c.K.trips > 1 && o.axes[2] == K // results leave after the innermost loop
	if !inner {
		every = every.plus(transferTime{integer.Ceil(out.bytes, c.K.trips), integer.Ceil(out.requests, c.K.trips), integer.Ceil(out.busy, c.K.trips)})
	}
	parts := [3]int64{M: integer.Ceil(c.M.Size, piece[M]), N: integer.Ceil(c.N.Size, piece[N]), K: integer.Ceil(c.K.Size, piece[K])}
	pieces := parts[M] * parts[N] * parts[K]
	array := integer.Ceil(x.Cost.Cycles, tiles)
	late := max(0, integer.Ceil(s.Vector, done*max(h.Lanes, 1))-integer.Ceil(array, parts[K]))
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
	return first + sum + last, (busyAll + requests) / EffortShare
}

// lateTile is how much longer than the array the vector unit takes for a tile that loop j
// begins, of so many cycles for each tile of results: it works on results as they leave, with
// the last tile of their sum.
func (c *Mapping) lateTile(inner bool, j int, late int64) int64 {
	switch {
	case c.K.trips == 1:
		return late
	case !inner:
		return integer.Ceil(late, c.K.trips)
	case j == 2:
		return integer.Ceil(late, c.K.trips-1)
	}
	return 0
}

// EffortShare: a solution may take this part of the time longer that another one keeps
// the memory and its requests busy longer. Mappings that hide what they move are
// equally fast here, and not where others share the memory.
const EffortShare = 32

// estimate notes the estimated time of a solution, and whether its tiles had better
// be fed whole: pieces begin earlier, and cut rows into short requests.
func (x *Solution) estimate(s *product.Shape, h *machine.Machine) {
	whole := [3]int64{x.C.M.Size, x.C.N.Size, x.C.K.Size}
	piece := piecesOf(s, h, &x.C, x.Tiles)
	t, effort := x.timeOn(s, h, piece)
	x.Time, x.rank, x.whole = t, t+effort, false
	if piece != whole {
		if t, effort := x.timeOn(s, h, whole); t+effort < x.rank {
			x.Time, x.rank, x.whole = t, t+effort, true
		}
	}
}

// transferTimes is the requests that move a tile of each operand and of the results, which is
// loaded and stored piece by piece.
func transferTimes(s *product.Shape, mem *machine.Memory, c *Mapping, piece [3]int64) (a, b, out transferTime) {
	const M, N, K = dataflow.M, dataflow.N, dataflow.K
	n, k := integer.Ceil(c.N.Size, piece[N]), integer.Ceil(c.K.Size, piece[K]) // pieces of a row
	switch {
	case s.Form != product.GEMM:
		channels := c.K.Size / s.KUnit
		if s.ALayout.Last {
			a.requests = pixelRuns(s, mem, c, piece, channels)
		} else if c.M.cols < s.Cols || s.SkipsRows() {
			a.requests = mem.Requests(c.BT*c.M.images*channels*c.M.rows, s.AWide.Size(s.W))
		} else {
			m := integer.Ceil(c.M.Size, piece[M])
			a.requests = mem.Requests(planeRuns(s, c, m, c.BT*channels, s.Batch*s.K/s.KUnit, c.M.foot/max(c.M.images, 1)/m))
		}
		m, filters := integer.Ceil(c.M.Size, piece[M]), c.N.Size/s.NUnit
		out.requests = mem.Requests(planeRuns(s, c, m, c.BT*filters, s.Batch*s.N/s.NUnit, s.CWide.Size(c.M.outFoot/max(c.M.images, 1)/m)))
		if s.CLayout.Last { // runs of filters, one for each pixel unless a tile has all of them
			filters := c.N.Size / s.NUnit
			out.requests = mem.Runs(c.M.images, c.M.outFoot/max(c.M.images, 1), s.CWide.Size(filters), c.BT*filters == s.Batch*s.N/s.NUnit)
		}
	default:
		a.requests = mem.Runs(c.BT, c.M.rows, s.AWide.Size(piece[K]), piece[K] == s.FullK) * k
		out.requests = mem.Runs(c.BT, c.M.rows, s.CWide.Size(piece[N]), piece[N] == s.N) * n
		m := integer.Ceil(c.M.Size, piece[M])
		if s.ALayout.Block > 0 {
			a.requests = blockRuns(mem, c.BT*m*k, piece[M], piece[K], s.ALayout.Block, s.AWide)
		}
		if s.CLayout.Block > 0 {
			out.requests = blockRuns(mem, c.BT*m*n, piece[M], piece[N], s.CLayout.Block, s.CWide)
		}
	}
	switch {
	case s.BPacked:
		b.requests = mem.Requests(c.BT*n*k, s.BWide.Size(piece[K]*piece[N]))
	case s.BRows:
		b.requests = mem.Runs(c.BT, c.N.Size, s.BWide.Size(piece[K]), piece[K] == s.FullK) * k
	default:
		b.requests = mem.Runs(c.BT, c.K.Size, s.BWide.Size(piece[N]), piece[N] == s.N) * n
	}
	return a, b, out
}

// planeRuns is the runs, and bytes of each, of a tile of so many channels of all whose planes are
// moved in so many parts: whole planes of channels touch, and so do images of all channels.
func planeRuns(s *product.Shape, c *Mapping, parts, channels, all, bytes int64) (runs, run int64) {
	images := max(c.M.images, 1)
	switch {
	case parts > images || c.M.rows < s.Rows || c.M.cols < s.Cols:
		return images * channels * parts, bytes
	case channels == all:
		return parts, images * channels * bytes // bytes are of a part of an image
	}
	return images, channels * bytes * parts
}

// pixelRuns is the requests of the inputs of a tile whose channels are last.
func pixelRuns(s *product.Shape, mem *machine.Memory, c *Mapping, piece [3]int64, channels int64) int64 {
	images := max(c.M.images, 1)
	pixels := c.M.foot / images / max(s.AWide.Bytes, 1)
	if c.BT*channels == s.Batch*s.K/s.KUnit {
		m := integer.Ceil(c.M.Size, piece[dataflow.M])
		return mem.Requests(images*m, s.AWide.Size(pixels*c.BT*channels/m))
	}
	return mem.Requests(c.BT*images*pixels, s.AWide.Size(channels))
}

// blockRuns is the requests that move so many pieces of rows x cols elements of a tiled
// matrix.
func blockRuns(m *machine.Memory, planes, rows, cols, block int64, wide graph.Unit) int64 {
	if rows >= block {
		high := integer.Ceil(rows, block)
		return m.Requests(planes*high, wide.Size(block*cols))
	}
	return m.Requests(planes*integer.Ceil(cols, block), wide.Size(rows*min(cols, block)))
}
