package memory

import "sort"

// A Piece is entries of a tensor that lie one after the other in the memory of a tier.
type Piece struct {
	From, N uint64 // the first, in the order in which the tensor has them, and how many
	At      uint64 // the first, from where the tier's memory begins
	Tier    int
}

// A Spread is where a tensor lies that is in pieces: keys and values in blocks. An entry is
// so many bytes of it; those after the last piece lie where the first ones do.
type Spread struct {
	Entry  uint64   // bytes
	Base   []uint64 // address of the memory of each tier
	Pieces []Piece  // by From
}

// Find is the address of a byte of the tensor, and how many from it on follow each other. The
// search begins with piece k; the next one may begin with the one that is returned.
func (s *Spread) Find(offset uint64, k int) (addr, run uint64, piece int) {
	last := s.Pieces[len(s.Pieces)-1]
	e, in := offset/s.Entry%(last.From+last.N), offset%s.Entry
	for range 2 {
		if k < len(s.Pieces) && s.Pieces[k].From <= e && e < s.Pieces[k].From+s.Pieces[k].N {
			break
		}
		k++
	}
	if k >= len(s.Pieces) || e < s.Pieces[k].From || e >= s.Pieces[k].From+s.Pieces[k].N {
		k = sort.Search(len(s.Pieces), func(i int) bool { return s.Pieces[i].From+s.Pieces[i].N > e })
	}
	p := &s.Pieces[k]
	return s.Base[p.Tier] + (p.At+e-p.From)*s.Entry + in, (p.N-(e-p.From))*s.Entry - in, k
}
