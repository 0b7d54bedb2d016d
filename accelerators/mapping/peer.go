package mapping

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/components/registry"
)

// A Peer is another program's rule for the tiles of an m x k by k x n product of elements
// of so many bytes. Tiles of rows x columns go to the cores in turn, columns running
// faster.
type Peer func(m, n, k, bytes int64, c machine.Core) dma.Tile

// Peers holds the rules that mapping.rules names.
var Peers = registry.New[Peer]("mapping rules")

// deal shares a matrix product out by the rules of a peer. Convolutions and products of
// several matrices have none and go by the split.
func (x *Mapper) deal(s *splitter, i int, cores []machine.Core, rules Peer) (out []portion, ok bool) {
	op := &s.g.Ops[i]
	m, ok := op.Matrix()
	if !ok || m.Conv != nil || m.Batch != 1 {
		return nil, false
	}
	all := product.Whole(product.Collapse(m))
	t := rules(m.M, m.N, m.K, max(1, s.g.Tensor(op.In[0]).Unit().Bits()/8), cores[0])
	for r := int64(0); r < m.M; r += t.M {
		for c := int64(0); c < m.N; c += t.N {
			q := portion{core: len(out) % len(cores), part: len(out) / len(cores), pipelined: true, of: 1, sh: all}
			q.sh.Row, q.sh.N = product.Part{From: r, To: min(r+t.M, m.M)}, product.Part{From: c, To: min(c+t.N, m.N)}
			q.tile, q.order = dma.Tile{Batch: 1, M: min(t.M, m.M), N: min(t.N, m.N), K: min(t.K, m.K)}, "mnk"
			out = append(out, q)
		}
	}
	return out, true
}

// peer is the rules of the section, nil where it has none.
func (s *Spec) peer() Peer {
	if e, ok := Peers.Entry(s.Rules); ok {
		return e.New
	}
	return nil
}

// within is the rule that fixes the tile of a portion, where it has one.
func (q *portion) within(r Rule) Rule {
	if q.tile != (dma.Tile{}) {
		r.Tile, r.Order = q.tile, q.order
	}
	return r
}
