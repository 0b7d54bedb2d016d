package demand

import (
	"errors"
	"fmt"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/parallel"
)

// Ranks returns the workload of each rank: itself, or one per chip that shares it. With p stages
// of t chips, rank s*t+i is chip i of stage s.
func (w *Workload) Ranks(compute, nics int) ([]*Workload, error) {
	n, at, err := w.chips(compute, nics)
	if err != nil {
		return nil, err
	}
	if w.Trains() {
		return w.train()
	}
	if n == 1 {
		return []*Workload{w}, nil
	}
	graphs, err := w.Cut()
	if err != nil {
		return nil, w.LocateCut(at, err)
	}
	out := make([]*Workload, n)
	for k := range out {
		r := *w
		r.Graph, r.Rank = graphs[k], k
		r.Spec.Name = fmt.Sprintf("%s.%d", w.Name(), k)
		out[k] = &r
	}
	return out, nil
}

// chips is how many chips share the workload, of the executors that a schedule is linked
// to; at is what says so.
func (w *Workload) chips(compute, nics int) (n int, at configs.Value, err error) {
	p := w.Spec.Parallel
	n, at = p.Ranks(), w.At.Get("parallel")
	if err := w.checkSharing(at); err != nil {
		return 0, at, err
	}
	if err := w.checkTraining(); err != nil || n == 1 {
		return n, at, err
	}
	what := "chips"
	if v := at.Get("shift"); v.Exists() {
		for _, key := range []string{"pipeline", "tensor", "kv"} {
			if at.Get(key).Exists() {
				return 0, at, v.Errorf(nil, "there is %s: too; one of them must go", key)
			}
		}
		if w.Requests > 1 {
			return 0, at, v.Errorf(nil, "its plans fill the memory with one request, and %s has %d (want frames: 1)", w.Name(), w.Requests)
		}
		at, what = v, "ranks"
	} else if p.Sharing() <= 1 && p.Grid().Data <= 1 {
		at, what = at.Get("pipeline"), "stages"
	} else if p.Pipeline <= 1 && p.Grid().Data <= 1 && p.KV <= 1 {
		at = at.Get("tensor")
	}
	if nics < n {
		return 0, at, at.Errorf(nil, "is %d %s, and the schedule is linked to %d nodes of kind nic", n, what, nics)
	}
	if compute%n != 0 {
		return 0, at, at.Errorf(nil, "is %d %s, which %d nodes do not share evenly", n, what, compute)
	}
	return n, at, nil
}

// checkSharing refuses keys of parallel that have no effect on the operators of a rank; at is the
// place of parallel.
func (w *Workload) checkSharing(at configs.Value) error {
	p := w.Spec.Parallel
	if v := at.Get("sequence"); v.Exists() && p.Sharing() <= 1 && !w.Trains() {
		return v.Errorf(nil, "has no effect: no operators are shared (tensor)")
	}
	if err := errors.Join(w.checkKeys(), w.checkRing()); err != nil {
		return err
	}
	for _, key := range []string{"overlap", "t3"} {
		if of := map[string]Parts{"overlap": p.Overlap, "t3": p.T3}[key]; of != 0 && p.Sharing() <= 1 {
			return at.Get(key).Errorf(nil, "has no effect: no operators are shared (tensor)")
		}
	}
	return nil
}

// Cut makes the graph of each rank.
func (w *Workload) Cut() ([]*graph.Graph, error) {
	p := w.Spec.Parallel
	if p.Shift.Cores > 0 {
		return p.Shift.cut(w.Graph)
	}
	if p.Expert > 1 || p.Context > 1 {
		return w.cutReplicas()
	}
	tensor, stages := p.Sharing(), []*graph.Graph{w.Graph}
	if p.Pipeline > 1 {
		var err error
		if stages, err = parallel.Pipeline(w.Graph, p.Pipeline); err != nil {
			return nil, err
		}
	}
	if tensor == 1 {
		return stages, nil
	}
	var out []*graph.Graph
	if w.Rows { // says itself what ranks add up
		g, err := w.follow(w.Graph)
		for range tensor {
			out = append(out, g)
		}
		return out, err
	}
	for s, g := range stages {
		var all *graph.Graph // where all chips have the same
		for t := range tensor {
			if all == nil || p.KV > 1 {
				shard, err := parallel.Tensor(g, parallel.Tensors{Ranks: tensor, Sequence: p.Sequence, Among: graph.Ranks{First: s * tensor, Stride: 1, Count: tensor}, Keys: p.KV, At: t, Served: w.At.Get("requests").Exists()})
				if err != nil {
					return nil, err
				}
				if all, err = w.follow(shard.Graph); err != nil {
					return nil, err
				}
			}
			out = append(out, parallel.Peers(all, t, tensor))
		}
	}
	return out, nil
}

// follow overlaps collectives with computation by the keys hop, overlap and t3. A batch of a
// server is not split by a key that applies to none of its collectives.
func (w *Workload) follow(g *graph.Graph) (*graph.Graph, error) {
	p := w.Spec.Parallel
	for _, x := range []struct {
		key   string
		parts int
		cut   func(*graph.Graph, int) (*graph.Graph, int, error)
	}{{"hop", p.Hop.Or(2), parallel.Hop}, {"overlap", p.Overlap.Or(2), parallel.Overlapped}, {"t3", p.T3.Or(4), parallel.Staged}} {
		if x.parts == 0 {
			continue
		}
		switch cut, done, err := x.cut(g, x.parts); {
		case err == nil:
			g = cut
		case done > 0 || !w.OfBatch && !(x.key == "hop" && w.At.Get("requests").Exists()):
			return nil, err
		}
	}
	return g, nil
}

// cutReplicas makes the graph of each rank of replicas that share experts, or tokens.
func (w *Workload) cutReplicas() ([]*graph.Graph, error) {
	p := w.Spec.Parallel
	grid := p.Grid()
	switch {
	case p.Expert > 1 && p.Context > 1:
		return nil, fmt.Errorf("%s: chips share experts or tokens (want one of expert and context)", w.Name())
	case p.Expert > 1 && parallel.Mixtures(w.Graph) == 0:
		return nil, fmt.Errorf("%s has no mixture of experts to be shared by %d ranks", w.Name(), p.Expert)
	}
	stages, err := parallel.PipelineOfLayers(w.Graph, grid.Pipeline)
	if err != nil {
		return nil, err
	}
	var out []*graph.Graph
	for s, g := range stages {
		if p.Ring != "" {
			g, err = parallel.RingContext(g, p.Context, grid.Experts(s, p.Context))
		} else if p.Context > 1 {
			g, err = parallel.Context(g, p.Context, grid.Experts(s, p.Context))
		} else {
			g, _, err = parallel.Expert(g, parallel.Experts{Ranks: p.Expert, Capacity: p.Capacity, Among: grid.Experts(s, p.Expert)})
		}
		if err != nil {
			return nil, err
		}
		if grid.Tensor > 1 {
			shard, err := parallel.Tensor(g, parallel.Tensors{Ranks: grid.Tensor, Sequence: p.Sequence, Among: grid.Tensors(s)})
			if err != nil {
				return nil, err
			}
			g = shard.Graph
		}
		for k := range grid.Data * grid.Tensor {
			rank := s*grid.Data*grid.Tensor + k
			own := grid.Place(g, rank)
			if p.Ring != "" {
				if own, err = parallel.Ring(own, rank, p.Ring); err != nil {
					return nil, err
				}
			}
			out = append(out, own)
		}
	}
	return out, nil
}
