package parallel

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Experts says how ranks share the experts of mixtures. Each rank has the same number of tokens
// and Experts/Ranks experts of each mixture.
type Experts struct {
	Ranks int
	// Capacity is the number of places of an expert for tokens of a rank, as a multiple of an even
	// share; further tokens are dropped. 0: as many as the fullest expert needs, so none is
	// dropped.
	Capacity float64
	Among    graph.Ranks
}

// Expert returns the graph of a rank: tokens go to the ranks of their experts by an all_to_all,
// and the results return by another. All experts have the same number of places, filled or not, so
// the bytes between any two ranks are equal; an expert computes the places of all ranks. names
// lists the weights that differ between ranks.
//
// Sources: Lepikhin et al., GShard, arXiv 2006.16668, section 3.2; Fedus et al., Switch
// Transformers, arXiv 2101.03961, section 2.2 (capacity factor).
func Expert(g *graph.Graph, o Experts) (out *graph.Graph, names []string, err error) {
	x := &expert{Experts: o, g: g, out: &graph.Graph{Name: g.Name, Symbols: g.Symbols, Notes: slices.Clone(g.Notes)}, at: make([]graph.TensorID, len(g.Tensors))}
	for i := range x.at {
		x.at[i] = graph.None
	}
	m := mixture{}
	for i := range g.Ops {
		op := &g.Ops[i]
		k, move := op.Kind.(graph.Move)
		switch {
		case move && k.Func == "dispatch":
			if m, err = x.mixture(op); err != nil {
				return nil, nil, fmt.Errorf("%s: %s: %w", g.Name, op.Name, err)
			}
			names = append(names, x.dispatch(op, &m, i)...)
		case m.prefix != "" && move && k.Func == "collect" && strings.HasPrefix(op.Name, m.prefix):
			x.collect(op, &m)
			m = mixture{}
		case m.prefix != "" && (strings.HasPrefix(op.Name, m.prefix+"E") || op.Name == m.prefix+weights):
		default:
			x.out.Append(graph.Op{Name: op.Name, In: x.all(op.In), Out: x.all(op.Out), Kind: op.Kind})
		}
	}
	if x.dropped > 0 {
		x.out.Notes = append(x.out.Notes, fmt.Sprintf("Experts have no place for %d of %d picks of tokens (parallel.capacity), which are dropped.", x.dropped, x.picks))
	}
	return x.out, names, x.out.Validate()
}

// Mixtures counts the mixtures of experts of a model.
func Mixtures(g *graph.Graph) (n int) {
	for i := range g.Ops {
		if k, ok := g.Ops[i].Kind.(graph.Move); ok && k.Func == "dispatch" {
			n++
		}
	}
	return n
}

type expert struct {
	Experts
	g              *graph.Graph
	out            *graph.Graph
	at             []graph.TensorID // of tensors of g
	picks, dropped int64
}

// A mixture is the experts of a layer.
type mixture struct {
	prefix  string // of their operators: that and E0., E1. and so on
	first   string // prefix of the first expert that has tokens, which others are made after
	rows    int    // its tokens
	experts int
	places  int // of each expert, for tokens of one rank
	width   int // elements of a token
	results []graph.TensorID
	weights []graph.TensorID // of picks, by own experts; nil: results are weighed where the tokens are
}

// all are tensors of the model in the rank's graph.
func (x *expert) all(ids []graph.TensorID) []graph.TensorID {
	out := make([]graph.TensorID, len(ids))
	for i, id := range ids {
		if out[i] = id; id != graph.None {
			out[i] = x.tensor(id)
		}
	}
	return out
}

func (x *expert) tensor(id graph.TensorID) graph.TensorID {
	if x.at[id] == graph.None {
		x.at[id] = x.out.Add(*x.g.Tensor(id))
	}
	return x.at[id]
}

func (x *expert) mixture(op *graph.Op) (m mixture, err error) {
	m.prefix = strings.TrimSuffix(op.Name, "dispatch")
	first := x.g.Tensor(op.Out[0])
	m.first = strings.TrimSuffix(first.Name, "in")
	m.rows, m.width = first.Shape[0], first.Shape[1]
	for i := range x.g.Tensors {
		var e int
		if rest, ok := strings.CutPrefix(x.g.Tensors[i].Name, m.prefix+"E"); ok && x.g.Tensors[i].Role == graph.Weight {
			if _, err := fmt.Sscanf(rest, "%d.", &e); err == nil {
				m.experts = max(m.experts, e+1)
			}
		}
	}
	if m.experts == 0 || m.experts%x.Ranks != 0 {
		return m, &KeyError{"expert", fmt.Errorf("%d experts do not divide by %d ranks", m.experts, x.Ranks)}
	}
	picks, most := 0, 0
	for _, id := range op.Out {
		picks, most = picks+x.g.Tensor(id).Shape[0], max(most, x.g.Tensor(id).Shape[0])
	}
	if m.places = most; x.Capacity > 0 {
		m.places = max(1, int(math.Ceil(x.Capacity*float64(picks)/float64(m.experts))))
	}
	x.picks += int64(picks)
	for _, id := range op.Out {
		x.dropped += int64(max(0, x.g.Tensor(id).Shape[0]-m.places))
	}
	return m, nil
}

