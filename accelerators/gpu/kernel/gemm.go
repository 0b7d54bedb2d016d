package kernel

import (
	"math"

	"github.com/causeway-sim/causeway/components/integer"
)

// A Product is Batch independent products of an M x K by a K x N matrix whose
// elements have Bytes.
type Product struct {
	Batch, M, N, K int
	Bytes          float64
	// Traffic is the bytes that move if each element moves once; 0: those of three
	// matrices per product.
	Traffic float64
	// Warm is the bytes of operands that the operator before has left; they may lie in
	// the L2.
	Warm float64
	// Stages are the parts by rows that the product goes in, one after the other; 0 is 1.
	Stages int

	reread float64 // bytes of operands that come from memory again
}

// bytes is what the product reads and writes if each element moves once.
func (p Product) bytes() float64 {
	if p.Traffic > 0 {
		return p.Traffic
	}
	m, n, k := float64(p.M), float64(p.N), float64(p.K)
	return p.Bytes * float64(p.Batch) * (m*k + k*n + m*n)
}

const (
	// candidates bounds the ways to cut one product.
	candidates = 128
	// far is how many times Choice a tile may be worse than the best and still count.
	far = 8
	// mostRounds bounds the rounds for which fewer SMs are tried.
	mostRounds = 64
)

// GEMM is the cost of a product.
func (m *Machine) GEMM(p Product) Cost {
	var all [candidates]float64
	var best Cost
	n := 0
	best.Total = math.Inf(1)
	for _, t := range tiles {
		if !t.suits(p) {
			continue
		}
		p.reread = m.again(p, t)
		for _, s := range splits {
			if s > 1 && p.K < s*least*stage {
				break
			}
			t.Split = s
			c := m.spread(p, t, best.Total*(1+far*m.Choice))
			all[n] = c.Total
			n++
			if c.Total < best.Total {
				best = c
			}
		}
	}
	// Tiles that are nearly as good are chosen too.
	sum, weight := 0.0, 0.0
	for _, c := range all[:n] {
		if x := (c/best.Total - 1) / m.Choice; x < far {
			w := math.Exp(-x)
			sum, weight = sum+w*c, weight+w
		}
	}
	total := sum / weight
	if m.Rereads && m.Behind > 0 { // the time of the tile that is chosen
		free := *m
		free.Memory = m.Behind
		p.reread = m.again(p, best.Tile)
		best = free.spread(p, best.Tile, math.Inf(1))
		total = best.Total
	}
	best.Launch = m.Launch
	best.Waits += max(m.Least-total, 0)
	best.Total = m.Launch + max(m.Least, total)
	return best
}

// spread is the cost of a product with one tile, without its launch, on as many SMs as take the
// least time: all of them, or, with as many rounds, as few as those need. It is infinite where it
// is certainly more than limit.
func (m *Machine) spread(p Product, t Tile, limit float64) Cost {
	work := integer.Ceil(p.M, t.M) * integer.Ceil(p.N, t.N) * t.Split * p.Batch
	best := m.cut(p, t, m.SMs, limit)
	for rounds := integer.Ceil(work, m.SMs); best.Total < math.Inf(1); rounds++ {
		sms := integer.Ceil(work, rounds)
		c := m.cut(p, t, sms, best.Total)
		if sms < m.SMs && c.Total < best.Total {
			best = c
		}
		if c.Compute >= best.Total || sms == 1 || rounds > mostRounds {
			break
		}
	}
	return best
}

