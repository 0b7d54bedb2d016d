package memory

import "sort"

// A Piece is consecutive entries of a tensor in the memory of a tier.
type Piece struct {
	From, N uint64 // first entry of the tensor, and number of entries
	At      uint64 // place of the first entry, in entries from the tier's base
	Tier    int
}

// A Spread is the addresses of a tensor in pieces: keys and values in blocks. Entries beyond the
// last piece have the addresses of the first ones.
type Spread struct {
	Entry  uint64   // bytes
	Base   []uint64 // address of the memory of each tier
	Pieces []Piece  // by From
}

// Find returns the address of a byte of the tensor, and the contiguous bytes from it on. The
// search begins at piece k; passing the returned piece speeds up the next call.
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
