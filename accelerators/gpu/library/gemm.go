package library

import (
	"math"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/components/integer"
)

// A Product is Batch independent products of an M x K by a K x N matrix; Batch 0 is 1.
type Product struct {
	Batch, M, N, K int
	Type           Type
	// Warm is the bytes of operands and results that are in the L2.
	Warm float64
	// Loop: they are there since the kernel runs again and again. Rules whose rows show nothing of it ignore it.
	Loop bool
	// Sparse is the share of the K x N matrix that moves where a pattern leaves the rest out; 0 is 1.
	// The sums that matrix units skip are in Chip.Tensor.
	Sparse float64
	// Quantised is set if no kernel quantises activations before.
	Quantised bool
}

// moved is the share of the K x N matrix that moves.
func (p *Product) moved() float64 {
	if p.Sparse > 0 {
		return p.Sparse
	}
	return 1
}

// gemm is the rule of a family of products; see the package for what it says.
type gemm struct {
	tiles  []tile
	launch float64 // s: launch, prologue and end of a kernel
	tensor float64 // share of the sustained rate that a main loop reaches in a tile without edges
	issue  float64 // share of its peak that one SM reaches in such a tile, while power does not bind; 0: as tensor
	edge   float64 // a tile of m x n reaches mn / (mn + edge (m + n)) of that
	memory float64 // share of the memory's bandwidth
	copies float64 // bytes per clock that an SM copies into shared memory
	near   float64 // 0: it does not bind; L2 traffic, over the panels of all tiles at the L2's bandwidth; clusters share panels
	wave   float64 // latencies of memory around a wave
	split  float64 // s: partial sums are joined
	join   float64 // of their bytes, over the L2's bandwidth
	store  float64 // of the last tile's results, at the rate of copies
	turn   float64 // latencies of memory that a step of a main loop takes at the least
	unpack float64 // weights per clock that an SM makes elements of the matrix units; 0: none
	whole  bool    // sums are not split
	kept   bool    // operands of a loop stay in the L2, as the rows show

	prepare float64 // s: kernels that quantise activations
	passes  float64 // of 5 bytes for each activation: read twice and written once
}

// A tile is the results of a thread block, or of a pair of SMs' share of it.
type tile struct{ m, n int }

// splits are the parts of a sum that are tried.
var splits = [...]int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32}

const (
	step      = 64  // elements of a sum per step of the main loop
	leastPart = 256 // elements that a part of a sum has at the least
	// mostParallel is how many tiles per SM a split makes at the most: sums of products that fill
	// the SMs are not split.
	mostParallel = 2
)

func root4(x float64) float64 { return math.Sqrt(math.Sqrt(x)) }

// cost is the time of a product.
func (g *gemm) cost(c *Chip, p Product) kernel.Cost {
	batch := max(p.Batch, 1)
	m, n, k := float64(p.M), float64(p.N), float64(p.K)
	bytes := float64(batch) * (p.Type.size()*m*k + p.Type.weight()*n*k*p.moved() + 2*m*n)
	if p.Loop && !g.kept {
		p.Warm = 0
	}
	far := max(bytes-p.Warm, 0) / (c.Memory * g.memory)
	prepare, before, near := 0.0, 0.0, 0.0
	if g.prepare > 0 && !p.Quantised { // quantising is its own kernels, which read and write
		prepare, before = g.prepare, g.passes*5*float64(batch)*m*k/(c.Memory*g.memory)
		near = 3 * float64(batch) * m * k
	}
	best := kernel.Cost{Total: math.Inf(1)}
	for i, t := range g.tiles {
		if i < len(g.tiles)-1 && !c.holds(&p, t) {
			continue
		}
		tiles := integer.Ceil(p.M, t.m) * integer.Ceil(p.N, t.n) * batch
		for _, s := range splits {
			if s > 1 && (g.whole || p.K < s*leastPart || tiles*s > mostParallel*c.SMs) {
				break
			}
			x := g.cut(c, &p, t, tiles, s, far, best.Total)
			// The L2 bounds all kernels together, so that a tile which reads less may be the faster one.
			x.Near += near
			x.Total = max(x.Total, c.leastTime(x.Near, bytes)-before)
			if x.Total < best.Total {
				best = x
			}
		}
	}
	best.Memory, best.Bytes, best.Launch, best.Kernels = far, bytes, g.launch+prepare, 1
	best.Kept = min(p.Warm, bytes)
	best.Total += best.Launch + before
	if near > 0 {
		best.Kernels++
	}
	best.Compute = min(best.Compute, best.Total-best.Launch)
	return best
}

// cut is the time with one tile and split, without the launch; far is that of memory. A result
// that is certainly not below limit may be infinite.
func (g *gemm) cut(c *Chip, p *Product, t tile, tiles, split int, far, limit float64) kernel.Cost {
	rows, panels := float64(t.m+t.n), float64(t.m)*p.Type.size()+float64(t.n)*p.Type.weight()*p.moved()
	area := float64(t.m * t.n)
	sums := float64(integer.Ceil(integer.Ceil(p.K, split), step) * step)
	work := tiles * split
	waves := float64(integer.Ceil(work, c.SMs))

	products, power := area*sums/c.rate(g.tensor*area/(area+g.edge*rows)), 0.0
	if g.issue > 0 {
		products = area * sums / (c.Tensor * c.Clock * min(1, g.issue*area/(area+g.edge*rows)))
		power = float64(max(p.Batch, 1)) * float64(p.M) * float64(p.N) * float64(p.K) / (float64(c.SMs) * c.rate(g.tensor))
	}
	if g.unpack > 0 {
		products += float64(t.n) * sums / (g.unpack * c.Clock)
	}
	copies := c.copied(g.copies) * c.Clock
	feed := panels * sums / copies
	busy := max(waves*max(products, feed), power)
	loop := max(busy, waves*g.turn*c.Latency*sums/step)
	near := 0.0
	if g.near > 0 {
		near = float64(work) * panels * sums / (c.L2Bandwidth * g.near)
	}
	around := waves*g.wave*c.Latency + area*2*g.store/copies
	if split > 1 {
		around += g.split + g.join*8*float64(split)*float64(max(p.Batch, 1))*float64(p.M)*float64(p.N)/c.L2Bandwidth
	}
	if max(loop, near, far)+around >= limit {
		return kernel.Cost{Total: math.Inf(1)}
	}
	results := 2 * float64(max(p.Batch, 1)) * float64(p.M) * float64(p.N)
	return kernel.Cost{Total: norm4(loop, near, far) + around, Compute: loop, Waits: around, Stalled: loop - busy, Rounds: int(waves), Near: float64(work)*panels*sums + results,
		Tile: kernel.Tile{M: t.m, N: t.n, WarpM: min(t.m, 64), WarpN: min(t.n, 64), Split: split}}
}
