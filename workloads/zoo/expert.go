package zoo

import "github.com/causeway-sim/causeway/workloads/graph"

// experts adds a mixture of experts (Jiang et al., arXiv 2401.04088, section
// 2.1): a router picks ActiveExperts for each token, whose outputs are weighted
// and summed.
//
// assumption: unless Params.Experts draws them, the router spreads tokens evenly, the
// first experts taking what is left over, and no two picks of a step meet in one expert
// while another is free. That is the goal of the training's balance loss and the most
// weights that a step can need. An expert without tokens has weights and no operators.
func (d Decoder) experts(b *graph.Builder, layer int, p string, x graph.TensorID) graph.TensorID {
	if d.routed {
		return d.route(b, p, x)
	}
	s := b.Shape(x)
	batch, sequence := s[0], s[1]
	tokens := batch * sequence
	picks := tokens * d.ActiveExperts
	scores := b.Softmax(p+"router.softmax", b.Linear(p+"router", x, d.Experts, options(d.RouterBias)...))
	top := b.Reduce(p+"router.top", "topk", scores, picks, 1)

	hidden := d.Hidden
	if d.ExpertHidden > 0 {
		hidden = d.ExpertHidden
		if x = b.Linear(p+"experts.in", x, hidden); d.ExpertNorm {
			x = d.norm(b, p+"experts.in.norm", x)
		}
	}
	var in []graph.TensorID
	var busy, idle []int
	for e, n := range d.draw.Picks(layer, d.Experts, tokens, d.ActiveExperts) {
		if n == 0 {
			idle = append(idle, e)
			continue
		}
		busy = append(busy, e)
		in = append(in, b.Tensor(p+"E"+number(e)+".in", graph.Activation, n, hidden))
	}
	b.Into(p+"dispatch", graph.Move{Func: "dispatch", Elements: int64(picks) * int64(hidden)}, []graph.TensorID{x, top}, in...)
	out := make([]graph.TensorID, len(in))
	for i, x := range in {
		out[i] = d.inner(b, p+"E"+number(busy[i])+".", x, hidden, d.FF)
	}
	for _, e := range idle {
		d.idle(b, p+"E"+number(e)+".", hidden)
	}
	// Back into the order of tokens.
	all := b.Tensor(p+"collect", graph.Activation, picks, hidden)
	b.Into(p+"collect", graph.Move{Func: "collect", Elements: b.Elements(all)}, out, all)
	all = b.Mul(p+"weight", all, top)
	all = b.Reduce(p+"combine", "sum", all, batch, sequence, hidden)
	if d.ExpertHidden > 0 {
		return b.Linear(p+"experts.out", all, d.Hidden)
	}
	return all
}

// idle adds the weights of an expert that has no tokens.
func (d Decoder) idle(b *graph.Builder, p string, hidden int) {
	for _, w := range []struct {
		name    string
		in, out int
	}{{"gate", hidden, d.FF}, {"up", hidden, d.FF}, {"down", d.FF, hidden}} {
		if d.Plain && w.name == "gate" {
			continue
		}
		b.Weight(p+w.name+".weight", w.in, w.out)
		if d.FFBias {
			b.Weight(p+w.name+".bias", w.out)
		}
	}
}

// route adds the router of a mixture and the projections around its experts, and none of these.
func (d Decoder) route(b *graph.Builder, p string, x graph.TensorID) graph.TensorID {
	b.Output(b.Linear(p+"router", x, d.Experts, options(d.RouterBias)...))
	if d.ExpertHidden == 0 {
		return x
	}
	return b.Linear(p+"experts.out", b.Linear(p+"experts.in", x, d.ExpertHidden), d.Hidden)
}
