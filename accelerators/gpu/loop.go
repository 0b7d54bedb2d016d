package gpu

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// copies is how many weights a benchmark's loop takes in turn at the most.
//
// Source: ai-dynamo/aiconfigurator, collector/trtllm/collect_gemm.py. It makes as many as the L2's
// size over the weights' size, rounded up, and times them one after the other. Other operators of
// its collectors run again on the same operands.
const copies = 5

// looped reports whether the operators of a graph run in loops of their own (caches: loop, and auto
// for rows of a list on kernels that were measured so).
func (c *record) looped(g *graph.Graph) bool {
	switch c.spec.Caches {
	case loop:
		c.loops = true
		return true
	case autoCaches:
		if c.lib == nil {
			return false
		}
	default:
		return false
	}
	apart := c.apart(g)
	c.loops = c.loops || apart
	return apart
}

// apart reports whether the operators of a graph are rows of a list, none of which reads what another one made.
func (c *record) apart(g *graph.Graph) bool {
	if c.listed != g {
		c.listed, c.separate = g, g.List && !chained(g)
	}
	return c.separate
}

// loops is the bytes of operands and results that an operator's loop finds in an L2, least recently
// used bytes of which are replaced. What it goes through is in the L2 if all of it fits, and nothing of
// it if not; operands besides the weights come again sooner.
//
// assumption: LRU. Of rows that need a little more than the L2 some measured a part of it.
func loops(m *kernel.Machine, f *graph.Footprint) float64 {
	all, weights := float64(f.Bytes()), float64(f.WeightBytes)
	n := 1
	if weights > 0 {
		n = max(min(copies, int((m.L2+weights-1)/weights)), 1)
	}
	switch {
	case float64(n)*weights+all-weights <= m.L2:
		return all
	case weights > 0 && all <= m.L2:
		return all - weights
	}
	return 0
}

// loopAssumption says what runs in loops.
func loopAssumption(name, caches string) string {
	return fmt.Sprintf("%s: operators run again and again, as benchmarks time them: what fits the L2 stays there, of a product's weights up to %d in turn (caches: %s)", name, copies, caches)
}
