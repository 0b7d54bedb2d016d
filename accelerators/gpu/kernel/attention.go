package kernel

import (
	"math"

	"github.com/causeway-sim/causeway/components/integer"
)

// An Attention is scores, softmax and the weighted sum in one kernel. Group query
// heads share the keys and values of each of Batch heads of requests.
type Attention struct {
	Batch, Group  int
	Requests      int // whose heads Batch counts; 0 is 1
	Queries, Keys int
	Size, Value   int     // of a key, of a value
	Element       float64 // bytes of an element of keys and values
	Pairs         float64 // scores that are not masked, of all heads
	Ops           float64 // operations of the vector units
	Bytes         float64 // queries, keys, values and results, each once
	Warm          float64 // of them what the operator before has left
}

// Blocks of the kernel, which is FlashAttention-2's for a cache of pages. Source: flash-attention,
// csrc/flash_attn/src/flash_fwd_launch_template.h (run_mha_fwd_splitkv_dispatch).
const (
	queryBlock = 64 // rows of a thread block, of 16 for each of its warps
	queryWarps = 4
	mostSplits = 128 // parts of the keys
)

// keyBlock is the keys that a step of a block's loop takes.
func keyBlock(size int) int {
	switch {
	case size <= 64:
		return 256
	case size <= 128:
		return 128
	}
	return 64
}

// expOps is the operations that Ops counts for an exponential (graph.OnlineElement).
const expOps = 4

// Attention is the cost of an attention whose scores stay on chip.
func (m *Machine) Attention(a Attention) Cost { return m.Attend([]Attention{a}) }

// Attend is the cost of attentions that are one kernel, as of the requests of a server's step.
//
// A thread block has 64 queries of a head and goes through their keys. If no request has more
// than a query, a block has those of all heads that share keys, and keys are split among as many
// blocks as take the least time; another kernel joins their results. With a prompt in the batch,
// neither holds for any request: each head of one that decodes is a block, which reads its keys
// again. Source: flash-attention, csrc/flash_attn/flash_api.cpp (mha_varlen_fwd).
func (m *Machine) Attend(all []Attention) Cost {
	decode := true
	for i := range all {
		decode = decode && all[i].Queries == 1
	}
	if !decode {
		return m.attend(all, false, 1)
	}
	best := m.attend(all, true, 1)
	most, blocks := 1, 0
	for i := range all {
		a := &all[i]
		most = max(most, integer.Ceil(a.Keys, keyBlock(a.Size)))
		blocks += integer.Ceil(a.Group, queryBlock) * a.Batch
	}
	for s := 2; s <= min(most, mostSplits) && blocks*s <= 2*m.SMs; s++ {
		if c := m.attend(all, true, s); c.Total < best.Total {
			best = c
		}
	}
	return best
}

// A flash is the work of a kernel: its thread blocks and what they do.
type flash struct {
	blocks, steps      float64
	longest            float64 // steps of a block
	ops                float64 // of the vector units for a score, in the mean: a request of one key has many
	step, part         float64 // s of one step on an SM of its own, and of its slowest part
	macs, bytes, panel float64 // bytes of the panels of a step
	held               float64 // keys and values of one head of all requests, bytes
	again              float64 // bytes of keys and values that more heads read
	partial            float64 // bytes of results that are joined
	room               float64 // shared memory of a block
}

