package prefetch

import "fmt"

// BingoSpec is the keys of bingo.
type BingoSpec struct {
	Region       int     `yaml:"region" jsonschema:"minimum=256,maximum=65536" doc:"Bytes of a region, a power of two of 2 to 64 lines"`
	History      int     `yaml:"history" jsonschema:"minimum=16,maximum=1048576" doc:"Footprints that are remembered, in sets of 16, a power of two"`
	Filter       int     `yaml:"filter" jsonschema:"minimum=1,maximum=65536" doc:"Regions of which one line was accessed"`
	Accumulation int     `yaml:"accumulation" jsonschema:"minimum=1,maximum=65536" doc:"Regions whose footprint is gathered"`
	Threshold    float64 `yaml:"threshold" jsonschema:"minimum=0,maximum=1" doc:"Share of the footprints of the short event that a line is in, from which on it is brought"`
}

func (s BingoSpec) check() error {
	if !(s.Threshold >= 0 && s.Threshold <= 1) {
		return fmt.Errorf("threshold is %g (want 0 to 1)", s.Threshold)
	}
	for _, err := range []error{
		powerOfTwo("region", s.Region, 256, 1<<16), powerOfTwo("history", s.History, bingoWays, 1<<20),
		within("filter", s.Filter, 1, 1<<16), within("accumulation", s.Accumulation, 1, 1<<16),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func init() {
	add("bingo", "Brings the lines of a region that were used after an access of the same stream to the same line, or else to the same place of a region.",
		"Bakhshalipour et al., Bingo spatial data prefetcher, HPCA 2019; parameters of the authors' program",
		BingoSpec{Region: 2 << 10, History: 16 << 10, Filter: 64, Accumulation: 128, Threshold: 0.2},
		func(g Geometry, s BingoSpec) (Rule, error) {
			lines := uint64(s.Region) / g.Line
			if lines < 2 || lines > 64 {
				return nil, fmt.Errorf("region of %d bytes has %d lines (want 2 to 64)", s.Region, lines)
			}
			return newBingo(int(lines), s), nil
		})
}

// bingo gathers which lines of a region are accessed until one of them is evicted.
type bingo struct {
	lines   int // of a region
	filter  regions
	gather  regions
	history bingoHistory
}

func newBingo(lines int, s BingoSpec) *bingo {
	return &bingo{lines: lines, filter: newRegions(s.Filter), gather: newRegions(s.Accumulation), history: newBingoHistory(lines, s)}
}

func (p *bingo) Most() int { return p.lines }

func (p *bingo) Access(a *Access, out []uint64) []uint64 {
	if a.Write {
		return out
	}
	number, offset := a.Line/uint64(p.lines), int(a.Line%uint64(p.lines))
	if x := p.gather.find(number); x != nil {
		x.footprint |= 1 << offset
		p.gather.touch(x)
		return out
	}
	x := p.filter.find(number)
	if x == nil { // the access that triggers
		p.filter.insert(region{number: number + 1, stream: a.Stream, offset: offset, footprint: 1 << offset})
		print := p.history.find(a.Stream, a.Line)
		for i := range p.lines {
			if print>>i&1 != 0 {
				out = append(out, number*uint64(p.lines)+uint64(i))
			}
		}
		return out
	}
	p.filter.touch(x)
	if x.offset != offset {
		moved := *x
		moved.footprint |= 1 << offset
		p.remember(p.gather.insert(moved))
		x.number = 0
	}
	return out
}

// Evict implements Evicter: the footprint of the line's region is complete.
func (p *bingo) Evict(line uint64) {
	number := line / uint64(p.lines)
	if x := p.filter.find(number); x != nil {
		x.number = 0
	}
	if x := p.gather.find(number); x != nil {
		p.remember(*x)
		x.number = 0
	}
}

// remember puts the footprint of a region into the history.
func (p *bingo) remember(x region) {
	if x.number != 0 {
		p.history.insert(x.stream, (x.number-1)*uint64(p.lines)+uint64(x.offset), x.footprint)
	}
}

// A region is what is known of one that is in use.
type region struct {
	number    uint64 // plus 1; 0: free
	stream    uint64 // of the access that triggered, ...
	offset    int    // ... and its line in the region
	footprint uint64 // lines that were accessed, by bit
	used      uint64
}

// regions is a table of regions, of which the one used longest ago goes.
type regions struct {
	list  []region
	clock uint64
}

func newRegions(n int) regions { return regions{list: make([]region, n)} }

func (r *regions) find(number uint64) *region {
	for i := range r.list {
		if r.list[i].number == number+1 {
			return &r.list[i]
		}
	}
	return nil
}

// touch makes a region the one used last.
func (r *regions) touch(x *region) {
	r.clock++
	x.used = r.clock
}

// insert takes a region in, and returns the one that goes for it.
func (r *regions) insert(x region) (old region) {
	at := &r.list[0]
	for i := range r.list {
		y := &r.list[i]
		if y.number == 0 {
			at = y
			break
		}
		if y.used < at.used {
			at = y
		}
	}
	old, *at = *at, x
	r.touch(at)
	return old
}
