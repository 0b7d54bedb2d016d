package tensorcore

import "github.com/causeway-sim/causeway/components/integer"

// A FIFO is the matrix unit of the first TPU, with a queue of weight tiles that is filled from
// the weight memory ahead of the products, also across operators. All times are cycles.
//
//   - A tile of rows x cols weights is always fetched whole, also at the edge of a matrix. A
//     fetch begins when the one before has ended and the queue has room.
//   - A tile is shifted in, one row per cycle, into a second plane of weights, which is free once
//     the product before it has begun.
//   - A product takes a cycle per row of activations, or two or four for wider types.
//   - Rows beyond half of the accumulators are a second run, which fetches the same weights
//     again, while the other half drains. Weights of no more rows than the array has are not
//     fetched again, since each result row is complete when it leaves the array.
//   - Rows whose operands and results exceed the unified buffer are a second run too. Transfers
//     from and to the host take no time.
//   - An operator that reads the results of the one before waits until these have passed the
//     array and the activation unit; its weights are fetched meanwhile.
//
// Source: Jouppi et al., ISCA 2017, sections 2 and 4.
type FIFO struct {
	Rows, Cols   int64
	Depth        int64 // capacity of the queue, tiles
	Accumulators int64
	Fetch        float64 // cycles of fetching a tile
	Latency      float64 // cycles before the first fetch

	fetched  float64   // when the last tile came
	shifted  []float64 // when the last Depth tiles had left the queue
	begun    float64   // when the last product began
	ended    float64   // when the last product ended
	anything bool
	tile     int64
	start    float64 // of the operator under way
}

// Phases divides the cycles of a product.
type Phases struct {
	Begin, End float64
	Active     float64 // rows stream through the array
	Stall      float64 // waiting for a tile from memory
	Shift      float64 // shifting a tile in
	Wait       float64 // waiting for operands, and draining
	Tiles      int64
	Early      float64 // tiles by the share of their fetch that was before the operator began
}

// Matmul carries out batch products of m x k by k x n from cycle now on. At most room rows are in
// the unified buffer at a time (0: no limit). pace is the cycles per row, drain the cycles from
// the last row to the last result.
func (f *FIFO) Matmul(batch, m, n, k, room int64, now, pace, drain float64) Phases {
	p := Phases{Begin: now, End: now}
	if f.shifted == nil {
		f.shifted = make([]float64, f.Depth)
	}
	f.ended = max(f.ended, now)
	f.start = now
	run := max(f.Accumulators/2, 1)
	if k <= f.Rows {
		run = m
	}
	if room > 0 {
		run = min(run, room)
	}
	runs := max(1, integer.Ceil(m, run)) // equally long but for one row
	for range batch {
		for r := range runs {
			rows := float64((r+1)*m/runs-r*m/runs) * pace
			for range integer.Ceil(n, f.Cols) * integer.Ceil(k, f.Rows) {
				f.step(&p, rows)
			}
		}
	}
	p.End = f.ended + drain
	p.Wait += drain
	f.ended = p.End
	return p
}

// step is one tile.
func (f *FIFO) step(p *Phases, rows float64) {
	slot := f.tile % f.Depth
	begin := max(f.fetched, f.shifted[slot])
	if !f.anything {
		begin += f.Latency
		f.anything = true
	}
	f.fetched = begin + f.Fetch
	if f.Fetch > 0 {
		p.Early += min(1, max(0, f.start-begin)/f.Fetch)
	} else if f.fetched < f.start {
		p.Early++
	}
	from := max(f.fetched, f.begun) // the second plane is free when a product has begun
	if f.tile > 0 {
		from = max(from, f.shifted[(f.tile-1)%f.Depth])
	}
	in := from + float64(f.Rows)
	f.shifted[slot] = in
	f.tile++
	start := max(in, f.ended)
	stall := max(0, min(from, start)-f.ended)
	p.Stall += stall
	p.Shift += start - f.ended - stall
	p.Active += rows
	p.Tiles++
	f.begun, f.ended = start, start+rows
}