// cut is the cost of a product with one tile on so many SMs.
func (m *Machine) cut(p Product, t Tile, sms int, limit float64) Cost {
	work := integer.Ceil(p.M, t.M) * integer.Ceil(p.N, t.N) * t.Split * p.Batch
	k := float64(integer.Ceil(integer.Ceil(p.K, t.Split), stage) * stage)
	warps := t.warps()

	// The main loop of one tile on an SM of its own.
	macs := float64(t.M*t.N) / m.Tensor
	reads := warps * float64(t.WarpM+t.WarpN)
	if m.Group { // four warps read the columns together
		reads = float64(integer.Ceil(t.M, groupRows)) * float64(min(t.M, groupRows)+t.N)
	}
	shared := p.Bytes * (reads + float64(t.M+t.N)) / m.Shared
	loop := k * max(macs, shared) / (m.Clock * m.Issue)
	// Blocks at a time on an SM, and what their warps hide.
	fit := max(1, min(math.Floor(m.SharedSize/(stages*stage*p.Bytes*float64(t.M+t.N))), math.Floor(maxWarps/warps)))
	rate := func(n int) float64 {
		w := warps * min(float64(n), fit)
		return w / (w + m.Hide) * (maxWarps + m.Hide) / maxWarps
	}

	// Steps whose operands are under way come no faster than memory answers.
	step := float64(stage)
	if m.Group {
		step = groupStage
	}
	wait := k / step * m.Wait * m.Latency / (stages - 1)
	loops := func(rounds int) float64 {
		return max(float64(rounds)*loop/rate(rounds), math.Ceil(float64(rounds)/fit)*wait)
	}

	bytes := p.bytes() + p.reread - m.left(p.Warm)
	if m.L2 == 0 { // every tile reads its own panels
		rows, cols := float64(min(t.M, p.M)), float64(min(t.N, p.N))
		bytes = p.Bytes * (float64(work)*float64(integer.Ceil(p.K, t.Split))*(rows+cols) + float64(p.Batch)*float64(p.M)*float64(p.N))
	}
	each := bytes / float64(work) // of memory, per tile
	panels := k * p.Bytes * float64(t.M+t.N)
	if m.Group { // and clusters of two blocks one of the panels
		panels -= k * p.Bytes * float64(max(t.M, t.N)) / 2
	}
	full, rest := work/sms, work%sms
	rounds := full
	if rest > 0 {
		rounds++
	}
	// Around a loop the first operands come and the results leave, which pass the L2 twice.
	fill := m.Fill*m.Latency + 2*p.Bytes*float64(t.M*t.N)*float64(sms)/m.L2Bandwidth
	time, compute := 0.0, loops(rounds)
	memory := bytes / m.Memory
	if max(compute, memory, float64(work)*panels/m.L2Bandwidth) > limit {
		return Cost{Total: math.Inf(1)}
	}
	if full > 0 {
		n := float64(full * sms)
		// Blocks are at different places, so that bytes move while others begin or end; the last
		// end is seen.
		hidden := (math.Ceil(float64(rounds)/fit) - 1) * fill
		time += m.join(loops(full)+hidden, n*each/m.Memory, n*panels/m.L2Bandwidth)
	}
	if rest > 0 {
		n := float64(rest)
		last := compute
		if full > 0 {
			last -= loops(full)
		}
		time += m.join(last, n*each/min(m.Memory, n*m.perSM()), n*panels/m.L2Bandwidth)
	}
	// Power.
	peak := m.Tensor * m.Clock * float64(m.SMs) * m.Sustained
	if c := float64(p.Batch) * float64(p.M) * float64(p.N) * float64(p.K) / peak; c > time {
		time = c
	}
	// Parts of sums come back.
	waits := fill
	if t.Split > 1 {
		waits += m.Split + 8*float64(t.Split)*float64(p.Batch)*float64(p.M)*float64(p.N)/m.L2Bandwidth
	}
	time += waits
	return Cost{Total: time, Compute: compute, Waits: waits, Memory: memory, Bytes: bytes, Near: float64(work)*panels + p.Bytes*float64(p.Batch)*float64(p.M)*float64(p.N), Tile: t, Rounds: rounds}
}

// join is the time of two or three things that go on at the same time, though not
// perfectly: the norm of exponent Overlap.
func (m *Machine) join(a, b, c float64) float64 {
	x := max(a, b, c)
	if a+b+c < 1.1*x || x == 0 {
		return x
	}
	e := m.Overlap
	return x * math.Pow(math.Pow(a/x, e)+math.Pow(b/x, e)+math.Pow(c/x, e), 1/e)
}
