package nvdla

import (
	"fmt"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Network is a graph as layers of the sheet.
type Network struct {
	Layers []Layer
	Ops    []int // operator of each layer
	Apart  int   // operators that are neither a layer nor follow one: the sheet gives them no time
}

// Layers converts a graph to one row per convolution and product. Operators that alone read a
// row's result (activation, pooling, addition of an earlier tensor) are part of the row. A
// product of one row, and a convolution whose window is its whole input, is fully connected; any
// other product is a convolution of 1 x 1. A transposed or dilated convolution is an error.
func Layers(g *graph.Graph) (Network, error) {
	f := follower{g: g, maker: make([]int, len(g.Tensors)), readers: make([]int, len(g.Tensors)), taken: make([]bool, len(g.Ops))}
	for i := range g.Ops {
		for _, t := range g.Ops[i].Out {
			f.maker[t] = i
		}
		for _, t := range g.Ops[i].In {
			if t != graph.None {
				f.readers[t]++
			}
		}
	}
	var n Network
	for i := range g.Ops {
		m, ok := g.Ops[i].Matrix()
		if !ok {
			continue
		}
		l, err := layer(g, &g.Ops[i], m)
		if err != nil {
			return n, err
		}
		f.taken[i] = true
		f.follow(i, &l)
		n.Layers, n.Ops = append(n.Layers, l), append(n.Ops, i)
	}
	for i := range g.Ops {
		if m, view := g.Ops[i].Kind.(graph.Move); !f.taken[i] && !(view && m.Elements == 0) {
			n.Apart++
		}
	}
	return n, nil
}

// layer is a convolution or product without what follows it.
func layer(g *graph.Graph, op *graph.Op, m graph.Matrix) (Layer, error) {
	l := Layer{StrideH: 1, StrideW: 1, R: 1, S: 1, OutH: 1, OutW: 1,
		Feature: bytesOf(g, op, 0), Weight: bytesOf(g, op, 1), Repeat: max(1, m.Batch)}
	c := m.Conv
	if c == nil {
		l.C, l.K, l.H, l.W = int(m.K), int(m.N), int(m.M), 1
		l.FullyConnected, l.OutH = m.M == 1, int(m.M)
		return l, nil
	}
	if c.Transposed || c.DilationH > 1 || c.DilationW > 1 {
		return l, fmt.Errorf("%s: the performance sheet of NVDLA has no transposed or dilated convolution", op.Name)
	}
	l.C, l.K, l.H, l.W, l.R, l.S = c.C/c.Groups, c.K/c.Groups, c.H, c.W, c.R, c.S
	l.StrideH, l.StrideW = c.StrideH, c.StrideW
	l.PadH, l.PadW = c.PadTop > 0, c.PadLeft > 0
	l.OutH, l.OutW = c.OutH(), c.OutW()
	l.Repeat = c.Groups * c.N
	l.FullyConnected = !l.PadH && !l.PadW && c.R == c.H && c.S == c.W
	return l, nil
}

// bytesOf is the bytes of an element of an operand.
func bytesOf(g *graph.Graph, op *graph.Op, operand int) float64 {
	if operand >= len(op.In) || op.In[operand] == graph.None {
		return 1
	}
	return float64(g.Tensor(op.In[operand]).DType.Bits()) / 8
}

// A follower finds what is carried out with a layer.
type follower struct {
	g       *graph.Graph
	maker   []int // operator of each tensor; 0 too where there is none
	readers []int
	taken   []bool
}

// follow goes from the results of layer i on while one operator alone reads them.
func (f *follower) follow(i int, l *Layer) {
	tail := f.g.Ops[i].Out[0]
	for j := i + 1; j < len(f.g.Ops) && f.readers[tail] == 1; j++ {
		op := &f.g.Ops[j]
		other, reads := f.others(op, tail, i)
		if !reads {
			continue
		}
		if !fused(op) || other > i {
			return
		}
		f.taken[j] = true
		l.Elementwise = l.Elementwise || other >= 0
		tail = op.Out[0]
		if s := f.g.Tensor(tail).Shape; len(s) == 4 {
			l.OutH, l.OutW = s[2], s[3]
		}
	}
}

// others is the last operator that made another operand of op than tail, -1 if there is no
// such operand but weights; reads is false where op does not read tail.
func (f *follower) others(op *graph.Op, tail graph.TensorID, i int) (last int, reads bool) {
	last = -1
	for _, t := range op.In {
		switch {
		case t == tail:
			reads = true
		case t != graph.None && f.g.Tensor(t).Role != graph.Weight:
			last = max(last, f.maker[t])
		}
	}
	return last, reads
}

// fused reports whether an operator can be carried out on the way from the multipliers.
func fused(op *graph.Op) bool {
	switch k := op.Kind.(type) {
	case graph.Pool, graph.Elementwise, graph.Norm:
		return true
	case graph.Move:
		return k.Elements == 0
	}
	return false
}
