package parallel

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Tensors holds the parameters of Tensor.
type Tensors struct {
	Ranks    int
	Sequence bool        // sequence parallelism: norms and residual sums are cut by tokens
	Among    graph.Ranks // the ranks, for collectives
	Parts    bool        // results of the model stay divided
	// Keys is the number of ranks that divide keys and values of the same heads by tokens in
	// attention (helix.go); At is the rank of the graph. Without Keys all ranks have the same
	// graph. Served is set for a batch of a server, whose requests have different lengths.
	Keys, At int
	Served   bool
}

// A Shard is the part of a model that each of several ranks executes, with different data.
type Shard struct {
	Graph *graph.Graph
	Cuts  []Cut    // by tensor of Graph
	Full  []string // products that do not divide, which each rank computes in full
}

// A Cut relates a tensor of a rank to a tensor of the model: rank r of n has part r*Parts/n of
// tensor Of, cut along Axis into Parts of equal size. If Sum is set the tensor is a partial sum as
// large as Of, and the tensors of all ranks add up to Of.
type Cut struct {
	Of          graph.TensorID
	Axis, Parts int
	Sum         bool
	Keys        int // of a cache: rank r has every Keys-th entry from r%Keys on; 0: all entries
}

// Tensor divides the operators of a model among ranks. Products with weights are cut by columns if
// their operand is whole, and by rows if it is cut, with an all_reduce of the results. Attention
// is cut by heads; if there are fewer heads of keys and values than ranks, several ranks have the
// same. The vocabulary is cut by words. An operator that needs a whole tensor gathers it. With
// Sequence the sums are a reduce_scatter by tokens if these divide, and norms and residual sums in
// between are cut by tokens.
//
// Each rank computes an operator that does not divide in full; notes of the graph list these, and
// the sums that Sequence leaves whole. Each rank sends and receives whole tensors of a pipeline,
// with Sequence those of its tokens; Peers sets the ranks.
//
// Source: Shoeybi et al., Megatron-LM, arXiv 1909.08053, section 3; Korthikanti et al.,
// Reducing Activation Recomputation, arXiv 2205.05198, section 4.2.2 (sequence).
func Tensor(g *graph.Graph, o Tensors) (*Shard, error) {
	if o.Ranks < 1 {
		return nil, fmt.Errorf("%s: shared by %d ranks", g.Name, o.Ranks)
	}
	t := newTensor(g, o)
	if err := t.helix(); err != nil {
		return nil, err
	}
	for i := range g.Ops {
		if err := t.operator(i); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", g.Name, g.Ops[i].Name, err)
		}
	}
	if err := t.finish(); err != nil {
		return nil, err
	}
	if o.Ranks > 1 && t.out.MACs() == g.MACs() && g.MACs() > 0 {
		return nil, fmt.Errorf("%s: no product divides by %d ranks", g.Name, o.Ranks)
	}
	if len(t.full) > 0 {
		t.out.Notes = append(slices.Clone(t.out.Notes), fmt.Sprintf("%d ranks each do all of what does not divide by them: %s.", o.Ranks, first(t.full, 3)))
	}
	if len(t.uncut) > 0 {
		t.out.Notes = append(slices.Clone(t.out.Notes), fmt.Sprintf("%d ranks each have all rows of what does not divide by them (parallel.sequence): %s.", o.Ranks, first(t.uncut, 3)))
	}
	t.turn()
	if err := t.out.Validate(); err != nil {
		return nil, err
	}
	return &Shard{Graph: t.out, Cuts: t.cuts, Full: t.full}, nil
}

// Peers returns the graph of rank i of a pipeline stage that n ranks share: it sends to rank i of
// another stage.
func Peers(g *graph.Graph, i, n int) *graph.Graph {
	out := *g
	out.Ops = slices.Clone(g.Ops)
	for k := range out.Ops {
		if t, ok := out.Ops[k].Kind.(graph.Transfer); ok && (t.Func == "send" || t.Func == "recv") {
			t.Peer = t.Peer*n + i
			out.Ops[k].Kind = t
		}
	}
	return &out
}

