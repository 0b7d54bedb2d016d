package library

import (
	"math"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/components/integer"
)

// latent is the rule of latent attention of one token per sequence, projections absorbed: all
// heads of a request read the same keys, whose larger part are the values.
type latent struct {
	launch float64 // s: launches of the attention and of what prepares it
	block  float64 // s: around the loop of a block
	rows   int     // heads of a block
	stream float64 // bytes per second that one block reads
	tensor float64 // share of the sustained rate
	memory float64 // share of the memory's bandwidth
	split  float64 // s: results of parts are joined
	write  float64 // s: queries are turned and results written, for each query head and SM
	whole  bool    // keys are not split
}

// cost is the time of a latent attention of one token per sequence.
func (a *latent) cost(c *Chip, p Attention) kernel.Cost {
	if p.Loop { // the rows show nothing of it
		p.Warm = 0
	}
	requests, heads := p.KVHeads, p.Heads/p.KVHeads
	blocks := requests * integer.Ceil(heads, a.rows)
	row := float64(p.Size) * p.Cache.size()
	macs := float64(min(integer.Ceil(heads, leastRows)*leastRows, a.rows)) * float64(p.Size+p.Value)
	far := max(p.Bytes-p.Warm, 0) / (c.Memory * a.memory)
	best := kernel.Cost{Total: math.Inf(1)}
	for s := 1; s <= mostParts; s *= 2 {
		if s > 1 && (a.whole || p.Keys < s*leastKeys || blocks*s > 2*c.SMs) {
			break
		}
		part := float64(integer.Ceil(p.Keys, s))
		one := a.block + part*max(row/a.stream, macs/c.rate(a.tensor))
		loop := one * max(1, float64(blocks*s)/float64(c.SMs))
		t, joined := norm4(loop, far, 0), 0.0
		if s > 1 {
			joined = a.split
		}
		if t += joined; t < best.Total {
			best = kernel.Cost{Total: t, Compute: loop, Waits: joined, Rounds: integer.Ceil(blocks*s, c.SMs)}
		}
	}
	best.Launch = a.launch
	write := a.write * float64(p.Heads) / float64(c.SMs)
	best.Total += a.launch + write
	best.Waits += write
	best.Memory, best.Bytes, best.Kept = far, p.Bytes, min(p.Warm, p.Bytes)
	best.Near = max(float64(blocks)*float64(p.Keys)*row, p.Bytes)
	best.Compute = min(best.Compute, best.Total-best.Launch)
	return best
}

// leastRows are those of a product of the matrix units.
const leastRows = 16
