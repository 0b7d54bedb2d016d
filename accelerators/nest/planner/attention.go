package planner

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Attention as one operator: keys and values of a head lie in the outermost level on the
// chip, blocks of queries pass, and their scores never leave it. A block is two nests
// inside that level, one after the other; the vector unit works on the scores of one
// block while the units work on another. Keys and values have to fit twice (those of the
// next head are fetched meanwhile), queries and results twice, scores once.
//
// Not as one operator: masks, operands besides queries, keys and values, values that are
// a part of the keys, keys that do not fit, a machine with several outermost instances.

// heads are the sizes of an attention.
type heads struct {
	heads, rows, keys, size, value int64 // rows: queries that share keys
	q, kv, out, sums               int64 // bits of an element
}

func headsOf(r *mapping.Product) (h heads, err error) {
	k := r.Op.Kind.(graph.Attention)
	g := r.Graph
	h = heads{heads: int64(k.Batch), rows: int64(k.Group) * int64(k.Queries), keys: int64(k.Keys), size: int64(k.Size), value: int64(k.Value),
		q: g.Tensor(r.Op.In[0]).DType.Bits(), kv: g.Tensor(r.Op.In[1]).DType.Bits(), out: g.Tensor(r.Out).DType.Bits(), sums: r.Sums.Bits()}
	switch {
	case k.Mask != graph.Mask{}:
		return h, fmt.Errorf("masked scores are not left out by a nest")
	case k.Inside || len(r.Op.In) > 3:
		return h, fmt.Errorf("a nest has queries, keys and values of their own, and nothing else")
	}
	return h, plain(r)
}

// whole bytes of n elements.
func bytesOf(n, bits int64) int64 { return (n*bits + 7) / 8 }

// block is the most rows of queries that fit with what else lies in so many bytes: a
// divisor of all.
func (h *heads) block(capacity int64) (int64, error) {
	held := 2 * bytesOf(h.keys*(h.size+h.value), h.kv)
	for n := int64(1); n <= h.rows; n++ {
		if h.rows%n != 0 {
			continue
		}
		b := h.rows / n
		if need := held + 2*bytesOf(b*h.size, h.q) + 2*bytesOf(b*h.value, h.out) + bytesOf(b*h.keys, h.sums); need <= capacity {
			return b, nil
		} else if b == 1 {
			return 0, fmt.Errorf("keys and values of a head twice, a row of scores, queries and results need %d B on the chip, %d more than there are", need, need-capacity)
		}
	}
	return 0, fmt.Errorf("there are no queries")
}

// Attend implements mapping.Planner.
func (p *Planner) Attend(r *mapping.Product) (*mapping.Own, error) {
	h, err := headsOf(r)
	if err != nil {
		return nil, err
	}
	d, err := p.description(r.Graph.Tensor(r.Op.In[0]).DType)
	if err != nil {
		return nil, err
	}
	l := &d.Arch.Levels[1]
	if l.Mesh.Count() > 1 || l.Bypass != 0 {
		return nil, fmt.Errorf("level %s is not one that holds every tensor", l.Name)
	}
	capacity := int64(1) << 50
	if l.Words > 0 {
		capacity = int64(l.Words) * int64(l.WordBits) / 8
	}
	rows, err := h.block(capacity)
	if err != nil {
		return nil, err
	}
	o := &mapping.Own{Tile: mapping.Tile{Batch: 1, M: rows, N: h.keys, K: h.size}, Units: d.Arch.Compute.Mesh.Count()}
	blocks := h.heads * (h.rows / rows)
	for _, x := range [2][2]int64{{h.keys, h.size}, {h.value, h.keys}} { // scores, weighted sum
		k := key{shape: shape{sizes: [8]int64{rows, 1, x[0], x[1], 1, 1, 1, 1}, stride: [2]int64{1, 1}, dilation: [2]int64{1, 1}}, dtype: r.Graph.Tensor(r.Op.In[0]).DType, inside: true}
		f := p.of(&k, nil)
		if f.err != nil {
			return nil, f.err
		}
		o.Cycles += blocks * int64(f.result.Cycles)
		o.MACs += blocks * int64(k.shape.macs())
		o.Used = max(o.Used, int64(f.result.ComputeInstances))
		o.Compute += float64(blocks) * f.result.ComputeEnergy
		o.Storage += float64(blocks) * (f.result.Energy - f.result.ComputeEnergy)
	}
	o.Steps = blocks
	a := &attention{h: h, rows: rows, cycles: o.Cycles / blocks, op: r.Op}
	a.busy = max(a.cycles, (r.Vector/blocks+r.Lanes-1)/r.Lanes)
	o.Traffic = mapping.Traffic{Ifmap: blocks * bytesOf(rows*h.size, h.q), Output: blocks * bytesOf(rows*h.value, h.out),
		Filter: h.heads * (bytesOf(h.keys*h.size, h.kv) + bytesOf(h.keys*h.value, h.kv))}
	o.Footprint = [3]int64{mapping.Ifmap: bytesOf(rows*h.size, h.q), mapping.Filter: bytesOf(h.keys*(h.size+h.value), h.kv),
		mapping.Ofmap: bytesOf(rows*h.value, h.out) + bytesOf(rows*h.keys, h.sums)}
	o.Walk = func() mapping.Stepper { return &blockWalk{a: a} }
	return o, nil
}

// attention is what its steps have in common.
type attention struct {
	h            heads
	rows         int64 // of a block
	cycles, busy int64 // of a block: of the units, and with the vector unit
	op           *graph.Op
}

// A blockWalk yields a step per block of queries.
type blockWalk struct {
	a           *attention
	head, block int64
}

// Next implements mapping.Stepper.
func (w *blockWalk) Next(s *mapping.Step) bool {
	s.Loads, s.Stores = s.Loads[:0], s.Stores[:0]
	h := &w.a.h
	if w.head == h.heads {
		return false
	}
	run := func(tensor graph.TensorID, b mapping.Buffer, from, n, bits int64) mapping.Transfer {
		return mapping.Transfer{Tensor: tensor, Buffer: b, Offset: from * bits / 8, RowBytes: bytesOf(n, bits), Rows: 1, Planes: 1}
	}
	in, first := w.a.op.In, w.head*h.rows+w.block*w.a.rows
	if w.block == 0 {
		s.Loads = append(s.Loads, run(in[1], mapping.Filter, w.head*h.keys*h.size, h.keys*h.size, h.kv),
			run(in[2], mapping.Filter, w.head*h.keys*h.value, h.keys*h.value, h.kv))
	}
	s.Loads = append(s.Loads, run(in[0], mapping.Ifmap, first*h.size, w.a.rows*h.size, h.q))
	s.Stores = append(s.Stores, run(w.a.op.Out[0], mapping.Ofmap, first*h.value, w.a.rows*h.value, h.out))
	s.Cycles, s.MACs = w.a.busy, w.a.rows*h.keys*(h.size+h.value)
	if w.block++; w.block == h.rows/w.a.rows {
		w.block = 0
		w.head++
	}
	return true
}

// within is a machine whose outermost level on the chip holds all operands.
func within(a nest.Arch, c nest.Constraints) (nest.Arch, nest.Constraints) {
	a.Levels, c.Levels = slices.Clone(a.Levels[1:]), slices.Clone(c.Levels[1:])
	l := &a.Levels[0]
	l.Words, l.Keep, l.Bypass, l.Utilization = 0, 0, 0, 0
	c.Levels[0].Keep, c.Levels[0].Bypass = 0, 0
	return a, c
}
