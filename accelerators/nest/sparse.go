package nest

import (
	"fmt"
	"math"
)

// Sparse is what a machine knows of zeros.
type Sparse struct {
	// Formats of a tensor at a level, [level][tensor], ranks outermost first; nil where
	// it lies there as in a dense machine.
	Formats [][][]Rank
	Savings []Saving
}

// A Rank is one rank of a compressed format.
type Rank struct {
	Format Format
	// Flatten holds the dimensions whose loops may be one rank together; 0: a rank is
	// one loop.
	Flatten     Mask
	MetaBits    int // bits of an item of metadata; 0: those of the level
	PayloadBits int // bits of an item of payload; 0: those of the level
}

// A Format is how one rank says which of its elements are there.
type Format uint8

// The formats.
const (
	OffsetPairs  Format = iota // uncompressed offset pairs, as in CSR: shape+1 offsets
	Coordinates                // a coordinate per element that is not empty
	RunLength                  // a run of zeros per element that is not empty
	Bitmask                    // a bit per element
	PlainBitmask               // a bit per element, which are all kept
)

// Compressed reports whether empty elements are left out.
func (f Format) Compressed() bool { return f == Coordinates || f == RunLength || f == Bitmask }

// A Saving gates or skips accesses to a target where leaders are empty. It stands at
// a level and acts at the next level from there outward that keeps the target. Of
// several options the one is taken that saves the most energy.
type Saving struct {
	Level   int
	Skip    bool // else gated: it takes its cycle
	Options []Option
}

// An Option is a target with its leaders.
type Option struct {
	Target  int
	Leaders Mask
}

func (s *Sparse) check(p *Problem, a *Arch) error {
	for _, x := range s.Savings {
		for _, o := range x.Options {
			if x.Level < 0 || x.Level >= len(a.Levels) || o.Target < 0 || o.Target >= len(p.Tensors) ||
				o.Leaders == 0 || o.Leaders&^everything(len(p.Tensors)) != 0 || o.Leaders.Has(o.Target) {
				return fmt.Errorf("saving at level %d of tensor %d by %b names what is not there", x.Level, o.Target, o.Leaders)
			}
		}
	}
	for l := range s.Formats {
		for t, ranks := range s.Formats[l] {
			if len(ranks) == 0 {
				continue
			}
			if l >= len(a.Levels) || t >= len(p.Tensors) || len(ranks) > maxRanks {
				return fmt.Errorf("format of tensor %d at level %d with %d ranks (want at most %d)", t, l, len(ranks), maxRanks)
			}
		}
	}
	return nil
}

// format are the ranks of tensor t at level l.
func (n *Nest) format(l, t int) []Rank {
	if n.sparse == nil || l >= len(n.sparse.Formats) || t >= len(n.sparse.Formats[l]) {
		return nil
	}
	return n.sparse.Formats[l][t]
}

func compressed(ranks []Rank) bool {
	for _, r := range ranks {
		if r.Format.Compressed() {
			return true
		}
	}
	return false
}

const maxRanks = 16

// sparseScratch holds what the analysis of zeros finds, [level*nT+tensor].
type sparseScratch struct {
	density []float64 // expected, of a tile
	words   []float64 // expected occupancy of a tile
	saved   []float64 // share of reads that is gated or skipped
	how     []saving
	ranks   []rankShape
	units   []Units // of a tile, expected, [.. *maxRanks+rank], innermost rank first
	box     []float64
	cond    []float64
	goal    []float64
}

type saving uint8

const (
	nothing saving = iota
	gate
	skip
)

// rankShape is how the ranks of a format lie over the loops, innermost first.
type rankShape struct {
	n     int
	base  float64           // elements inside the innermost rank
	shape [maxRanks]float64 // elements of a fiber
	whole [maxRanks]float64 // elements of the tensor in a fiber with all below it
}

func newSparseScratch(n *Nest) sparseScratch {
	if n.sparse == nil {
		return sparseScratch{}
	}
	k := n.nL * n.nT
	return sparseScratch{
		density: make([]float64, k), words: make([]float64, k), saved: make([]float64, k), how: make([]saving, k),
		ranks: make([]rankShape, k), units: make([]Units, k*maxRanks),
		box: make([]float64, n.nD), cond: make([]float64, n.nD), goal: make([]float64, n.nD),
	}
}

