package nest

import "math"

// FormatCounts are items of metadata and payload of one rank of a format.
type FormatCounts struct {
	Capacity                     Units // of a tile at most
	Reads, Fills, Updates        Units
	GatedReads, GatedUpdates     Units
	SkippedReads, SkippedUpdates Units
}

// Units are items of one rank: metadata, which says what is there, and payload,
// which says where it is.
type Units struct{ Metadata, Payload float64 }

func (u Units) up() Units { return Units{math.Ceil(u.Metadata), math.Ceil(u.Payload)} }

func (u Units) times(f float64) Units {
	return Units{math.Ceil(u.Metadata * f), math.Ceil(u.Payload * f)}
}

// take removes the share p, rounded down, and returns it.
func (u *Units) take(p float64) Units {
	d := Units{math.Floor(u.Metadata * p), math.Floor(u.Payload * p)}
	u.Metadata -= d.Metadata
	u.Payload -= d.Payload
	return d
}

// formats lays the ranks of every format over the loops of the mapping. The ranks of
// the level below lie inside; those of a level without a format are one.
func (n *Nest) formats(m *Mapping, r *Result) {
	for t := range n.nT {
		for l := n.nL - 1; l >= 0; l-- {
			c := &r.Counts[l*n.nT+t]
			if !c.Kept {
				continue
			}
			s := &n.sp.ranks[l*n.nT+t]
			ranks := n.format(l, t)
			if len(ranks) == 0 {
				s.n, s.base, s.shape[0], s.whole[0] = 1, 1, c.Tile, c.Tile
				continue
			}
			n.layRanks(m, r, l, t, s, ranks)
		}
	}
}

// layRanks gives loops between a level and the one below to the ranks of a format,
// outermost first: one loop each, or with Flatten all that follow each other.
func (n *Nest) layRanks(m *Mapping, r *Result, l, t int, s *rankShape, ranks []Rank) {
	*s = rankShape{n: len(ranks), base: 1}
	low, inner := n.below(r, l, t), 0
	if low >= 0 && compressed(ranks) && r.Counts[low*n.nT+t].Tile > 1 {
		b := &n.sp.ranks[low*n.nT+t]
		inner = min(b.n, len(ranks))
		s.base = b.base
		copy(s.shape[:inner], b.shape[:inner])
		copy(s.whole[:inner], b.whole[:inner])
	}
	from := n.nL - 1
	if low >= 0 {
		from = low - 1
	}
	var list [MaxLevels * 8]ranked
	k := n.rankedLoops(m, l, from, t, &list)
	box := n.sp.box
	if inner == 0 && low >= 0 {
		// No rank lies below: the innermost loop of a dimension stands for all of it.
		var seen Mask
		for i := range k {
			if !seen.Has(list[i].dim) {
				list[i].factor *= n.extAt(low)[list[i].dim]
				seen |= 1 << uint(list[i].dim)
			}
		}
	}
	least := 1.0
	if k > 0 {
		least = list[0].whole
	}
	i := len(ranks) - 1
	for ; i >= inner && k > 0; i-- {
		k--
		flat := ranks[len(ranks)-1-i].Flatten
		for d := range box {
			box[d] = 1
		}
		if flat != 0 && !flat.Has(list[k].dim) {
			s.shape[i], s.whole[i] = 1, least
			k++ // the next rank may take it
			continue
		}
		s.whole[i] = list[k].whole
		box[list[k].dim] *= list[k].factor
		for flat != 0 && k > 0 && flat.Has(list[k-1].dim) {
			k--
			box[list[k].dim] *= list[k].factor
		}
		s.shape[i] = n.tile(t, box)
	}
	for ; i >= inner; i-- {
		s.shape[i], s.whole[i] = 1, least
	}
}

// rankedLoops lists the loops of a tensor from level from out to level l, innermost
// first, and how many there are.
func (n *Nest) rankedLoops(m *Mapping, l, from, t int, list *[MaxLevels * 8]ranked) (k int) {
	// Extents with a loop and all inside it; inside the level below the box begins at
	// its tile.
	box := n.sp.box
	copy(box, n.extAt(from+1))
	for x := from; x >= l; x-- {
		for _, loops := range [2][]Loop{m.Levels[x].Spatial, m.Levels[x].Temporal} {
			for _, y := range loops {
				if y.Factor == 1 {
					continue
				}
				box[y.Dim] *= float64(y.Factor)
				if n.dims[t].Has(y.Dim) && k < len(list) {
					list[k] = ranked{y.Dim, float64(y.Factor), n.tile(t, box)}
					k++
				}
			}
		}
	}
	return k
}

type ranked struct {
	dim    int
	factor float64
	whole  float64
}

// units are the items of rank i (outermost first) for a tile of which full elements
// are not zero.
func (n *Nest) units(at, t, i int, ranks []Rank, tile, full float64) Units {
	s, d := &n.sp.ranks[at], n.p.Tensors[t].Density
	of := lot{tile, full}
	fibers, here := 1.0, tile
	last := 0 // the innermost rank that is there: its payload is the data
	for last < s.n-1 && s.shape[last] == 1 {
		last++
	}
	for k := s.n - 1; k >= 0; k-- {
		inside := s.base
		if k > 0 {
			inside = s.whole[k-1]
		}
		if s.n-1-k != i {
			fibers *= s.shape[k]
			here = inside
			continue
		}
		if s.shape[k] == 1 && k != s.n-1 {
			return Units{}
		}
		u := rankUnits(ranks[i].Format, fibers, s.shape[k], 1-d.empty(here, of), 1-d.empty(inside, of))
		if k == last {
			u.Payload = 0
		}
		return u
	}
	return Units{}
}

// rankUnits are the items of so many fibers, each there with a probability, whose
// elements are.
func rankUnits(f Format, fibers, shape, there, element float64) Units {
	some := fibers * there
	switch f {
	case OffsetPairs:
		return Units{0, some * (shape + 1)}
	case Coordinates:
		x := math.Ceil(shape*element) * some
		return Units{x, x}
	case RunLength:
		x := shape * element * some
		return Units{x, x}
	case Bitmask:
		return Units{some * shape, some * math.Ceil(shape*element)}
	}
	return Units{fibers * shape, fibers * shape}
}
