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

func (a Attention) checkStatistics(v *validator) {
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
