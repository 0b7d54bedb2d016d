package scalesim

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/integer"
)

// A stream reads an ifmap whose windows share words or hang over the edge. It
// never writes the demand down, nor does it visit every word: words go in runs.
//
// A run is a chunk of neighbouring channels of one ifmap place, requested one word per line. All
// runs are equally long, and cut the ifmap at the same places, so two runs that touch the same
// words touch the same chunk, and the one that starts first is ahead in all of it. What the
// serving half holds of a chunk is therefore always its tail, as the run that started before the
// last turn left it.
type stream struct {
	*readBuffer
	plan  *plan
	chunk int // words of a run
	drift int // columns that a run moves on per line

	pixels, window axis // window: one entry per chunk
	held           []tail
	tiles          []tileState

	open []run   // runs of the tile in order of start; those before done have ended
	done int     // a column has one run at a time, so few are open
	edge []int32 // per line of the tile: change in the number of missing words
	cols []int   // scratch of column
}

// An axis is one side of the ifmap operand matrix: pixels or window chunks. The
// chunk of a pixel and a window chunk has the sum of their numbers, and lies in
// the ifmap when the sums of y and of x do.
type axis struct{ chunk, y, x []int32 }

// tail is what the serving half has or gets of a chunk: the words from on.
type tail struct{ turn, from uint32 } // turn: number of the turn plus one

// run requests word i of a chunk in line line+i at column col+i*drift. The words from from to to
// are missing.
type run struct{ line, col, chunk, from, to int }

// maxChunks bounds the table of chunks to 2 GiB.
const maxChunks = 1 << 28

func (p *plan) stream(b *readBuffer) (*stream, error) {
	l := p.layer
	s := &stream{readBuffer: b, plan: p, chunk: 1}
	// Pruning that falls alike on all window places only leaves fewer channels.
	channels, element := l.C, p.element
	if l.C%p.outs == 0 {
		channels = l.C / p.outs * p.keep
		element = func(i int) int { return i }
		s.chunk = channels
		if p.Dataflow != OS {
			s.chunk = integer.GCD(channels, p.Rows) // folds cut the window
		}
	}
	if p.Dataflow == WS {
		s.drift = 1
	}
	chunks := l.H * l.W * (channels / s.chunk)
	if chunks > maxChunks {
		return nil, fmt.Errorf("layer %q: its windows overlap, and its ifmap of %d pieces of %d words is too large to keep track of (want at most %d pieces)", l.Name, chunks, s.chunk, maxChunks)
	}
	s.held = make([]tail, chunks)
	s.tiles = make([]tileState, p.ifmap(p.rowFolds-1, p.colFolds-1).tile+1)
	s.open = make([]run, 0, 8*max(p.Rows, p.Cols))
	s.edge = make([]int32, p.ifmap(0, 0).lines()+s.chunk+1)
	s.pixels, s.window = newAxis(p.pixels), newAxis(p.window/s.chunk)
	set := func(a axis, i, y, x, ch int) {
		a.chunk[i] = int32(((y*l.W+x)*channels + ch) / s.chunk)
		a.y[i], a.x[i] = int32(y), int32(x)
	}
	for i := range p.pixels {
		set(s.pixels, i, i/p.ofW*l.StrideH, i%p.ofW*l.StrideW, 0)
	}
	for i := range p.window / s.chunk {
		j := element(i * s.chunk)
		set(s.window, i, j/(l.S*channels), j/channels%l.S, j%channels)
	}
	return s, nil
}

func newAxis(n int) axis { return axis{make([]int32, n), make([]int32, n), make([]int32, n)} }

// pass requests the ifmap tile of a fold, line by line: runs start, then the missing words of the
// line are fetched.
func (s *stream) pass(fr, fc int) {
	d := s.plan.ifmap(fr, fc)
	state := &s.tiles[d.tile]
	if d.skew && state.known && state.turns == s.turns {
		return // all of it was asked for since the last turn
	}
	line, turns := s.plan.line(fr, fc)+uint64(d.line), s.turns
	s.open, s.done = s.open[:0], 0
	missing := 0
	for n := range d.lines() {
		s.start(fr, fc, d, n)
		missing += s.step(n)
		for s.words+uint64(missing) >= s.half {
			col := s.column(n, int(s.half-s.words))
			s.turn(line + uint64(n))
			missing = s.restart(n, col)
		}
		s.words += uint64(missing)
	}
	s.step(d.lines())
	*state = tileState{turns: s.turns, known: s.turns == turns}
}

// start begins the runs whose first word is requested in line n of the tile.
func (s *stream) start(fr, fc int, d demand, n int) {
	g, row := s.chunk, fr*s.plan.Rows
	if !d.skew { // input stationary: last window element first
		if n%g == 0 {
			q, col := (row+d.rows-1-n)/g, fc*s.plan.Cols
			for c := range d.cols {
				s.begin(n, c, col+c, q)
			}
		}
		return
	}
	first, end := max(0, n-d.rows+1), min(d.cols, n+1)
	if s.plan.Dataflow == OS {
		for c := first + (n-first)%g; c < end; c += g {
			s.begin(n, c, row+c, (n-c)/g)
		}
		return
	}
	for c := integer.Ceil(first, g) * g; c < end; c += g {
		s.begin(n, c, n-c, (row+c)/g)
	}
}

func (s *stream) begin(line, col, pixel, q int) {
	l := s.plan.layer
	if int(s.pixels.y[pixel]+s.window.y[q]) >= l.H || int(s.pixels.x[pixel]+s.window.x[q]) >= l.W {
		return
	}
	r := run{line: line, col: col, chunk: int(s.pixels.chunk[pixel] + s.window.chunk[q])}
	s.miss(&r)
	if len(s.open) == cap(s.open) {
		for s.done < len(s.open) && s.open[s.done].line+s.chunk <= line {
			s.done++
		}
		s.open = slices.Delete(s.open, 0, s.done)
		s.done = 0
	}
	s.open = append(s.open, r)
}

// miss finds what the serving half lacks of a run from r.from on.
func (s *stream) miss(r *run) {
	r.to = s.chunk
	h := &s.held[r.chunk]
	if h.turn == uint32(s.turns+1) {
		r.to = int(h.from)
	}
	if r.from < r.to {
		*h = tail{uint32(s.turns + 1), uint32(r.from)}
		s.edge[r.line+r.from]++
		s.edge[r.line+r.to]--
	}
}

// step takes the change in the number of missing words at line n.
func (s *stream) step(n int) int {
	e := s.edge[n]
	s.edge[n] = 0
	return int(e)
}

// column is the column in which the k-th missing word of line n is requested.
func (s *stream) column(n, k int) int {
	s.cols = s.cols[:0]
	for _, r := range s.open[s.done:] {
		if r.line+r.from <= n && n < r.line+r.to {
			s.cols = append(s.cols, r.col+(n-r.line)*s.drift)
		}
	}
	slices.Sort(s.cols)
	return s.cols[k-1]
}

// restart begins the rest of the open runs anew, after a turn at a column of
// line n, and returns the missing words in the rest of the line.
func (s *stream) restart(n, col int) int {
	clear(s.edge[n : n+s.chunk+1])
	for s.done < len(s.open) && s.open[s.done].line+s.chunk <= n {
		s.done++
	}
	for i := s.done; i < len(s.open); i++ {
		r := &s.open[i]
		if r.from = n - r.line; r.col+r.from*s.drift <= col {
			r.from++
		}
		s.miss(r)
	}
	return s.step(n)
}