// zeros turns the algorithmic counts into actual ones.
func (n *Nest) zeros(m *Mapping, r *Result) {
	n.formats(m, r)
	n.occupancies(m, r)
	n.compress(r)
	n.save(m, r)
	n.propagate(r)
	n.convert(r)
}

// below is the next level inside l that keeps tensor t, or -1.
func (n *Nest) below(r *Result, l, t int) int {
	for l++; l < n.nL; l++ {
		if r.Counts[l*n.nT+t].Kept {
			return l
		}
	}
	return -1
}

// above is the next level outside l that keeps tensor t, or -1.
func (n *Nest) above(r *Result, l, t int) int {
	for l--; l >= 0; l-- {
		if r.Counts[l*n.nT+t].Kept {
			return l
		}
	}
	return -1
}

// occupancies are the expected density of tiles and the units of metadata for them.
// Where the level above knows which tiles are empty, those are not sent.
func (n *Nest) occupancies(m *Mapping, r *Result) {
	for t := range n.nT {
		d := n.p.Tensors[t].Density
		all := d.lot(n.whole[t])
		for l := range n.nL {
			at := l*n.nT + t
			c := &r.Counts[at]
			if !c.Kept {
				continue
			}
			least, _ := d.bounds(c.Tile, all)
			low, high, sure := d.likely(c.Tile, all)
			up := n.above(r, l, t)
			scale, none := 1.0, false
			if up >= 0 && len(n.format(up, t)) > 0 && least == 0 && d.Distribution != Dense {
				p0 := d.empty(c.Tile, all)
				c.Average *= 1.0 - p0
				scale, none = 1-p0, true
			}
			ranks := n.format(l, t)
			units := n.sp.units[at*maxRanks : at*maxRanks+len(ranks)]
			clear(units)
			total := 0.0
			for k := low; k <= high; k++ {
				p := d.probability(c.Tile, k, all)
				if sure {
					p = 1
				}
				if p == 0 {
					continue
				}
				p /= scale
				if none && k == 0 {
					p = 0
				}
				total += float64(p * k)
				for i := range units {
					u := n.units(at, t, i, ranks, c.Tile, k)
					units[i].Metadata += float64(p * u.Metadata)
					units[i].Payload += float64(p * u.Payload)
				}
			}
			n.sp.words[at], n.sp.density[at] = total, total/c.Tile
			if len(ranks) == 0 {
				continue
			}
			_, most := d.bounds(c.Tile, all)
			c.Capacity = most
			c.Format = c.Format[:0]
			for i := range ranks {
				u := n.units(at, t, i, ranks, c.Tile, most)
				c.Format = append(c.Format, FormatCounts{Capacity: u.up()})
			}
		}
	}
}

// compress leaves out of the traffic of a level with a format what is empty.
func (n *Nest) compress(r *Result) {
	for at := range r.Counts {
		c := &r.Counts[at]
		l, t := at/n.nT, at%n.nT
		if ranks := n.format(l, t); c.Kept && len(ranks) > 0 {
			empty := 1 - n.sp.density[at]
			c.Actual.Reads -= math.Floor(c.Actual.Reads * empty)
			c.Actual.Fills -= math.Floor(c.Actual.Fills * empty)
			if n.p.Tensors[t].Written {
				c.Actual.Updates -= math.Floor(c.Actual.Updates * empty)
			}
			a := &c.Algorithmic
			for i := range c.Format {
				u, f := n.sp.units[at*maxRanks+i], &c.Format[i]
				f.Reads = u.times(a.Reads / c.Tile)
				f.Fills = u.times(a.Fills / c.Tile)
				f.Updates = u.times(a.Updates / c.Tile)
			}
		}
	}
}

// convert counts the words that are unpacked where a level without a format lies
// below one that has one, and those that are packed on the way up.
func (n *Nest) convert(r *Result) {
	for at := range r.Counts {
		c := &r.Counts[at]
		l, t := at/n.nT, at%n.nT
		if !c.Kept || compressed(n.format(l, t)) {
			continue
		}
		up := n.above(r, l, t)
		if up < 0 || !compressed(n.format(up, t)) {
			continue
		}
		c.Decompressed = c.Actual.Fills
		if n.p.Tensors[t].Written {
			c.Compressed = r.Counts[up*n.nT+t].Actual.Updates
		}
	}
}