// first names some of a list, and how many more there are.
func first(names []string, n int) string {
	if len(names) <= n {
		return join(names)
	}
	return fmt.Sprintf("%s and %d more", join(names[:n]), len(names)-n)
}

func join(names []string) (s string) {
	for i, n := range names {
		if i > 0 {
			s += ", "
		}
		s += n
	}
	return s
}

// tensor is a model being cut.
type tensor struct {
	Tensors
	g      *graph.Graph
	out    *graph.Graph
	cuts   []Cut
	at     []map[place]graph.TensorID // by tensor of the model: what a rank has of it
	home   []place                    // as it was made
	made   []bool
	reader []int          // the one operator that reads each, -1 none, -2 several
	vocab  graph.TensorID // the largest table that is looked up
	full   []string       // operators that each rank does in full
	uncut  []string       // operators whose sums Sequence leaves whole
	before []bool         // by operator: it makes what nothing but attention reads
	// current is the operator that is being cut
	current int
}

// A place is how a tensor is cut; parts 1 is whole.
type place struct{ axis, parts int }

var whole = place{0, 1}

func newTensor(g *graph.Graph, o Tensors) *tensor {
	t := &tensor{Tensors: o, g: g, out: &graph.Graph{Name: g.Name, Symbols: g.Symbols, Notes: g.Notes},
		at: make([]map[place]graph.TensorID, len(g.Tensors)), home: make([]place, len(g.Tensors)), made: make([]bool, len(g.Tensors)),
		reader: make([]int, len(g.Tensors)), vocab: graph.None}
	for i := range t.at {
		t.at[i], t.home[i], t.reader[i] = map[place]graph.TensorID{}, whole, -1
	}
	for i := range g.Ops {
		op := &g.Ops[i]
		for k, id := range op.In {
			switch {
			case id == graph.None || slices.Contains(op.In[:k], id):
			case t.reader[id] == -1:
				t.reader[id] = i
			default:
				t.reader[id] = -2
			}
		}
		if _, ok := op.Kind.(graph.Gather); ok && g.Tensor(op.In[0]).Role == graph.Weight {
			if t.vocab == graph.None || g.Tensor(op.In[0]).Elements() > g.Tensor(t.vocab).Elements() {
				t.vocab = op.In[0]
			}
		}
	}
	return t
}

// cut is a shape with one part of an axis.
func cut(shape []int, p place) []int {
	s := slices.Clone(shape)
	if p.parts > 1 {
		s[p.axis] /= p.parts
	}
	return s
}

// divides reports whether a tensor can be cut so.
func (t *tensor) divides(id graph.TensorID, p place) bool {
	s := t.g.Tensor(id).Shape
	return p.axis < len(s) && s[p.axis]%p.parts == 0
}

// make adds a tensor of the rank.
func (t *tensor) make(id graph.TensorID, p place) graph.TensorID {
	x := *t.g.Tensor(id)
	if p.parts > 1 && summed(&x) == p.axis {
		x.Along /= int64(p.parts)
	}
	x.Shape = cut(x.Shape, p)
	keys := t.shorten(&x)
	if p.parts > 1 && (x.Role == graph.Input || x.Role == graph.Output && !t.Parts) {
		x.Role = graph.Activation
	}
	own := t.out.Add(x)
	t.cuts = append(t.cuts, Cut{Of: id, Axis: p.axis, Parts: p.parts, Keys: keys})
	t.at[id][p] = own
	return own
}

// summed is the axis that blocks or groups of a weight lie along, -1 without any: a matrix
// lies as k x n where it is square, as side has it, and may lie the other way where not.
func summed(x *graph.Tensor) int {
	n := len(x.Shape)
	for _, axis := range []int{n - 2, n - 1} {
		if axis >= 0 && x.Along > 0 && x.Along == int64(x.Shape[axis]) {
			return axis
		}
	}
	return -1
}