// dispatch sends tokens to the experts, and adds those that the rank has.
func (x *expert) dispatch(op *graph.Op, m *mixture, from int) (names []string) {
	places, own := m.experts*m.places, m.experts/x.Ranks
	d := x.g.Tensor(op.Out[0]).DType
	buffer := func(name string) graph.TensorID {
		return x.out.Add(graph.Tensor{Name: m.prefix + name, Shape: []int{places, m.width}, DType: d})
	}
	k := op.Kind.(graph.Move)
	k.Elements = min(k.Elements, int64(places)*int64(m.width))
	gone, come := buffer("dispatch.out"), buffer("dispatch.in")
	x.out.Append(graph.Op{Name: op.Name, In: x.all(op.In), Out: []graph.TensorID{gone}, Kind: k})
	if w := from + 1; w < len(x.g.Ops) && x.g.Ops[w].Name == m.prefix+weights {
		sent, got := x.weights(&x.g.Ops[w], m)
		x.exchange(op.Name, []graph.TensorID{gone, sent}, []graph.TensorID{come, got})
		x.own(m, m.prefix+"experts."+weights, got, 1, weights, &m.weights)
	} else {
		x.exchange(op.Name, []graph.TensorID{gone}, []graph.TensorID{come})
	}
	var in []graph.TensorID
	x.own(m, m.prefix+"experts", come, m.width, "in", &in)
	for e := range own {
		names = append(names, x.one(m, e, in[e], from)...)
	}
	return names
}

// weights is the operator that gives experts the weights of their picks (recipe.Weigh), and what it makes.
const weights = "weights"

// weights are those of picks that go to the experts, and that come.
func (x *expert) weights(op *graph.Op, m *mixture) (gone, come graph.TensorID) {
	places := m.experts * m.places
	k := op.Kind.(graph.Move)
	k.Elements = min(k.Elements, int64(places))
	buffer := func(name string) graph.TensorID {
		return x.out.Add(graph.Tensor{Name: m.prefix + name, Shape: []int{places, 1}, DType: x.g.Tensor(op.Out[0]).DType})
	}
	gone, come = buffer("weights.out"), buffer("weights.in")
	x.out.Append(graph.Op{Name: op.Name, In: x.all(op.In), Out: []graph.TensorID{gone}, Kind: k})
	return gone, come
}

// own splits what has come into the parts of the rank's experts.
func (x *expert) own(m *mixture, name string, come graph.TensorID, width int, part string, to *[]graph.TensorID) {
	for e := range m.experts / x.Ranks {
		*to = append(*to, x.out.Add(graph.Tensor{Name: fmt.Sprintf("%sE%d.%s", m.prefix, e, part), Shape: []int{x.Ranks * m.places, width}, DType: x.out.Tensor(come).DType}))
	}
	x.out.Append(graph.Op{Name: name, In: []graph.TensorID{come}, Out: *to, Kind: graph.Move{Func: "split"}})
}

// exchange is an all_to_all of the experts' ranks.
func (x *expert) exchange(name string, from, to []graph.TensorID) {
	bytes := int64(0)
	for _, id := range from {
		bytes += x.out.Tensor(id).Bytes()
	}
	x.out.Append(graph.Op{Name: name + ".all_to_all", In: from, Out: to, Kind: graph.Transfer{Func: "all_to_all", Bytes: bytes, Among: x.Among}})
}

// one adds expert e of the rank: the first of the model that has tokens, with other rows.
func (x *expert) one(m *mixture, e int, in graph.TensorID, from int) (names []string) {
	prefix := fmt.Sprintf("%sE%d.", m.prefix, e)
	rows := x.Ranks * m.places
	at := map[graph.TensorID]graph.TensorID{}
	name := func(s string) string { return prefix + strings.TrimPrefix(s, m.first) }
	take := func(id graph.TensorID) graph.TensorID {
		if id == graph.None {
			return id
		}
		if own, ok := at[id]; ok {
			return own
		}
		t := *x.g.Tensor(id)
		switch {
		case t.Name == m.first+"in":
			return in
		case t.Name == m.first+weights:
			return m.weights[e]
		case t.Role == graph.Weight:
			t.Name = name(t.Name)
			names = append(names, t.Name)
		default:
			t.Name, t.Shape = name(t.Name), slices.Clone(t.Shape)
			t.Shape[0] = rows
		}
		at[id] = x.out.Add(t)
		return at[id]
	}
	var last graph.TensorID
	for i := from; i < len(x.g.Ops); i++ {
		op := &x.g.Ops[i]
		if k, ok := op.Kind.(graph.Move); ok && k.Func == "collect" {
			break
		}
		if !strings.HasPrefix(op.Name, m.first) {
			continue
		}
		own := graph.Op{Name: name(op.Name), Kind: op.Kind}
		switch k := op.Kind.(type) {
		case graph.MatMul:
			k.M = rows
			own.Kind = k
		case graph.Elementwise:
			k.Elements = k.Elements / int64(m.rows) * int64(rows)
			own.Kind = k
		}
		for _, id := range op.In {
			own.In = append(own.In, take(id))
		}
		for _, id := range op.Out {
			own.Out = append(own.Out, take(id))
		}
		last = own.Out[0]
		x.out.Append(own)
	}
	m.results = append(m.results, last)
	return names
}

// collect brings what the experts have made back.
func (x *expert) collect(op *graph.Op, m *mixture) {
	like := *x.out.Tensor(m.results[0])
	buffer := func(name string) graph.TensorID {
		return x.out.Add(graph.Tensor{Name: m.prefix + name, Shape: []int{m.experts * m.places, m.width}, DType: like.DType})
	}
	gone, come := buffer("collect.out"), buffer("collect.in")
	x.out.Append(graph.Op{Name: m.prefix + "results", In: m.results, Out: []graph.TensorID{gone}, Kind: graph.Move{Func: "concat"}})
	x.exchange(op.Name, []graph.TensorID{gone}, []graph.TensorID{come})
	x.out.Append(graph.Op{Name: op.Name, In: []graph.TensorID{come}, Out: x.all(op.Out), Kind: op.Kind})
}
