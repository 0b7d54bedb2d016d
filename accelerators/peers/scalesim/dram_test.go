package scalesim

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func (d DRAM) figures() map[string]float64 {
	f := d.Compute.figures()
	f["incl"], f["stall"] = float64(d.Total), float64(d.Stalls)
	for k, t := range map[string]Traffic{"i": d.Ifmap, "f": d.Filter, "o": d.Ofmap} {
		f[k+"d0"], f[k+"d1"], f["d"+k] = float64(t.Start), float64(t.Stop), t.Bandwidth
		f[k+"d"+map[string]string{"i": "r", "f": "r", "o": "w"}[k]] = float64(t.Words)
	}
	return f
}

func TestDRAMEqualsTool(t *testing.T) {
	failures := 0
	for _, o := range oracles(t) {
		d, err := o.array.DRAM(o.layer)
		if o.fails {
			require.ErrorContains(t, err, "divides by a window of zero cycles", o.name)
			failures++
			continue
		}
		require.NoError(t, err, o.name)
		require.Len(t, d.figures(), len(o.fig))
		equalFigures(t, o.fig, d.figures(), o.name, o.array, o.layer)
	}
	require.Positive(t, failures)
}

func TestFullRunsEqualTool(t *testing.T) {
	rows := readTable(t, filepath.Join("testdata", "runs.csv"))
	require.Len(t, rows, 35)
	for _, row := range rows {
		size, words := int(number(t, row["size"])), int(number(t, row["kb"]))*1024
		layers := topology(t, row["topology"])
		a := Array{Rows: size, Cols: size, Dataflow: Dataflow(row["dataflow"]),
			IfmapSRAM: words, FilterSRAM: words, OfmapSRAM: words}
		d, err := a.DRAM(layers[int(number(t, row["layer"]))])
		require.NoError(t, err)
		for k, v := range d.figures() {
			require.Equal(t, number(t, row[k]), v, "%s of %v", k, row)
		}
	}
}

// twin is the memory of the tool in the plainest form: the whole demand is
// written down line by line, every word looked up in a set.
type twin struct{ ifmap, filter, ofmap [][]int }

func newTwin(p *plan) twin {
	l := p.layer
	lines := func() [][]int { return make([][]int, p.lines()) }
	t := twin{lines(), lines(), lines()}
	start := 0
	for fc := range p.colFolds {
		for fr := range p.rowFolds {
			for i := range p.Rows {
				for j := range p.Cols {
					row, col := fr*p.Rows+i, fc*p.Cols+j
					if row >= p.sr || col >= p.sc {
						continue
					}
					load := start + p.Rows - 1 - i
					switch p.Dataflow {
					case WS:
						t.filter[load] = append(t.filter[load], col*p.window+row)
					case IS:
						if a := p.word(l, col, row); a >= 0 {
							t.ifmap[load] = append(t.ifmap[load], a)
						}
					case OS:
						out := start + p.t - 1 + p.Rows - 1 - i + j
						t.ofmap[out] = append(t.ofmap[out], 0)
					}
				}
			}
			// A line asks for its words from the first array row or column on.
			for i := range p.Rows {
				row := fr*p.Rows + i
				if row >= p.sr {
					continue
				}
				for step := range p.t {
					at := start + step + i
					switch p.Dataflow {
					case OS:
						if a := p.word(l, row, step); a >= 0 {
							t.ifmap[at] = append(t.ifmap[at], a)
						}
					case WS:
						if a := p.word(l, step, row); a >= 0 {
							t.ifmap[p.Rows+at] = append(t.ifmap[p.Rows+at], a)
						}
					case IS:
						t.filter[p.Rows+at] = append(t.filter[p.Rows+at], step*p.window+row)
					}
				}
			}
			for j := range p.Cols {
				col := fc*p.Cols + j
				if col >= p.sc {
					continue
				}
				for step := range p.t {
					at := start + step + j
					if p.Dataflow == OS {
						t.filter[at] = append(t.filter[at], col*p.window+step)
					} else {
						t.ofmap[2*p.Rows-1+at] = append(t.ofmap[2*p.Rows-1+at], 0)
					}
				}
			}
			start += p.foldLines
		}
	}
	return t
}

