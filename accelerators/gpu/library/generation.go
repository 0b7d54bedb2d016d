package library

import (
	"math"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
)

// generation is the rule of attention of one token per sequence.
type generation struct {
	launch float64 // s: launches
	wide   float64 // s more, per 128 elements of a head
	group  float64 // s of each round after the first, of blocks with a group of heads
	groupD float64 // and per 128 elements of a head
	head   float64 // the same of blocks with one head
	headD  float64
	block  float64 // bytes per second that one block reads at the most
	sm     float64 // bytes per second that one SM reads in rounds
	memory float64 // share of the memory's bandwidth
	near   float64 // share of the L2's bandwidth
	split  float64 // s: results of parts are joined
	serial float64 // s: of the one block at the least, of a round
	kept   bool    // keys of a loop stay in the L2, as the rows show
}

const (
	mostGroup = 32 // query heads of a block
	leastKeys = 64 // of a part
	mostParts = 256
)

// cost is the time of an attention of one token per sequence.
func (a *generation) cost(c *Chip, p Attention) kernel.Cost {
	if p.Loop && !a.kept {
		p.Warm = 0
	}
	group := p.Heads / p.KVHeads
	wide := float64(p.Size) / 128
	blocks, near := p.KVHeads, 0.0
	round := a.group + a.groupD*wide
	row := float64(p.Size+p.Value) * p.Type.size() // a key and its value
	cache := float64(p.KVHeads) * float64(p.Keys) * row
	if group == 1 || group > mostGroup {
		blocks = p.Heads
		near = cache * float64(group) / (c.L2Bandwidth * a.near)
		round = a.head + a.headD*wide
	}
	far := max(p.Bytes-p.Warm, 0)/(c.Memory*a.memory) + min(p.Warm, p.Bytes)/c.L2Bandwidth
	best := kernel.Cost{Total: math.Inf(1)}
	for s := 1; s <= mostParts; s *= 2 {
		if s > 1 && (p.Keys < s*leastKeys || blocks*s > 2*c.SMs) {
			break
		}
		part := float64(p.Keys) / float64(s) * row
		rounds := max(1, float64(blocks*s)/float64(c.SMs))
		x := (rounds-1)*round + part*rounds/a.sm
		t := x
		if m := max(far, near); m > 0 {
			t = math.Sqrt(far*far + near*near + x*x)
		}
		filled := t
		t = max(t, a.serial*round+part/a.block)
		if s > 1 {
			t += a.split
		}
		if t < best.Total {
			best = kernel.Cost{Total: t, Compute: max(x, near), Waits: t - filled, Rounds: int(math.Ceil(rounds))}
		}
	}
	best.Launch, best.Kernels = a.launch+a.wide*wide, 2
	best.Total += best.Launch
	best.Memory, best.Bytes, best.Kept = far, p.Bytes, min(p.Warm, p.Bytes)
	best.Near = max(float64(blocks)*float64(p.Keys)*row, p.Bytes)
	best.Compute = min(best.Compute, best.Total-best.Launch)
	return best
}
