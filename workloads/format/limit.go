package format

import (
	"errors"
	"math"
	"math/bits"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Limits that every reader keeps, so that products of dimensions stay inside an int64.
const (
	MaxDim      = 1<<31 - 1 // of one dimension
	MaxElements = 1 << 52   // of one tensor
	MaxWork     = 1 << 60   // multiply-accumulates of a graph
)

// Product multiplies two numbers that are not negative. ok is false when the product does
// not fit into an int64.
func Product(a, b int64) (n int64, ok bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return int64(lo), hi == 0 && lo <= math.MaxInt64
}

// CheckWork returns an error when the graph has more than MaxWork multiply-accumulates.
func CheckWork(g *graph.Graph) error {
	var total int64
	for i := range g.Ops {
		n := g.Ops[i].MACs()
		if total += n; n < 0 || total > MaxWork {
			return errors.New("the model has more than 2^60 multiply-accumulates")
		}
	}
	return nil
}
