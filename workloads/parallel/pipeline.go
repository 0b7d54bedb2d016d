package parallel

import (
	"fmt"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Pipeline cuts a graph into n stages of consecutive operators with about equal
// multiply-accumulates (or numbers of operators, if there are none). A result that a later stage
// reads is sent once to that stage when it is complete. Views, weights, caches and inputs are in
// the stages that read them. No stage begins between two operators that use the same cache; it is
// an error if too few cuts remain.
//
// Source: Huang et al., GPipe, NeurIPS 2019, section 2.2 (partitions of about equal
// cost).
func Pipeline(g *graph.Graph, n int) ([]*graph.Graph, error) {
	return pipelineOf(g, n, stagesOf)
}

// PipelineOfLayers is like Pipeline, but stages begin at layers if the model numbers its layers.
func PipelineOfLayers(g *graph.Graph, n int) ([]*graph.Graph, error) {
	return pipelineOf(g, n, stagesOfLayers)
}

// pipelineOf is Pipeline with a function for the stage of each operator.
func pipelineOf(g *graph.Graph, n int, rule func(*graph.Graph, int) ([]int, error)) ([]*graph.Graph, error) {
	of, err := rule(g, n)
	if err != nil {
		return nil, err
	}
	p := pipeline{g: g, out: make([]*graph.Graph, n), ids: make([]map[graph.TensorID]graph.TensorID, n), made: make([]int, len(g.Tensors)), view: make([]int, len(g.Tensors))}
	for s := range p.out {
		p.out[s] = &graph.Graph{Name: fmt.Sprintf("%s.%d", g.Name, s), Symbols: g.Symbols, Notes: g.Notes}
		p.ids[s] = map[graph.TensorID]graph.TensorID{}
	}
	for i := range p.made {
		p.made[i], p.view[i] = -1, -1
	}
	wanted := p.wanted(of)
	for i := range g.Ops {
		op := &g.Ops[i]
		if leads(op) {
			for _, id := range op.Out {
				p.view[id] = i
			}
			continue
		}
		s := of[i]
		in := make([]graph.TensorID, len(op.In))
		for k, id := range op.In {
			in[k] = p.take(s, id)
		}
		out := make([]graph.TensorID, len(op.Out))
		for k, id := range op.Out {
			if at, ok := p.cache(id, s); !ok {
				return nil, fmt.Errorf("%s: stages %d and %d both use the cache %s", g.Name, at, s, g.Tensor(id).Name)
			}
			out[k] = p.tensor(s, id)
			p.made[id] = s
		}
		p.out[s].Append(graph.Op{Name: op.Name, In: in, Out: out, Kind: op.Kind})
		for _, id := range op.Out {
			for t := s + 1; t < n; t++ {
				if wanted[t][id] {
					if g.Tensor(id).Role == graph.KV {
						return nil, fmt.Errorf("%s: stages %d and %d both use the cache %s", g.Name, s, t, g.Tensor(id).Name)
					}
					p.send(id, s, t)
				}
			}
		}
	}
	// A model may end in a view: it is kept where its operand is.
	for i := range g.Ops {
		if op := &g.Ops[i]; leads(op) {
			for _, id := range op.Out {
				if g.Tensor(id).Role == graph.Output {
					p.take(max(p.made[p.root[id]], 0), id)
				}
			}
		}
	}
	for _, s := range p.out {
		if err := s.Validate(); err != nil {
			return nil, err
		}
	}
	return p.out, nil
}

// stagesOf is the stage of each operator.
func stagesOf(g *graph.Graph, n int) ([]int, error) {
	var total int64
	work := make([]int64, len(g.Ops))
	ops := 0
	for i := range g.Ops {
		if work[i] = g.Ops[i].MACs(); !leads(&g.Ops[i]) {
			ops++
		}
		total += work[i]
	}
	if n < 1 || n > ops {
		return nil, fmt.Errorf("%s: %d stages of %d operators", g.Name, n, ops)
	}
	if total == 0 {
		for i := range g.Ops {
			if !leads(&g.Ops[i]) {
				work[i], total = 1, total+1
			}
		}
	}
	of := make([]int, len(g.Ops))
	whole := keepCaches(g)
	var done int64
	stage, left, inStage := 0, ops, 0
	for i := range g.Ops {
		if leads(&g.Ops[i]) {
			of[i] = stage
			continue
		}
		// The next stage begins where the middle of the operator lies after the border,
		// and in time for each later stage to have an operator.
		middle := float64(done) + float64(work[i])/2
		if stage < n-1 && inStage > 0 && !whole[i] && (middle >= float64(total)*float64(stage+1)/float64(n) || left <= n-1-stage) {
			stage, inStage = stage+1, 0
		}
		of[i] = stage
		done += work[i]
		left--
		inStage++
	}
	if stage < n-1 {
		return nil, fmt.Errorf("%s: cannot be cut into %d stages between which no cache is shared, but into %d", g.Name, n, stage+1)
	}
	return of, nil
}

// keepCaches marks operators before which no stage may begin: between the first and the last user
// of a cache.
func keepCaches(g *graph.Graph) []bool {
	root, first := make([]graph.TensorID, len(g.Tensors)), make([]int, len(g.Tensors))
	for i := range root {
		root[i], first[i] = graph.TensorID(i), -1
	}
	whole := make([]bool, len(g.Ops))
	use := func(i int, id graph.TensorID) {
		if id == graph.None || g.Tensor(root[id]).Role != graph.KV {
			return
		}
		id = root[id]
		if first[id] < 0 {
			first[id] = i
		}
		for k := first[id] + 1; k <= i; k++ {
			whole[k] = true
		}
	}
	for i := range g.Ops {
		op := &g.Ops[i]
		if leads(op) {
			for _, id := range op.Out {
				root[id] = root[op.In[0]]
			}
			continue
		}
		for _, id := range op.In {
			use(i, id)
		}
		for _, id := range op.Out {
			use(i, id)
		}
	}
	return whole
}

type pipeline struct {
	g    *graph.Graph
	out  []*graph.Graph
	ids  []map[graph.TensorID]graph.TensorID // by stage: of tensors that are there
	made []int                               // stage of each tensor's producer; -1: none
	view []int                               // operator that a tensor is a view by; -1: none
	root []graph.TensorID                    // what each tensor is a view of, or itself
	tags int
}

func isView(op *graph.Op) bool {
	m, ok := op.Kind.(graph.Move)
	return ok && m.Elements == 0
}

// leads reports whether an operator is a view of one operand, which a stage may repeat.
func leads(op *graph.Op) bool { return isView(op) && len(op.In) == 1 }

// wanted lists for each stage the results of others that it reads, directly or through views.
func (p *pipeline) wanted(of []int) []map[graph.TensorID]bool {
	p.root = make([]graph.TensorID, len(p.g.Tensors))
	for i := range p.root {
		p.root[i] = graph.TensorID(i)
	}
	out := make([]map[graph.TensorID]bool, len(p.out))
	for s := range out {
		out[s] = map[graph.TensorID]bool{}
	}
	for i := range p.g.Ops {
		op := &p.g.Ops[i]
		if leads(op) {
			for _, id := range op.Out {
				p.root[id] = p.root[op.In[0]]
			}
			continue
		}
		for _, id := range op.In {
			if id != graph.None {
				out[of[i]][p.root[id]] = true
			}
		}
	}
	return out
}

// tensor is a tensor of the graph as stage s has it.
func (p *pipeline) tensor(s int, id graph.TensorID) graph.TensorID {
	own, ok := p.ids[s][id]
	if !ok {
		own = p.out[s].Add(*p.g.Tensor(id))
		p.ids[s][id] = own
	}
	return own
}

// take is an operand as stage s has it, with the views that lead to it.
func (p *pipeline) take(s int, id graph.TensorID) graph.TensorID {
	if id == graph.None {
		return graph.None
	}
	if own, ok := p.ids[s][id]; ok {
		return own
	}
	v := p.view[id]
	if v < 0 {
		return p.tensor(s, id)
	}
	op := &p.g.Ops[v]
	in := p.take(s, op.In[0])
	out := make([]graph.TensorID, len(op.Out))
	for k, o := range op.Out {
		out[k] = p.tensor(s, o)
	}
	p.out[s].Append(graph.Op{Name: op.Name, In: []graph.TensorID{in}, Out: out, Kind: op.Kind})
	return p.ids[s][id]
}

// cache reports whether no other stage than s uses a cache that it writes.
func (p *pipeline) cache(id graph.TensorID, s int) (at int, ok bool) {
	if p.g.Tensor(id).Role != graph.KV {
		return s, true
	}
	for t := range p.ids {
		if _, there := p.ids[t][id]; there && t != s {
			return t, false
		}
	}
	return s, true
}

// send has stage s send a tensor to stage t, where it comes before what reads it.
func (p *pipeline) send(id graph.TensorID, s, t int) {
	x := *p.g.Tensor(id)
	p.tags++
	p.out[s].Append(graph.Op{Name: fmt.Sprintf("send %s to %d", x.Name, t), In: []graph.TensorID{p.ids[s][id]},
		Kind: graph.Transfer{Func: "send", Peer: t, Tag: p.tags, Bytes: x.Bytes()}})
	x.Role = graph.Activation
	own := p.out[t].Add(x)
	p.ids[t][id] = own
	p.out[t].Append(graph.Op{Name: fmt.Sprintf("recv %s from %d", x.Name, s), Out: []graph.TensorID{own},
		Kind: graph.Transfer{Func: "recv", Peer: s, Tag: p.tags, Bytes: x.Bytes()}})
}
