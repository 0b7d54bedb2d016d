package kernel

import "github.com/causeway-sim/causeway/components/integer"

// walked bounds the tiles that are looked at; what those after them read is taken to be alike.
const walked = 1 << 18

// again is the bytes of a product's operands that are read from memory besides those of reading
// each once. Tiles run in rounds of one per SM, column by column, within a stage. The tiles of a
// round go through their sums side by side, so that each of their panels comes from memory once
// at most, and not at all where the L2, which gives up what was not used for longest, has it from
// a round before. Results take room in it, unless they pass by.
//
// assumption: LRU, whole panels, and all of the L2.
func (m *Machine) again(p Product, t Tile) float64 {
	if !m.Rereads || m.L2 == 0 {
		return 0
	}
	rows, cols := integer.Ceil(p.M, t.M), integer.Ceil(p.N, t.N)
	stage := integer.Ceil(rows, max(p.Stages, 1))
	l := lru{room: m.L2, last: make([]int, rows+cols), round: make([]int, rows+cols)}
	size := func(i, of, all int) float64 { return p.Bytes * float64(p.K) * float64(min(of, all-i*of)) }
	read, tiles := 0.0, rows*cols
	n := min(tiles, walked)
	for first := 0; first < n; first += m.SMs {
		results := 0.0
		for u := first; u < min(first+m.SMs, n); u++ {
			of := u / (stage * cols) * stage // first row of its stage
			high := min(stage, rows-of)
			in := u - of*cols
			i, j := of+in%high, in/high
			read += l.touch(i, first, size(i, t.M, p.M)) + l.touch(rows+j, first, size(j, t.N, p.N))
			results += p.Bytes * float64(min(t.M, p.M-i*t.M)) * float64(min(t.N, p.N-j*t.N))
		}
		if !m.Bypass {
			l.add(-1, results)
		}
	}
	once := p.Bytes * float64(p.K) * float64(p.M+p.N)
	return float64(p.Batch) * max(read*float64(tiles)/float64(n)-once, 0)
}

// An lru holds panels, those that were not used for longest go first.
type lru struct {
	room, held float64
	last       []int // of a panel: its latest place in the queue, plus 1; 0: it is not held
	round      []int // of a panel: the round that touched it, plus 1
	queue      []place
	head       int
}

// A place in the queue is of a panel, or of results: -1.
type place struct {
	panel int
	bytes float64
}

// touch uses a panel, and returns the bytes that have to be read for it. A round reads it once.
func (l *lru) touch(panel, round int, bytes float64) float64 {
	if l.round[panel] == round+1 {
		return 0
	}
	l.round[panel] = round + 1
	if at := l.last[panel]; at > 0 { // it moves to the end of the queue
		l.queue[at-1] = place{-1, 0}
		l.held -= bytes
		l.add(panel, bytes)
		return 0
	}
	l.add(panel, bytes)
	return bytes
}

// add puts something at the end of the queue, and gives up what there is no room for.
func (l *lru) add(panel int, bytes float64) {
	l.queue = append(l.queue, place{panel, bytes})
	l.held += bytes
	if panel >= 0 {
		l.last[panel] = len(l.queue)
	}
	for l.held > l.room && l.head < len(l.queue) {
		x := l.queue[l.head]
		l.head++
		l.held -= x.bytes
		if x.panel >= 0 && l.last[x.panel] == l.head {
			l.last[x.panel] = 0
		}
	}
}
