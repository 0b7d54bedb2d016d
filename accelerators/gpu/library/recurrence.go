package library

import "github.com/causeway-sim/causeway/accelerators/gpu/kernel"

// A Recurrence goes through Sequence tokens of Batch sequences in order: Heads with a state of
// Size x State each. Bytes is what it reads and writes if each element moves once.
type Recurrence struct {
	Func                                 string // as graph.Recurrence
	Batch, Sequence, Heads, Size, States int
	Bytes                                float64
}

// recurrence is the rule of causal convolutions and of the delta rule. Of more than one token
// sequences go by their states and tokens; of one by what they read and write.
type recurrence struct {
	launch float64 // s
	head   float64 // clocks of an SM for each sequence and head (channel)
	few    float64 // of that, where sequences are shorter than 8 tokens; 0: one
	token  float64 // clocks of an SM for each token of a head
	passes float64 // of the memory over keys, values and results of a head
	stream float64 // share of the memory's bandwidth, of a convolution

	first float64 // s: launch, of one token
	each  float64 // clocks of an SM for each head (channel) of one token
	state float64 // share of the memory's bandwidth at which states are read and written
}

const fewTokens = 8

// Recurrence is the cost of a recurrence; ok is false where the library has no kernel for it.
func (l *Library) Recurrence(c *Chip, p Recurrence) (kernel.Cost, bool) {
	r, ok := l.recurrences[p.Func]
	if !ok {
		return kernel.Cost{}, false
	}
	return c.bound(r.cost(c, p)), true
}

func (r *recurrence) cost(c *Chip, p Recurrence) kernel.Cost {
	all, heads := float64(c.SMs)*c.Clock, float64(p.Batch)*float64(p.Heads)
	x := kernel.Cost{Launch: r.launch, Bytes: p.Bytes}
	if p.Sequence == 1 && r.first > 0 {
		x.Launch, x.Compute = r.first, heads*r.each/all
		x.Memory = p.Bytes / c.Memory
		if r.state > 0 {
			x.Memory /= r.state
		}
		x.Total = x.Launch + max(x.Compute, x.Memory)
		return x
	}
	tokens := heads * float64(p.Sequence)
	each := heads * r.head / all
	if p.Sequence < fewTokens && r.few > 0 {
		each *= r.few
	}
	if r.stream > 0 {
		x.Memory = p.Bytes / (c.Memory * r.stream)
	} else {
		x.Memory = max(tokens*r.passes*2*float64(p.Size+p.States), p.Bytes) / c.Memory
	}
	work := tokens * r.token / all
	x.Compute = each + work
	x.Total = x.Launch + each + max(work, x.Memory)
	return x
}

// recurrent is kernels that TensorRT-LLM takes of Triton, by generation: convolutions of Mamba-2, and
// the gated delta rule. Values were fitted on every other row of a chip, those of the delta rule on one
// token on all four of an H100 and all three of a GB200.
var recurrent = map[string]map[string]*recurrence{
	"sm90": {
		"causal_conv1d": {launch: 3.748 * us, head: 207.8, few: 1.393, stream: 0.9252, first: 4.268 * us, each: 1.125},
		"delta_rule":    {launch: 14.68 * us, head: 13960, token: 481.3, passes: 5.693, first: 3.3 * us, state: 0.58},
	},
	"sm100": {
		"causal_conv1d": {launch: 5.54 * us, head: 216.3, few: 1.361, stream: 0.5268, first: 4.069 * us, each: 1.367},
		"delta_rule":    {launch: 22.59 * us, head: 19100, token: 452.1, passes: 3.26, first: 6 * us, state: 0.515},
	},
}
