package tile

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// MostSteps is how many steps a nest may have: they are walked one by one.
const MostSteps = 1 << 20

// A Task is what is done with a nest besides its loops.
type Task struct {
	Operands []Operand // by tensor of the problem
	Sums     int64     // bits of a partial sum
	Bias     graph.TensorID
	BiasSize int64 // bytes
	Vector   int64 // operations of the vector unit on the results
	Lanes    int64 // of the vector unit, per cycle
	// MACs are those of the work, where sizes of the nest are rounded up: operands say
	// what of it is data. 0: those of the nest.
	MACs int64
}

// A Plan is the steps of a nest.
type Plan struct {
	task    Task
	loops   []nest.OuterLoop
	extent  []int64
	sizes   []int64
	tensors []tensor

	Steps, Cycles, MACs int64
	Traffic             dma.Traffic // bytes, padding left out
	Scratch             int64       // bytes
}

// A tensor is one of a plan.
type tensor struct {
	nest.OuterTensor
	ranks   [][]nest.Term
	indexed []bool // by outer loop
	written bool
	words   int64 // read from the outermost level, or added there
	again   int64 // of an output: of them, sums that are not complete
	tile    int64 // elements of a tile
	boxes   int64 // of all fetches
	sparse  bool  // a part of a tile moves
}

// New makes the steps of a legal mapping, whose tiles fit. r is its evaluation with an
// outermost level of unlimited bandwidth.
func New(n *nest.Nest, m *nest.Mapping, r *nest.Result, task Task) (*Plan, error) {
	if !n.Perfect(m) {
		return nil, fmt.Errorf("imperfect factors are not cut into steps")
	}
	p := &Plan{task: task, Cycles: int64(r.Cycles), MACs: int64(r.MACs), Steps: 1}
	if task.MACs > 0 {
		p.MACs = task.MACs
	}
	p.loops, p.extent = n.Outer(m)
	for _, d := range n.Problem().Dims {
		p.sizes = append(p.sizes, d.Size)
	}
	for _, x := range p.loops {
		if p.Steps *= x.Trips; p.Steps > MostSteps {
			return nil, fmt.Errorf("the loops outside the chip have more than %d iterations", MostSteps)
		}
	}
	for t, outer := range n.OuterTensors(m) {
		out, in := n.OuterWords(r, t)
		x := p.tensor(&n.Problem().Tensors[t], outer, out, in)
		x.sparse = n.Sparse()
		if x.written && !x.sparse && x.First != nest.Inside && x.words != x.boxes {
			return nil, fmt.Errorf("sums of %s that several instances make apart are not cut into steps", n.Problem().Tensors[t].Name)
		}
		p.tensors = append(p.tensors, x)
	}
	p.count()
	return p, nil
}

func (p *Plan) tensor(of *nest.Tensor, outer nest.OuterTensor, out, in int64) tensor {
	x := tensor{OuterTensor: outer, ranks: of.Ranks, written: of.Written, words: out}
	if of.Written {
		x.words, x.again = in, out
	}
	dims := of.Dims()
	for _, l := range p.loops {
		x.indexed = append(x.indexed, dims.Has(l.Dim))
	}
	b := newBox(len(x.ranks))
	x.box(&b, make([]int64, len(p.sizes)), p.extent)
	x.tile, x.boxes = b.words(), b.words()
	if x.First == nest.Inside {
		x.boxes *= p.Steps
		return x
	}
	for i, l := range p.loops {
		switch {
		case x.First == nest.Never || i < x.First:
		case i == x.First && x.Adjacent && !x.written:
			x.boxes += (l.Trips - 1) * x.fresh(&b, &l)
		default:
			x.boxes *= l.Trips
		}
	}
	return x
}

// box is what a tensor's indices reach from a base in each dimension on.
func (x *tensor) box(b *box, base, extent []int64) {
	for i, r := range x.ranks {
		b.lo[i], b.hi[i] = 0, 1
		for _, y := range r {
			b.lo[i] += y.Coef * base[y.Dim]
			b.hi[i] += y.Coef * (base[y.Dim] + extent[y.Dim] - 1)
		}
	}
}

// moved is the rank that a loop moves, and how far.
func (x *tensor) moved(l *nest.OuterLoop) (rank int, by int64) {
	for i, r := range x.ranks {
		for _, y := range r {
			if y.Dim == l.Dim {
				return i, y.Coef * l.Step
			}
		}
	}
	return 0, 0
}

// fresh is how many elements of a tile the one before in the loop has not.
func (x *tensor) fresh(b *box, l *nest.OuterLoop) int64 {
	rank, by := x.moved(l)
	span := b.hi[rank] - b.lo[rank]
	return b.words() / span * min(span, by)
}

// count walks the steps once and adds up what they move.
func (p *Plan) count() {
	var s dma.Step
	t, cycles := &p.Traffic, int64(0)
	for w := p.Walk(); w.Next(&s); cycles += s.Cycles {
		for i := range s.Loads {
			switch x := &s.Loads[i]; x.Buffer {
			case dma.Ifmap:
				t.Ifmap += x.Bytes()
			case dma.Filter:
				t.Filter += x.Bytes()
			default:
				t.Psum += x.Bytes()
			}
		}
		for i := range s.Stores {
			if x := &s.Stores[i]; x.Tensor == dma.Scratch {
				t.Spill += x.Bytes()
			} else {
				t.Output += x.Bytes()
			}
		}
	}
	for i := range p.tensors {
		if p.tensors[i].again > 0 {
			p.Scratch = (p.task.Operands[i].Elements()*p.task.Sums + 7) / 8
		}
	}
}

// Words is what all steps load, or store, of a tensor by the nest's counts, padding
// included.
func (p *Plan) Words(t int) int64 { return p.tensors[t].words }

// Tile is how many elements of a tensor a step works on.
func (p *Plan) Tile(t int) int64 { return p.tensors[t].tile }
