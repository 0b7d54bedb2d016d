package library

import (
	"math"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/components/integer"
)

// An Attention is scores, softmax and the weighted sum of Heads query heads over Requests,
// KVHeads of which hold keys: the numbers are those of all requests together.
type Attention struct {
	Heads, KVHeads int // of all requests
	Queries, Keys  int // of a head; Keys counts those that were there before
	Size, Value    int
	Pairs          float64 // scores that are not masked, of all heads
	Bytes          float64 // of queries, keys, values and results, each once
	Type, Cache    Type    // of queries; of keys and values in the cache
	Latent         bool    // of a prompt: keys are longer than values, by rotated elements that all heads share
	Absorbed       bool    // of a token: keys and values of all heads are one latent vector
	Warm           float64 // bytes that are in the L2
	Loop           bool    // they are there since the kernel runs again and again: see Product
}

// context is the rule of fused attention of prompts.
type context struct {
	launch  float64 // s: launches of the attention and of what prepares it
	odd     float64 // s more, where heads have other sizes than 128
	block   float64 // s: around the loop of a block
	wide    float64 // s of that, per 128 elements of a head
	tensor  float64 // share of the sustained rate
	exp     float64 // exponentials of a score
	tail    float64 // of the longest block, after all SMs were busy
	queries float64 // share of the memory's bandwidth that preparing queries reaches
	keys    float64 // and keys and values

	near  float64 // share of the L2's bandwidth that preparing reaches where all stays there; 0: nothing stays
	spill float64 // of the L2's size: what a kernel may have more than that until nothing stays

	rows, cols int // queries and keys of a step

	sizes map[int]*context // other kernels, by the size of a head
}

// cost is the time of an attention of prompts.
func (a *context) cost(c *Chip, p Attention) kernel.Cost {
	scores := float64(a.rows * a.cols)
	one := scores*float64(p.Size+p.Value)/c.rate(a.tensor) + scores*a.exp/(c.Exponential*c.Clock)
	fix := a.block + a.wide*float64(p.Size)/128
	blocks := integer.Ceil(p.Queries, a.rows)
	heads := float64(p.Heads)
	steps, most := a.steps(&p, blocks)
	longest := fix + most*one
	rounds := heads * float64(blocks) / float64(c.SMs)
	total := longest
	if rounds > 1 {
		all := (float64(blocks)*fix + steps*one) * heads / float64(c.SMs)
		total = max(longest, all+a.tail*longest*min(1, rounds-1))
	}
	// Queries are read, turned and written; keys and values go into the cache.
	each := float64(p.Queries) * (2 + p.Type.size())
	moved := each * (heads*float64(p.Size)/a.queries + float64(p.KVHeads)*float64(p.Size+p.Value)/a.keys)
	out := a.outside(c, &p)
	prepare := moved * out / c.Memory
	if out < 1 {
		prepare += moved * (1 - out) / (c.L2Bandwidth * a.near)
	}
	// What was cached before is read at the rate of streams at least once.
	before := max(p.Bytes-p.Warm, 0) / c.Memory
	launch := a.launch
	if p.Size != 128 {
		launch += a.odd
	}
	x := kernel.Cost{Launch: launch, Compute: total, Memory: prepare, Bytes: p.Bytes, Rounds: int(math.Ceil(rounds)), Kernels: 2} // the preparation and the attention
	x.Total = launch + max(total+prepare, before)
	x.Kept = min(p.Warm, p.Bytes)
	x.Near = p.Bytes + moved + heads*steps*float64(a.cols*(p.Size+p.Value))*p.Type.size()
	return x
}

// outside is the share of what a prompt's kernels exchange that goes through the memory: queries,
// keys and values as they are projected, queries that are turned, the cache and the results are each
// in the L2 for the next kernel if they all fit.
func (a *context) outside(c *Chip, p *Attention) float64 {
	if a.near == 0 || c.L2 == 0 {
		return 1
	}
	q, kv := float64(p.Queries*p.Heads), float64(p.Queries*p.KVHeads)
	size := float64(p.Size)
	held := q*size*(2+p.Type.size()+2) + kv*float64(p.Size+p.Value)*(2+p.Type.size())
	over := held/c.L2 - 1
	if over <= 0 {
		return 0
	}
	return min(1, over/a.spill)
}

// steps is the steps of all blocks of a head, and those of the longest.
func (a *context) steps(p *Attention, blocks int) (all, longest float64) {
	pairs := p.Pairs / float64(p.Heads)
	q, k := float64(p.Queries), float64(p.Keys)
	switch causal := q*(k-q) + q*(q+1)/2; {
	case pairs >= q*k && p.Queries > 1: // every query sees all keys
		longest = float64(integer.Ceil(p.Keys, a.cols))
		return longest * float64(blocks), longest
	case pairs < 0.999*causal: // a window: the diagonal takes a step more
		longest = math.Ceil(min(pairs/q+float64(a.rows), k) / float64(a.cols))
		return longest * float64(blocks), longest
	}
	before := p.Keys - p.Queries
	for i := range blocks {
		all += float64(integer.Ceil(before+min((i+1)*a.rows, p.Queries), a.cols))
	}
	return all, float64(integer.Ceil(p.Keys, a.cols))
}
