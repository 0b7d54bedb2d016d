package parallel

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Grid is the arrangement of ranks: Tensor ranks share each operator, Data such groups have
// different samples, and Pipeline of those are stages. Rank (s*Data + d)*Tensor + t is part t of
// replica d of stage s, so that neighbouring ranks exchange most.
//
// Source: Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters
// Using Megatron-LM, SC 2021, section 3.4 (what is exchanged most stays in a node).
type Grid struct{ Tensor, Data, Pipeline int }

// Ranks is the number of ranks.
func (g Grid) Ranks() int { return g.Tensor * g.Data * g.Pipeline }

// A place in the grid has a coordinate along each axis.
type coordinates struct{ stage, data, tensor int }

func (g Grid) of(rank int) coordinates {
	return coordinates{rank / g.Tensor / g.Data, rank / g.Tensor % g.Data, rank % g.Tensor}
}

func (g Grid) rank(c coordinates) int { return (c.stage*g.Data+c.data)*g.Tensor + c.tensor }

// Tensors returns the ranks that share operators with the first rank of a stage.
func (g Grid) Tensors(stage int) graph.Ranks {
	return graph.Ranks{First: g.rank(coordinates{stage: stage}), Stride: 1, Count: g.Tensor}
}

// replicas are the ranks that have the same weights as the first of a stage.
func (g Grid) replicas(stage int) graph.Ranks {
	return graph.Ranks{First: g.rank(coordinates{stage: stage}), Stride: g.Tensor, Count: g.Data}
}

// Experts returns the ranks that share experts with the first rank of a stage, if ranks ranks
// share them.
func (g Grid) Experts(stage, ranks int) graph.Ranks {
	return graph.Ranks{First: g.rank(coordinates{stage: stage}), Stride: g.Tensor, Count: ranks}
}

func (g Grid) copies(stage, ranks int) graph.Ranks {
	return graph.Ranks{First: g.rank(coordinates{stage: stage}), Stride: g.Tensor * ranks, Count: g.Data / ranks}
}

// stages are the first ranks of two stages.
func (g Grid) stages(a, b int) graph.Ranks {
	first := g.rank(coordinates{stage: a})
	return graph.Ranks{First: first, Stride: g.rank(coordinates{stage: b}) - first, Count: 2}
}

// along is the group of a rank which corresponds to one of the first rank of its stage.
func (g Grid) along(r graph.Ranks, rank int) graph.Ranks {
	if r.Count < 2 {
		return r
	}
	a, b, at := g.of(r.First), g.of(r.First+r.Stride), g.of(rank)
	switch {
	case a.tensor != b.tensor:
		at.tensor = at.tensor / r.Count * r.Count
	case a.data != b.data:
		step := b.data - a.data
		at.data -= at.data / step % r.Count * step
	default:
		at.stage = a.stage
	}
	r.First = g.rank(at)
	return r
}

// Place returns graph x of the first rank of a stage with the peers and groups of another rank of
// that stage. In x the peers of sends are numbers of stages.
func (g Grid) Place(x *graph.Graph, rank int) *graph.Graph {
	at := g.of(rank)
	out := *x
	out.Ops = slices.Clone(x.Ops)
	for i := range out.Ops {
		t, ok := out.Ops[i].Kind.(graph.Transfer)
		if !ok {
			continue
		}
		if t.Func == "send" || t.Func == "recv" {
			t.Peer = g.rank(coordinates{t.Peer, at.data, at.tensor})
		} else {
			t.Among = g.along(t.Among, rank)
		}
		out.Ops[i].Kind = t
	}
	return &out
}
