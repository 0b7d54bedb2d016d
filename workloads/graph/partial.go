package graph

// Statistics is how many numbers an Attention over a part of the keys leaves for each row.
type Statistics int

const (
	// LogSumExp is the logarithm of the sum of the exponentials of the scores. The weighted sum
	// is divided by that sum already (Flash-Decoding; Helix Parallelism).
	LogSumExp Statistics = 1
	// MaxSum is the largest score, and the sum of the exponentials of what the scores are less
	// than it. The weighted sum is not divided (FlashAttention, Algorithm 1).
	MaxSum Statistics = 2
)

// A Merge makes one attention of those over parts of the keys, by the statistics of each row:
// every part is scaled by the exponential of what its largest score is less than the largest
// of all, and they are added up. The result is exact.
//
// In: pairs of a weighted sum and its statistics; one may hold several parts, one after the
// other. A pair of fewer rows than the result is of the last queries of each head. Out: the
// weighted sum of all parts.
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

const (
	logOps = 4 // of the vector unit, as func.go has it
	expOps = 4
)

// RowOps is the vector-unit operations at the end of each row.
func (a Attention) RowOps() int64 {
	switch a.Partial {
	case LogSumExp:
		return int64(OnlineRow+a.Value) + logOps + 1 // the maximum is added
	case MaxSum:
		return 0
	}
	return int64(OnlineRow + a.Value)
}

// VectorOps is, for each row of a part, its compare, subtraction, exponential and the place in
// the sum of weights, with MaxSum its sum scaled besides; the reciprocal of that sum, by which
// weights are multiplied; and a multiply for each element of a part, an addition for each but
// the first.
func (m Merge) VectorOps() int64 {
	each := int64(1 + expOps + 1) // subtract, exponential, multiply by the reciprocal
	if m.Statistics == MaxSum {
		each++
	}
	between := m.Pieces - m.Rows // compares, and additions
	return 2*between + m.Pieces*each + m.Rows*softmaxRow + (m.Pieces+between)*m.Cols
}

func (v *validator) statistics(a Attention) {
	if a.Partial < 0 || a.Partial > MaxSum {
		v.errorf("%d statistics of a row (want 0 to %d)", a.Partial, MaxSum)
		return
	}
	if outs := 1 + min(int(a.Partial), 1); len(v.op.Out) != outs {
		v.errorf("has %d results (want %d)", len(v.op.Out), outs)
	} else if a.Partial > 0 {
		v.count("statistics", v.op.Out[1], int64(a.Batch), int64(a.Group), int64(a.Queries), int64(a.Partial))
	}
}

func (v *validator) merge(m Merge) {
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
