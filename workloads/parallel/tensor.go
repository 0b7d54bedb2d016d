package parallel

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Tensors says how ranks share the operators of a model.
type Tensors struct {
	Ranks    int
	Sequence bool        // what products leave in parts, norms and sums take by tokens
	Among    graph.Ranks // the ranks, for collectives
	Parts    bool        // results of the model stay in parts
	// Keys is how many ranks share the keys and values of the same heads by tokens while they
	// attend (helix.go); At is which of the ranks the graph is of. Without Keys all have the
	// same graph. Served: it is of a batch that a server makes, whose requests are of unlike lengths.
	Keys, At int
	Served   bool
}

// A Shard is what each of several ranks does of a model. All do the same with parts of
// their own.
type Shard struct {
	Graph *graph.Graph
	Cuts  []Cut    // by tensor of Graph
	Full  []string // products that do not divide, which each rank does in full
}

// A Cut says which part of a tensor of the model a tensor of a rank is: rank r of n has
// part r*Parts/n of the tensor Of, cut along Axis into Parts of equal size. Where Sum is
// set it is as large as all of that, and what the ranks have adds up to it.
type Cut struct {
	Of          graph.TensorID
	Axis, Parts int
	Sum         bool
	Keys        int // of a cache whose entries ranks share besides: rank r has every Keys-th from r%Keys on; 0: it has all
}

// Tensor cuts the operators of a model among ranks: products with weights by columns where
// their operand is whole, by rows where it is cut along their columns, whose results an
// all_reduce adds up; attention by heads, of which several ranks have the same where keys
// and values have fewer than there are ranks; the vocabulary by words. What needs all of a
// tensor that is cut gathers it. With Sequence the sums are a reduce_scatter by tokens,
// where they divide, and norms and sums of residuals in between are cut by them.
//
// What does not divide each rank does in full, which a note says; another names sums that
// Sequence leaves whole. Sends and receives of a
// pipeline are of whole tensors, by each rank, with Sequence of its tokens; Peers tells the
// ranks apart.
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

// Peers is the graph of rank i of each stage of a pipeline whose stages are shared by n
// ranks: it sends to rank i of another stage.
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

// take is an operand as it is wanted: as it is there, as a view of a part, or gathered.
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
