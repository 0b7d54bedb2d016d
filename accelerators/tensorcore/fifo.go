package tensorcore

// A FIFO is a matrix unit in front of which a queue of weight tiles stands, filled from
// the weight memory ahead of the products that need them, across operators: the first
// TPU. All times are cycles.
//
//   - A tile of rows x cols weights is always fetched whole, also at the edge of a
//     matrix. A fetch begins when the one before has come and the queue has room.
//   - A tile is shifted in, one row per cycle, during the product before it: the array
//     has a second plane of weights, which is free when that product has begun.
//   - A product takes a cycle per row of activations, or two or four at wider types.
//   - Rows beyond those that half of the accumulators hold are a second run with the
//     same weights, which are fetched again. The other half drains meanwhile. Weights of
//     no more rows than the array has stay: each row is complete when it leaves the array.
//   - Rows beyond those whose operands and results the unified buffer holds are a second
//     run too. Operands come from the host and results leave to it; nothing waits for them.
//   - Operators that read what the one before wrote wait until it has passed the array
//     and the activation unit; their weights come meanwhile.
//
// Source: Jouppi et al., ISCA 2017, sections 2 and 4.
type FIFO struct {
	Rows, Cols   int64
	Depth        int64 // tiles that the queue holds
	Accumulators int64
	Fetch        float64 // cycles that a tile takes to come
	Latency      float64 // cycles until the first one comes

	fetched  float64   // when the last tile came
	shifted  []float64 // when the last Depth tiles had left the queue
	begun    float64   // when the last product began
	ended    float64   // when the last product ended
	anything bool
	tile     int64
	start    float64 // of the operator under way
}

// Phases is where the cycles of a product went.
type Phases struct {
	Begin, End float64
	Active     float64 // rows went through the array
	Stall      float64 // the tile had not come
	Shift      float64 // the tile was being shifted in
	Wait       float64 // for operands, and to drain
	Tiles      int64
	Early      float64 // of the tiles: those that came before the operator began
}

// Matmul carries out batch products of m x k by k x n, from cycle now on, of which no more than
// room rows are in the unified buffer at a time (0: all). pace is the cycles per row, drain
// those from the last row to the last result.
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
	runs := max(1, ceil(m, run)) // equally long but for one row
	for range batch {
		for r := range runs {
			rows := float64((r+1)*m/runs-r*m/runs) * pace
			for range ceil(n, f.Cols) * ceil(k, f.Rows) {
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