// word is the ifmap address of a pixel and a dense window element, or -1.
func (p *plan) word(l Layer, pixel, element int) int {
	y := pixel/p.ofW*l.StrideH + element/(l.S*l.C)
	x := pixel%p.ofW*l.StrideW + element%(l.S*l.C)/l.C
	if y >= l.H || x >= l.W {
		return -1
	}
	return (y*l.W+x)*l.C + element%l.C
}

// read is the estimating read buffer: sets of words, a list of half of them.
func (t twin) read(lines [][]int, capacity int) (tr Traffic, ok bool) {
	perSet := capacity / 100
	held, first, done := map[int]bool{}, -1, 0
	var begin, from, to int
	words := 0
	for cycle, line := range lines {
		for _, a := range line {
			if first < 0 {
				first = cycle
			}
			if held[a] {
				continue
			}
			held[a] = true
			words++
			if len(held) < 50*perSet {
				continue
			}
			held = map[int]bool{}
			if done == 0 {
				to = first - 2
				begin = first - (50*perSet+9)/10
			} else if to < from {
				return tr, false
			}
			done++
			from, to = to+1, cycle
		}
	}
	stop := to + 1
	if done == 0 {
		sets := (len(held) + perSet - 1) / perSet
		begin, stop = -(sets*perSet+9)/10, -1
	} else if to < from {
		return tr, false
	}
	return Traffic{int64(begin), int64(stop), uint64(words), float64(words) / float64(stop-begin+1)}, true
}

// write is the write buffer word by word, with its queue of lines and with the
// stalls that never happen.
func (t twin) write(lines [][]int, capacity, width int) (tr Traffic, stalls int) {
	var queue []int // words in each closed line
	open, free, sent, end := 0, capacity, 0, 0
	started, first, last := false, 0, 0
	drain := capacity - (capacity+1)/2
	closeLine := func() {
		if open > 0 {
			queue, open = append(queue, open), 0
		}
	}
	empty := func(now int) {
		n := min((drain+width-1)/width, len(queue))
		words := (n-1)*width + queue[n-1]
		queue = queue[n:]
		sent, free, end = sent+words, free+words, now+n-1
		if !started {
			started, first = true, now
		}
		last = max(last, end)
	}
	now := 0
	for cycle, line := range lines {
		now = cycle + stalls
		for range line {
			open++
			free--
			if open == width {
				closeLine()
			}
			if now < end {
				if free <= 0 {
					stalls, now = stalls+end-now, end
				}
			} else if free < capacity-drain {
				closeLine()
				empty(now)
			}
		}
	}
	closeLine()
	for len(queue) > 0 {
		empty(now)
		now = end + 1
	}
	return Traffic{int64(first), int64(last), uint64(sent), float64(sent) / float64(last-first+1)}, stalls
}

func TestDRAMEqualsTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, l := anyArray(t), anyLayer(t, 12)
		p, err := a.plan(l)
		if err != nil {
			t.Skip(err)
		}
		tw := newTwin(p)
		ifmap, okIfmap := tw.read(tw.ifmap, a.IfmapSRAM)
		filter, okFilter := tw.read(tw.filter, a.FilterSRAM)
		ofmap, stalls := tw.write(tw.ofmap, a.OfmapSRAM, a.Cols)
		require.Zero(t, stalls)
		d, err := a.DRAM(l)
		if !okIfmap || !okFilter {
			require.ErrorContains(t, err, "window of zero cycles")
			return
		}
		require.NoError(t, err)
		require.Equal(t, ifmap, d.Ifmap, "ifmap")
		require.Equal(t, filter, d.Filter, "filter")
		require.Equal(t, ofmap, d.Ofmap, "ofmap")
	})
}

func TestDRAMErrors(t *testing.T) {
	a := Array{Rows: 1 << 20, Cols: 4, Dataflow: OS, IfmapSRAM: 99, FilterSRAM: 1024, OfmapSRAM: 1}
	big := Layer{Name: "big", H: 20000, W: 20000, R: 3, S: 3, C: 1, N: 1, StrideH: 1, StrideW: 1}
	_, err := a.DRAM(big)
	require.ErrorContains(t, err, "ifmap SRAM is 99 words (want 100 to")
	require.ErrorContains(t, err, "ofmap SRAM is 1 words (want 2 to")
	a.IfmapSRAM, a.OfmapSRAM = 1024, 1024
	_, err = a.DRAM(big)
	require.ErrorContains(t, err, "400000000 pieces of 1 words is too large")
}
