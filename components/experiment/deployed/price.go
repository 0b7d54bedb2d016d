package deployed

import (
	"strings"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// A Price is the prices of steps of a deployed model on an idle server. It is not safe for concurrent
// use.
type Price struct {
	whole  zoo.Decoder
	rank   zoo.Decoder
	layout Layout
	types  Types
	chip   work.Pricer
	first  []int       // a layer of each kind
	like   map[int]int // how many layers are like it
	steps  map[step]units.Time
	single map[any]units.Time
	draw   string // of tokens on experts
	fused  Fusion
}

// A step is what the price of a step follows from.
type step struct {
	decodes, context      int  // sequences with a token each, and their mean entries
	prompts, tokens, past int  // chunks of prompts, their mean tokens, and entries before them
	sampled               bool // prompts end
}

// grain is what lengths are rounded to.
const grain = 64

// New prices a model on a chip. draw is the distribution of tokens on experts, a word of operator moe.
func New(d zoo.Decoder, l Layout, t Types, draw string, chip work.Pricer) (*Price, error) {
	l = l.Normal()
	if err := l.check(d.Experts); err != nil {
		return nil, err
	}
	p := &Price{whole: d, rank: d.Share(l.Tensor), layout: l, types: t, chip: chip, draw: draw, like: map[int]int{}, steps: map[step]units.Time{}, single: map[any]units.Time{}}
	if err := p.rank.Check(); err != nil {
		return nil, err
	}
	of, first := d.Kinds()
	p.first = first
	for _, k := range of {
		p.like[k]++
	}
	return p, nil
}

// Fuse sets which kernels of the vector unit are parts of others, before the first Step.
func (p *Price) Fuse(f Fusion) { p.fused = f }

// Step is the time of a step of an instance. all has a batch for each group of requests, in lock
// step, or one batch of the requests of all groups, which are then shared evenly.
func (p *Price) Step(all ...work.Batch) (units.Time, error) {
	parts := p.layout.Pipeline // micro-batches
	if len(all) == 1 {
		parts *= p.layout.Data
	}
	longest, widest, tokens := units.Time(0), 0, 0
	for _, b := range all {
		k := stepOf(b, parts)
		t, err := p.alone(k)
		if err != nil {
			return 0, err
		}
		longest, widest, tokens = max(longest, t), max(widest, k.all()), tokens+k.all()
	}
	if len(all) == 1 {
		tokens = together(all[0], p.layout.Pipeline)
	}
	if tokens == 0 {
		return 0, nil
	}
	t, err := p.shared(max(tokens, widest))
	return longest + t, err
}

// alone is the time of a step but for what all groups of requests share.
func (p *Price) alone(k step) (units.Time, error) {
	if k.decodes+k.prompts == 0 {
		return 0, nil
	}
	if t, ok := p.steps[k]; ok {
		return t, nil
	}
	t, err := p.price(k)
	if err == nil {
		p.steps[k] = t
	}
	return t, err
}

// stepOf is one of so many equal parts of a batch, as the one with the most to do has it.
func stepOf(b work.Batch, parts int) (k step) {
	entries, all, past := 0, 0, 0
	for i, g := range b.Groups {
		switch {
		case b.Padding && i == len(b.Groups)-1:
		case g.Tokens == 1 && g.Sample:
			k.decodes += g.Requests
			entries += g.Requests * g.Context
		default:
			k.prompts += g.Requests
			all += g.Requests * g.Tokens
			past += g.Requests * (g.Context - g.Tokens)
			k.sampled = k.sampled || g.Sample
		}
	}
	if k.decodes > 0 {
		k.context = max(round(entries/k.decodes), grain)
	}
	if k.prompts > 0 {
		k.tokens, k.past = max(round(all/k.prompts), 2), round(past/k.prompts)
	}
	k.decodes, k.prompts = (k.decodes+parts-1)/parts, (k.prompts+parts-1)/parts
	return k
}

// round is a length as steps are priced with it.
func round(n int) int { return (n + grain - 1) / grain * grain }

// all is the tokens of a step.
func (k step) all() int { return k.decodes + k.prompts*k.tokens }

// together is the tokens of one of so many micro-batches, of all groups of requests. Prompts count
// with their mean, as in stepOf.
func together(b work.Batch, parts int) int {
	k := stepOf(b, 1)
	return (k.decodes+parts-1)/parts + (k.prompts*k.tokens+parts-1)/parts
}

// groups is the batch of a step.
func (k step) groups() (out []zoo.Group) {
	if k.decodes > 0 {
		out = append(out, zoo.Group{Requests: k.decodes, Tokens: 1, Context: k.context, Sample: true})
	}
	if k.prompts > 0 {
		out = append(out, zoo.Group{Requests: k.prompts, Tokens: k.tokens, Context: k.past + k.tokens, Sample: k.sampled})
	}
	return out
}

// price adds up the kernels of a step.
func (p *Price) price(k step) (sum units.Time, err error) {
	d := p.rank
	d.MaxContext = max(d.MaxContext, k.context, k.past+k.tokens)
	g, err := d.Graph(zoo.Params{Groups: k.groups(), Only: p.first, Routed: true})
	if err != nil {
		return 0, err
	}
	g = g.FuseAttention(g.Chains())
	g.SetDTypes(graph.DTypes{Weight: graph.BF16, Activation: graph.BF16, KV: p.types.KV})
	maker := make([]int, len(g.Tensors))
	for i := range maker {
		maker[i] = -1
	}
	for i := range g.Ops {
		for _, id := range g.Ops[i].Out {
			maker[id] = i
		}
	}
	packed := map[pack]bool{}
	for i := range g.Ops {
		op := &g.Ops[i]
		layer, rest, in := graph.InLayer(op.Name)
		n := units.Time(1)
		if in {
			n = units.Time(p.like[layer])
		}
		var t units.Time
		switch kind := op.Kind.(type) {
		case graph.MatMul:
			t, err = p.product(g, i, rest, packed)
		case graph.Attention:
			t = p.attention(kind)
		case graph.Recurrence, graph.Gather:
			t = p.chip.Price(g, i).Time
		case graph.Move:
		default:
			if p.apart(g, i, rest, maker) {
				t = p.chip.Price(g, i).Time
			}
		}
		if err != nil {
			return 0, err
		}
		sum += t * n
	}
	tokens := k.all()
	if n := p.layout.Pipeline - 1; n > 0 { // both ends of an all-gather send as much as a stage does
		sum += p.transfer("all_gather", 2*tokens*p.whole.Hidden, 2) * units.Time(n)
	}
	for _, l := range p.first {
		sum += p.reduces(l, tokens) * units.Time(p.like[l])
	}
	return sum, nil
}

// shared is the time of the experts and of the transfers to and from them, for the tokens of all
// groups of requests.
func (p *Price) shared(tokens int) (sum units.Time, err error) {
	for _, l := range p.first {
		if !p.whole.Mixed(l) {
			continue
		}
		t, err := p.experts(tokens)
		if err != nil {
			return 0, err
		}
		sum += (t + p.gathers(l, tokens)) * units.Time(p.like[l])
	}
	return sum, nil
}

// apart reports whether an operator of the vector unit is a kernel of its own. It is not if another
// one makes its first operand, or, where all are fused, if attention's kernel or the all-reduce does it.
// An engine that fuses norms alone has a kernel for the queries' and the keys' rotary embedding each,
// the second of which stands for the write of keys and values, and for each sum with the norm after it.
func (p *Price) apart(g *graph.Graph, i int, rest string, maker []int) bool {
	op := &g.Ops[i]
	if p.fused == FuseNorms && (strings.Contains(rest, "rope") || strings.Contains(rest, "k.norm") || strings.HasPrefix(rest, "add") || rest == "shared.add") {
		return true
	}
	for _, part := range []string{"router", "rope", "k.norm"} {
		if strings.Contains(rest, part) {
			return false
		}
	}
	if p.layout.Tensor > 1 && (strings.HasPrefix(rest, "add") || rest == "shared.add") {
		return false
	}
	for at := op.In[0]; maker[at] >= 0; {
		made := &g.Ops[maker[at]]
		switch made.Kind.(type) {
		case graph.Move:
			at = made.In[0]
			continue
		case graph.Elementwise, graph.Norm, graph.Reduce, graph.Softmax, graph.Gather, graph.Recurrence:
			return false
		}
		break
	}
	return true
}
