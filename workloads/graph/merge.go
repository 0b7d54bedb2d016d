package graph

// A Merge combines attentions over parts of the keys by the statistics of each row: each part is
// scaled by exp(its largest score - the largest of all parts), and the parts are added. The result
// is exact.
//
// In: pairs of a weighted sum and its statistics; a pair may hold several parts in sequence. A
// pair with fewer rows than the result belongs to the last queries of each head. Out: the weighted
// sum of all parts.
//
// Source: Dao, Haziza, Massa, Sizov, Flash-Decoding for long-context inference, PyTorch blog
// 2023; Dao, FlashAttention-2, arXiv 2307.08691, section 3.1.
type Merge struct {
	Rows, Cols int64      // of the result
	Pieces     int64      // rows of all parts together
	Statistics Statistics // of each of them
}

// Type implements Kind.
func (Merge) Type() string { return "merge" }

// MACs implements Kind.
func (Merge) MACs() int64 { return 0 }

// fixDTypes implements dtypeFixer: statistics are FP32.
func (Merge) fixDTypes(g *Graph, op *Op) {
	for n := 1; n < len(op.In); n += 2 {
		g.Tensors[op.In[n]].DType = FP32
	}
}

const (
	logOps = 4 // of the vector unit, as func.go has it
	expOps = 4
)

// VectorOps counts, for each row of a part, a compare, a subtraction, an exponential and an
// addition to the sum of weights, with MaxSum also the scaling of its sum; the reciprocal of that
// sum and the multiplication of the weights by it; and for each element of a part a
// multiplication, and an addition except for the first part.
func (m Merge) VectorOps() int64 {
	each := int64(1 + expOps + 1) // subtract, exponential, multiply by the reciprocal
	if m.Statistics == MaxSum {
		each++
	}
	between := m.Pieces - m.Rows // compares, and additions
	return 2*between + m.Pieces*each + m.Rows*softmaxRow + (m.Pieces+between)*m.Cols
}

func (m Merge) check(v *validator) {
	if m.Rows < 1 || m.Cols < 1 || m.Pieces < m.Rows || m.Statistics < 1 || m.Statistics > MaxSum {
		v.errorf("%d rows in %d pieces of %d elements with %d statistics (want at least one of each, as many pieces as rows, and at most %d statistics)", m.Rows, m.Pieces, m.Cols, m.Statistics, MaxSum)
		return
	}
	var sums, statistics int64
	for i, id := range v.op.In {
		switch {
		case id == None:
			v.errorf("operand %d is missing", i)
		case i%2 == 0:
			sums += v.elements[id]
		default:
			statistics += v.elements[id]
		}
	}
	if want, ok := product(m.Pieces, m.Cols); !ok || sums != want || statistics != m.Pieces*int64(m.Statistics) {
		v.errorf("has %d elements and %d statistics (want %d pieces of %d and %d)", sums, statistics, m.Pieces, m.Cols, m.Statistics)
	}
	v.count("output", v.out(), m.Rows, m.Cols)
}
