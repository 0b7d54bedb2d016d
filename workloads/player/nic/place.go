package nic

import (
	"sort"

	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A place is the tensors that a transfer reads or writes, one after the other. All together
// may be shorter than what is worked on.
type place struct {
	all  []address
	size uint64 // bytes of all
}

// An address is where a tensor lies: from byte first of the place to byte end.
type address struct {
	base, first, end uint64
	hint             memory.Hint
}

// placeOf is where some tensors of a share lie.
func placeOf(w *known, ids []graph.TensorID) (p place) {
	for _, id := range ids {
		if id == graph.None {
			continue
		}
		t := w.Graph.Tensor(id)
		n := uint64(t.Bytes())
		hint := memory.Hint{Tensor: uint32(id) + 1, Kind: t.Role, About: w.Tensors.Of(id)}
		if w.Spread != nil {
			if s := w.Spread(id); s != nil {
				p.pieces(s, n, hint)
				continue
			}
		}
		p.add(w.Base(id), n, hint)
	}
	return p
}

// pieces adds a tensor of n bytes that is in pieces.
func (p *place) pieces(s *memory.Spread, n uint64, hint memory.Hint) {
	for off, k := uint64(0), 0; off < n; {
		addr, run, at := s.Find(off, k)
		run = min(run, n-off)
		p.add(addr, run, hint)
		off, k = off+run, at
	}
}

func (p *place) add(base, n uint64, hint memory.Hint) {
	p.all = append(p.all, address{base, p.size, p.size + n, hint})
	p.size += n
}

// at returns the address of byte n, how many bytes follow it in one piece, and their hint. A
// transfer without tensors lies at address 0.
func (p *place) at(n uint64) (addr, run uint64, hint memory.Hint) {
	if p.size == 0 {
		return n, 1 << 62, hint
	}
	n %= p.size
	i := sort.Search(len(p.all), func(i int) bool { return n < p.all[i].end })
	a := &p.all[i]
	return a.base + n - a.first, a.end - n, a.hint
}
