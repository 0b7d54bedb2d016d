package library

import (
	"math"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/components/integer"
)

// A flash is fused attention of a step of training: queries, keys and values lie in memory as they
// are, the forward pass leaves the logarithm of each row's sum, and the backward pass computes the
// scores again from it.
//
// Hopper, Blackwell: cuDNN 9.19 and 9.22. Source of the rows: NVIDIA/cudnn-frontend (MIT),
// benchmark/sdpa_benchmark_training, commit 3929da2. Values were fitted by least
// |log(model / measured)| on every other row of a pass, from the first, in bf16 (heads of 128 and
// of 64 elements, the latter with a window): errors of the other rows are 3 to 4 % on an H200, and
// 3 to 5 % on a GB200. A GB300, which was not fitted, is within 6 and 4 % in the mean of 10 rows of
// heads of 128.
//
// Ampere: 73 % of the peak forward and 63 % backward at long sequences (Dao, FlashAttention-2,
// arXiv 2307.08691, section 4.1).
var flashes = map[string]*flash{
	"sm80": {
		fitted:   "the rates of FlashAttention-2 on an A100 in its publication",
		forward:  pass{context: context{launch: 5 * us, tensor: 0.879, exp: 0.419, rows: 128, cols: 64}},
		backward: pass{context: context{launch: 5 * us, tensor: 0.72, exp: 0.419, rows: 128, cols: 128}},
	},
	"sm90": {
		fitted:   "half of 14 attentions and 14 backward ones of cuDNN on an H200",
		forward:  pass{context: context{launch: 5 * us, block: 3.591 * us, tensor: 1.157, exp: 0.4899, tail: 0.1308, rows: 128, cols: 128}},
		backward: pass{context: context{launch: 5 * us, block: 10.28 * us, tensor: 0.8438, exp: 0.0032, tail: 0.0583, rows: 128, cols: 128}},
	},
	"sm100": {
		fitted:   "half of 15 attentions and 15 backward ones of cuDNN on a GB200",
		forward:  pass{context: context{launch: 5 * us, block: 2.895 * us, tensor: 2 /* the peak */, exp: 0.3671, tail: 0.0058, rows: 128, cols: 128}},
		backward: pass{context: context{launch: 5 * us, block: 2.888 * us, tensor: 1.242, exp: 1.184, tail: 0.3894, rows: 128, cols: 128}},
	},
}

// flash1 is FlashAttention 1, and its form in Triton: 40 % of the peak of an A100 forward and 28 %
// backward. The greatest rates that its successor's publication gives for it are 50 and 35 % (Dao,
// arXiv 2307.08691, section 1); both were multiplied by flash1Share, the one value fitted: on seven
// steps of training of the study llm_foundry, those of 32,768 tokens and more on an A100 with 80 GB.
//
// assumption: an SM of a later generation does as much in a cycle. Warps share scores through shared
// memory, whose width has not grown, and products are those of mma.sync, which Hopper and Blackwell
// do not speed up.
var flash1 = &flash{
	fitted:   "seven steps of MPT models of 32,768 tokens and more on an A100 with 80 GB",
	forward:  pass{context: context{launch: 5 * us, rows: 128, cols: 128}, cycle: 0.5 * 1024 * flash1Share},
	backward: pass{context: context{launch: 5 * us, rows: 128, cols: 128}, cycle: 0.35 * 1024 * flash1Share},
}

const flash1Share = 0.8

// attentions are kernels of attention in a step of training by name.
var attentions = map[string]*flash{"flash1": flash1}

// TrainingAttention returns the library with other kernels of attention in a step of training;
// "auto" keeps its own, and l may be nil.
func (l *Library) TrainingAttention(name string) *Library {
	f := attentions[name]
	if l == nil || f == nil {
		return l
	}
	out := *l
	out.flash = f
	out.Fit += ", attention of training on " + f.fitted
	return &out
}

type flash struct {
	fitted            string
	forward, backward pass
}

// pass is the rule of the blocks of a pass, as of the attention of prompts. A block of the forward
// pass has 128 queries and goes through keys, one of the backward pass has 128 keys and goes
// through queries.
type pass struct {
	context
	cycle float64 // multiply-accumulates of an SM and clock, all else included; 0: tensor and exp say
}

// score is the seconds of a block of scores with width multiply-accumulates each.
func (a *pass) score(c *Chip, width float64) float64 {
	scores := float64(a.rows * a.cols)
	if a.cycle > 0 {
		return scores * width / (min(a.cycle, c.Tensor) * c.Clock)
	}
	return scores*width/c.rate(a.tensor) + scores*a.exp/(c.Exponential*c.Clock)
}

// sumsShare is the share of the memory's bandwidth that the kernels around the backward pass reach.
//
// assumption: as of streams.
const sumsShare = 0.8

// sumsBytes is the bytes for each element of the result that the kernels around the backward pass
// move: they multiply the result (2) by its gradient (2), set sums of the queries' gradients to
// zero (4), and at the end read (4) and convert them (2).
const sumsBytes = 14

// cost is the time of a pass whose products have width multiply-accumulates for each score.
func (a *pass) cost(c *Chip, p Attention, width float64) kernel.Cost {
	one := a.score(c, width)
	blocks := integer.Ceil(p.Queries, a.rows)
	heads := float64(p.Heads)
	steps, most := a.steps(&p, blocks)
	longest := a.block + most*one
	rounds := heads * float64(blocks) / float64(c.SMs)
	total := longest
	if rounds > 1 {
		all := (float64(blocks)*a.block + steps*one) * heads / float64(c.SMs)
		total = max(longest, all+a.tail*longest*min(1, rounds-1))
	}
	bytes := max(p.Bytes-p.Warm, 0) / c.Memory
	return kernel.Cost{Launch: a.launch, Total: a.launch + max(total, bytes), Compute: total, Memory: max(bytes-total, 0), Bytes: p.Bytes, Rounds: int(math.Ceil(rounds)), Kernels: 1,
		Near: p.Bytes + heads*steps*float64(a.cols*(p.Size+p.Value))*p.Type.size(), Kept: min(p.Warm, p.Bytes)}
}

// Training is the cost of an attention of a step of training, or of its backward pass; ok is false
// where no kernels were measured.
func (l *Library) Training(c *Chip, p Attention, backward bool) (x kernel.Cost, ok bool) {
	f := l.flash
	if f == nil || p.Type != BF16 || p.Queries < 2 {
		return x, false
	}
	width := float64(p.Size + p.Value)
	if !backward {
		return c.bound(f.forward.cost(c, p, width)), true
	}
	x = c.bound(f.backward.cost(c, p, float64(3*p.Size+2*p.Value)))
	around := sumsBytes * float64(p.Heads) * float64(p.Queries) * float64(p.Value) / (c.Memory * sumsShare)
	x.Total += around
	x.Memory += around
	x.Kernels = 3
	return x, true
}