// attend is the cost with the heads that share keys in one block (packed) or not, and the keys in
// parts.
func (m *Machine) attend(all []Attention, packed bool, split int) Cost {
	var f flash
	var ops, pairs float64
	for i := range all {
		ops, pairs = ops+all[i].Ops, pairs+all[i].Pairs
	}
	f.ops = ops / max(pairs, 1)
	for i := range all {
		m.flash(&f, &all[i], packed, split)
	}
	bytes := f.bytes
	if m.L2 > 0 && f.held > m.L2 { // heads come one after the other
		bytes += f.again * (1 - m.L2/f.held)
	}
	memory := bytes / min(m.Memory, min(f.blocks, float64(m.SMs))*m.perSM())
	near := f.steps * f.panel / m.L2Bandwidth
	c := Cost{Total: math.Inf(1), Launch: m.Launch, Memory: memory, Bytes: bytes, Near: f.steps*f.panel + bytes, Kernels: 1}
	for fit := 1.0; fit == 1 || fit*f.room <= m.SharedSize && fit*queryWarps*32 <= m.Threads; fit++ {
		// Blocks on an SM hide each other's waits, while a single one does one thing after the other.
		step := f.step
		if fit > 1 {
			step = m.join(f.step, fit*f.part, 0)
		}
		rounds := math.Ceil(f.blocks / (fit * float64(m.SMs)))
		loop := max(f.longest*step, rounds*f.steps/f.blocks*step)
		compute := max(loop, f.macs/(m.Tensor*m.Clock*float64(m.SMs)*m.Sustained))
		time := m.join(compute+rounds*m.Fill*m.Latency, memory, near)
		if time < c.Total {
			c.Total, c.Compute, c.Rounds = time, compute, int(rounds)
			c.Waits = time - m.join(compute, memory, near)
		}
	}
	c.Waits += max(m.Least-c.Total, 0)
	c.Total = m.Launch + max(m.Least, c.Total)
	if split > 1 {
		joined := m.Latency + 2*f.partial/m.L2Bandwidth
		c.Total += m.Launch + joined
		c.Waits += joined
		c.Launch, c.Kernels = 2*m.Launch, 2
	}
	return c
}

// flash adds the work of an attention.
func (m *Machine) flash(f *flash, a *Attention, packed bool, split int) {
	rows, heads := a.Queries, a.Batch*a.Group
	if packed {
		rows, heads = a.Group, a.Batch
	}
	keys := keyBlock(a.Size)
	longest, steps := a.steps(keys)
	longest, n := float64(integer.Ceil(int(longest), split)), float64(integer.Ceil(rows, queryBlock)*heads*split)
	if split > 1 || packed {
		steps = longest
	}
	f.blocks += n
	f.steps += n * steps
	f.longest = max(f.longest, longest)

	width := float64(a.Size + a.Value)
	scores := float64(queryBlock * keys)
	products := scores * width / (m.Tensor * m.Issue)
	readers := float64(queryWarps)
	if m.Group {
		readers = 1
	}
	shared := readers * float64(keys) * width * a.Element / m.Shared
	ops, softmax := f.ops, 0.0
	if m.Exponentials > 0 {
		ops, softmax = max(ops-expOps, 0), scores/m.Exponentials
	}
	softmax += (scores*ops + float64(queryBlock*a.Value)) / m.Vector // scores, and sums scaled anew
	f.step = max(f.step, (products+shared+softmax)/m.Clock)
	f.part = max(f.part, max(products, shared, softmax)/m.Clock)
	f.panel = max(f.panel, float64(keys)*width*a.Element)
	f.room = max(f.room, (float64(queryBlock*a.Size)+float64(keys)*width)*a.Element)

	f.macs += a.Pairs * width
	f.bytes += a.Bytes - m.left(a.Warm)
	f.held += float64(max(a.Requests, 1)*a.Keys) * width * a.Element
	if !packed {
		f.again += float64(a.Batch*(a.Group-1)) * float64(a.Keys) * width * a.Element
	}
	f.partial += 4 * float64(split*a.Batch*a.Group*a.Value)
}

// steps are those of the block of queries with most keys, and of a block in the mean: keys after
// its last query are left out where the mask is causal, and those that no query has where it is
// another.
func (a *Attention) steps(keys int) (longest, mean float64) {
	longest = float64(integer.Ceil(a.Keys, keys))
	each := a.Pairs / float64(max(a.Batch*a.Group, 1)) // scores of a head
	queries := float64(a.Queries)
	if each >= queries*float64(a.Keys) {
		return longest, longest
	}
	blocks := integer.Ceil(a.Queries, queryBlock)
	if causal := queries*float64(a.Keys-a.Queries) + queries*(queries+1)/2; each == causal && a.Keys >= a.Queries {
		sum := 0
		for i := range blocks {
			sum += integer.Ceil(min(a.Keys, a.Keys-a.Queries+(i+1)*queryBlock), keys)
		}
		return longest, float64(sum) / float64(blocks)
	}
	span := min(each/queries+float64(min(a.Queries, queryBlock)-1), float64(a.Keys))
	mean = math.Ceil(span / float64(keys))
	return mean, mean
}
