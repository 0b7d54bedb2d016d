package kernel

import "math"

// An Attention is scores, softmax and the weighted sum in one kernel. Group query
// heads share the keys and values of each of Batch heads of requests.
type Attention struct {
	Batch, Group  int
	Queries, Keys int
	Size, Value   int     // of a key, of a value
	Pairs         float64 // scores that are not masked, of all heads
	Ops           float64 // operations of the vector units
	Bytes         float64 // queries, keys, values and results, each once
	Warm          float64 // of them what the operator before has left
}

// Blocks of queries and keys that one thread block works on at a time (FlashAttention).
const (
	queryBlock = 128
	keyBlock   = 128
	leastRows  = 16 // of a product on the matrix units
)

// Attention is the cost of an attention whose scores stay on chip. A block has up to
// 128 queries of one head, or, where there are few, those of all heads that share keys;
// the keys are split among as many blocks as take the least time, where SMs would stay empty.
func (m *Machine) Attention(a Attention) Cost {
	rows, heads := a.Queries, a.Batch*a.Group
	if a.Queries*a.Group <= queryBlock {
		rows, heads = a.Queries*a.Group, a.Batch
	}
	blocks := ceil(rows, queryBlock) * heads
	best := m.attention(&a, rows, blocks, 1)
	for split := 2; split <= min(m.SMs/blocks, ceil(a.Keys, 2*keyBlock)); split++ {
		if c := m.attention(&a, rows, blocks, split); c.Total < best.Total {
			best = c
		}
	}
	return best
}

// attention is the cost of an attention in so many blocks of rows, each of whose keys are split.
func (m *Machine) attention(a *Attention, rows, blocks, split int) Cost {
	work := blocks * split
	rounds := ceil(work, m.SMs)
	busy := float64(work) / float64(rounds)

	// Rows of products that hold nothing.
	least := min(queryBlock, ceil(rows, leastRows)*leastRows)
	fill := float64(ceil(rows, least)*least) / float64(rows)
	macs := a.Pairs * float64(a.Size+a.Value)
	// Softmax and products of one block alternate (FlashAttention-2: 190 of 312 TFLOP/s on
	// an A100; blocks that overlap the two, as FlashAttention-3's, are faster).
	compute := (macs*fill/m.Tensor + a.Ops/m.Vector) / (m.Clock * m.Issue * busy)
	compute = max(compute, macs/(m.Tensor*m.Clock*float64(m.SMs)*m.Sustained))

	bytes := a.Bytes - m.left(a.Warm)
	memory := bytes / min(m.Memory, float64(min(work, m.SMs))*m.perSM())
	time := m.Fill*m.Latency + m.join(compute, memory, 0)
	if split > 1 {
		time += m.Split + 8*float64(split)*float64(a.Batch*a.Group*a.Queries*a.Value)/m.L2Bandwidth
	}
	return Cost{Total: m.Launch + math.Max(m.Least, time), Launch: m.Launch, Compute: compute, Memory: memory, Bytes: bytes, Rounds: rounds}
}