// take returns an operand in the required form: unchanged, as a view of a part, or gathered.
func (t *tensor) take(id graph.TensorID, p place) (graph.TensorID, error) {
	if id == graph.None {
		return graph.None, nil
	}
	if p.parts == 1 {
		p = whole
	}
	if own, ok := t.at[id][p]; ok {
		return own, nil
	}
	x := t.g.Tensor(id)
	if !t.made[id] && x.Role != graph.Input {
		if x.Role == graph.KV {
			t.home[id] = p
		}
		return t.make(id, p), nil
	}
	if p.parts > 1 { // a part of what is here in full
		all, err := t.take(id, whole)
		if err != nil {
			return 0, err
		}
		own := t.make(id, p)
		if t.out.Tensor(own).Role == graph.Input {
			t.out.Tensor(own).Role = graph.Activation
		}
		t.out.Append(graph.Op{Name: x.Name + ".part", In: []graph.TensorID{all}, Out: []graph.TensorID{own}, Kind: graph.Move{Func: "slice"}})
		return own, nil
	}
	h := t.home[id]
	if h.parts == 1 {
		return t.make(id, whole), nil // an input
	}
	if h.parts != t.Ranks {
		return 0, fmt.Errorf("needs all of %s, of which %d ranks have the same", x.Name, t.Ranks/h.parts)
	}
	part := t.at[id][h]
	own := t.make(id, whole)
	t.out.Append(graph.Op{Name: x.Name + ".all_gather", In: []graph.TensorID{part}, Out: []graph.TensorID{own},
		Kind: graph.Transfer{Func: "all_gather", Bytes: t.out.Tensor(part).Bytes(), Among: t.Among}})
	return own, nil
}

// result makes the results of an operator, cut so.
func (t *tensor) result(op *graph.Op, p place) []graph.TensorID {
	out := make([]graph.TensorID, len(op.Out))
	for i, id := range op.Out {
		out[i] = t.set(id, p)
	}
	return out
}

func (t *tensor) set(id graph.TensorID, p place) graph.TensorID {
	if p.parts == 1 {
		p = whole
	}
	t.made[id], t.home[id] = true, p
	if own, ok := t.at[id][p]; ok { // a cache
		return own
	}
	return t.make(id, p)
}

// sum appends an operator whose result the ranks have in parts that add up, and the
// collective that does.
func (t *tensor) sum(op *graph.Op, in []graph.TensorID, k graph.Kind) {
	id := op.Out[0]
	x := *t.g.Tensor(id)
	p := whole
	if axis := len(x.Shape) - 2; t.Sequence && axis >= 0 && x.Role != graph.Output {
		if x.Shape[axis]%t.Ranks == 0 {
			p = place{axis, t.Ranks}
		} else {
			t.uncut = append(t.uncut, op.Name)
		}
	}
	name := x.Name
	x.Name, x.Role = name+".partial", graph.Activation
	part := t.out.Add(x)
	t.cuts = append(t.cuts, Cut{Of: id, Parts: 1, Sum: true})
	t.out.Append(graph.Op{Name: op.Name, In: in, Out: []graph.TensorID{part}, Kind: k})
	how := "all_reduce"
	if p.parts > 1 {
		how = "reduce_scatter"
	}
	own := t.set(id, p)
	t.out.Append(graph.Op{Name: name + "." + how, In: []graph.TensorID{part}, Out: []graph.TensorID{own},
		Kind: graph.Transfer{Func: how, Bytes: x.Bytes(), Among: t.Among}})
}

// finish gathers results of the model, and adds weights that no operator reads.
func (t *tensor) finish() error {
	for i := range t.g.Tensors {
		id := graph.TensorID(i)
		x := t.g.Tensor(id)
		if x.Role == graph.Output && t.made[id] && !t.Parts {
			if _, err := t.take(id, whole); err != nil {
				return fmt.Errorf("%s: %w", t.g.Name, err)
			}
		}
		if x.Role == graph.Weight && len(t.at[id]) == 0 {
			p := whole
			for axis, d := range x.Shape {
				if d%t.Ranks == 0 {
					p = place{axis, t.Ranks}
					break
				}
			}
			t.make(id, p)
		}
	}
	return nil
}
