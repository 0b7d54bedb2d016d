package scalesim

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/integer"
)

// A plan is a layer laid over an array: Sr x Sc operand elements held in space,
// streamed for T steps, cut into folds of the array's size.
//
//	     Sr (rows)  Sc (cols)  T (time)
//	os   pixels     filters    window
//	ws   window     filters    pixels
//	is   window     pixels     filters
type plan struct {
	Array
	layer      Layer
	pixels     int // ofmap pixels, M
	window     int // window elements that are kept, K
	sr, sc, t  int
	rowFolds   int
	colFolds   int
	foldLines  int // demand lines of one fold, whatever part of the array it uses
	ofH, ofW   int
	keep, outs int // N:M of the pruning
}

func (a Array) plan(l Layer) (*plan, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	if err := l.check(a.Sparse); err != nil {
		return nil, err
	}
	p := &plan{Array: a, layer: l, keep: 1, outs: 1}
	p.ofH, p.ofW = l.Ofmap()
	p.pixels, p.window = p.ofH*p.ofW, l.R*l.S*l.C
	if a.Sparse {
		p.keep, p.outs = l.ratio()
		p.window = p.window/p.outs*p.keep + min(p.window%p.outs, p.keep)
	}
	switch a.Dataflow {
	case OS:
		p.sr, p.sc, p.t = p.pixels, l.N, p.window
		// T steps, skewed over rows and columns.
		p.foldLines = p.t + a.Rows + a.Cols - 2
	case WS:
		p.sr, p.sc, p.t = p.window, l.N, p.pixels
		// Rows cycles of load come before the skewed stream.
		p.foldLines = p.t + 2*a.Rows + a.Cols - 2
	case IS:
		p.sr, p.sc, p.t = p.window, p.pixels, l.N
		p.foldLines = p.t + 2*a.Rows + a.Cols - 2
	}
	p.rowFolds, p.colFolds = integer.Ceil(p.sr, a.Rows), integer.Ceil(p.sc, a.Cols)
	if p.lines() == 1 {
		// One multiplication on one cell: Total Cycles is 0.
		return nil, fmt.Errorf("layer %q: takes a single line on this array, and every rate of the tool divides by zero (want a larger layer or array)", l.Name)
	}
	return p, nil
}

// usedRows and usedCols are the rows and columns that a fold fills.
func (p *plan) usedRows(fr int) int { return min(p.Rows, p.sr-fr*p.Rows) }
func (p *plan) usedCols(fc int) int { return min(p.Cols, p.sc-fc*p.Cols) }

// line is the first demand line of a fold; row folds run inside column folds.
func (p *plan) line(fr, fc int) uint64 {
	return (uint64(fc)*uint64(p.rowFolds) + uint64(fr)) * uint64(p.foldLines)
}

func (p *plan) lines() uint64 { return p.line(0, p.colFolds) }

// A demand is the requests of one operand in one fold: a rows x cols tile. A stationary tile is
// requested row by row. A skewed tile streams: its element (r, c) is requested in line r+c, so
// that a line is an antidiagonal in order of c.
type demand struct {
	tile       int // skewed tiles of one number hold the same addresses
	rows, cols int
	skew       bool
	line       int // line of the first element, counted from the start of the fold
}

func (p *plan) ifmap(fr, fc int) demand {
	switch p.Dataflow {
	case OS:
		return demand{tile: fr, rows: p.t, cols: p.usedRows(fr), skew: true}
	case WS:
		return demand{tile: fr, rows: p.t, cols: p.usedRows(fr), skew: true, line: p.Rows}
	}
	return p.stationary(fr, fc)
}

func (p *plan) filter(fr, fc int) demand {
	switch p.Dataflow {
	case OS:
		return demand{tile: fc, rows: p.t, cols: p.usedCols(fc), skew: true}
	case IS:
		return demand{tile: fr, rows: p.t, cols: p.usedRows(fr), skew: true, line: p.Rows}
	}
	return p.stationary(fr, fc)
}

// stationary is a tile that only one fold requests. It is loaded through the whole height of the
// array, the unused bottom rows first and empty, then from the last used row up.
func (p *plan) stationary(fr, fc int) demand {
	u := p.usedRows(fr)
	return demand{rows: u, cols: p.usedCols(fc), line: p.Rows - u}
}

// ofmap is what a fold writes. Output stationary results leave through the
// bottom edge, unused rows first.
func (p *plan) ofmap(fr, fc int) demand {
	if p.Dataflow == OS {
		u := p.usedRows(fr)
		return demand{rows: u, cols: p.usedCols(fc), skew: true, line: p.t - 1 + p.Rows - u}
	}
	return demand{rows: p.t, cols: p.usedCols(fc), skew: true, line: 2*p.Rows - 1}
}

func (d demand) size() uint64 { return uint64(d.rows) * uint64(d.cols) }

// lines is the number of lines from the first element to the last.
func (d demand) lines() int {
	if d.skew {
		return d.rows + d.cols - 1
	}
	return d.rows
}

// last is the line of the last element, counted from the start of the fold.
func (d demand) last() int { return d.line + d.lines() - 1 }

// before is the number of elements in the first n lines of the tile. It grows
// along the near triangle, runs level over the band, and shrinks along the far
// triangle.
func (d demand) before(n int) uint64 {
	if !d.skew {
		return uint64(n) * uint64(d.cols)
	}
	short, long := uint64(min(d.rows, d.cols)), uint64(max(d.rows, d.cols))
	l := uint64(n)
	switch {
	case l <= short:
		return l * (l + 1) / 2
	case l <= long:
		return short*(short+1)/2 + (l-short)*short
	}
	rest := short + long - 1 - l
	return short*long - rest*(rest+1)/2
}

// lineOf is the tile's line that holds the element of place pos in the order of
// demand.
func (d demand) lineOf(pos uint64) int {
	if !d.skew {
		return int(pos / uint64(d.cols))
	}
	short := uint64(min(d.rows, d.cols))
	triangle := short * (short + 1) / 2
	if level := d.size() - triangle + short; pos >= triangle && pos < level {
		return int(short + (pos-triangle)/short)
	}
	low, high := 0, d.lines()-1
	if pos < triangle { // each fold asks for line 0
		high = min(int(short)-1, int(pos))
	}
	for low < high {
		mid := int(uint(low+high+1) / 2)
		if d.before(mid) <= pos {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low
}

// width is the most elements that one line requests.
func (d demand) width() int {
	if d.skew {
		return min(d.rows, d.cols)
	}
	return d.cols
}
