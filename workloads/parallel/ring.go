package parallel

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// How a ring distributes tokens under a causal mask, with the work of a rank on the block of
// another rank.
const (
	// Contiguous: each rank has a run of tokens. It works on the blocks of ranks before it, so
	// that the last one works most.
	Contiguous = "contiguous"
	// Zigzag: of 2n runs rank i has i and 2n-1-i. All its queries see the first run of ranks
	// before it, its last ones both runs of ranks after it: half of a block (Llama 3, section
	// 3.3.2).
	Zigzag = "zigzag"
	// Striped: rank i has every n-th token from i on. A triangle of each block is seen, without
	// the diagonal in those of ranks after it (Brandon et al., Striped Attention, arXiv 2311.09431).
	Striped = "striped"
)

// Balances lists the distributions of tokens in a ring.
var Balances = []string{Contiguous, Zigzag, Striped}

// RingContext is like Context, with attention as one operator; Ring replaces its gathers.
func RingContext(g *graph.Graph, n int, among graph.Ranks) (*graph.Graph, error) {
	return gathers(g, n, among)
}

// Ring returns the graph of a rank of ring attention. In each step the rank attends to one block
// of keys and values, sends that block to the next rank and receives one from the rank before.
// Each step has a partial result; one Merge combines them. g is a graph of RingContext with the
// rank's groups.
//
// A block is sent when the attention to the block before it has ended, so a rank holds two blocks.
// The bytes are those of the all_gather.
//
// Source: Liu et al., Ring Attention, arXiv 2310.01889, section 3. Results of steps are merged
// at the end, as Transformer Engine does.
func Ring(g *graph.Graph, rank int, balance string) (*graph.Graph, error) {
	x := &ring{g: g, rank: rank, balance: balance, out: &graph.Graph{Name: g.Name, Symbols: g.Symbols, Notes: g.Notes, Tensors: slices.Clone(g.Tensors)}}
	gathered, gone := map[graph.TensorID]int{}, make([]bool, len(g.Ops))
	for i := range g.Ops {
		if t, ok := g.Ops[i].Kind.(graph.Transfer); ok && t.Func == "all_gather" {
			gathered[g.Ops[i].Out[0]] = i
		}
	}
	rings := map[int]*pair{}
	for i := range g.Ops {
		op := &g.Ops[i]
		if _, ok := op.Kind.(graph.Attention); !ok {
			continue
		}
		keys, a := gathered[op.In[1]]
		values, b := gathered[op.In[2]]
		if !a || !b {
			continue
		}
		if err := x.check(op); err != nil {
			return nil, &KeyError{"ring", fmt.Errorf("%s: %s: %w", g.Name, op.Name, err)}
		}
		gone[keys], gone[values] = true, true
		rings[i] = &pair{keys: g.Ops[keys].In[0], values: g.Ops[values].In[0], among: g.Ops[keys].Kind.(graph.Transfer).Among}
	}
	if len(rings) == 0 {
		return nil, &KeyError{"ring", fmt.Errorf("%s has no attention as one operator to keys and values that go round", g.Name)}
	}
	for i := range g.Ops {
		if p := rings[i]; p != nil {
			x.attention(&g.Ops[i], p)
		} else if !gone[i] {
			x.out.Append(g.Ops[i])
		}
	}
	return x.out, x.out.Validate()
}

type ring struct {
	g, out  *graph.Graph
	rank    int
	balance string
	count   int // of rings before
}

// A pair is the rank's own keys and values, and the ring that they go round.
type pair struct {
	keys, values graph.TensorID
	among        graph.Ranks
}

func (x *ring) check(op *graph.Op) error {
	k := op.Kind.(graph.Attention)
	switch {
	case len(op.In) > 3:
		return fmt.Errorf("has operands besides queries, keys and values, which do not go round")
	case k.Mask.Window > 0 && k.Mask.Window < k.Keys || k.Mask.Chunk > 0 && k.Mask.Chunk < k.Keys:
		return fmt.Errorf("sees a window of %d of %d tokens, and a ring is for all of them (want no ring)", max(k.Mask.Window, k.Mask.Chunk), k.Keys)
	case len(x.g.Tensor(op.In[0]).Shape) != 4 || len(x.g.Tensor(op.In[1]).Shape) != 4:
		return fmt.Errorf("has queries of shape %v (want requests x heads x tokens x size)", x.g.Tensor(op.In[0]).Shape)
	case x.balance == Zigzag && k.Queries%2 != 0:
		return fmt.Errorf("a rank has %d tokens (want an even number for %s: sequence a multiple of twice the ranks)", k.Queries, Zigzag)
	}
	return nil
}

// A seen is the part of a block that the queries of a rank see: a number of queries, the last
// ones, and of keys, the first ones.
type seen struct {
	queries, keys int
	mask          masking.Mask
}

// sees is the part of the block of rank j that rank i of the ring sees, with a number of tokens
// each.
func sees(balance string, causal bool, i, j, tokens int) (s seen, ok bool) {
	s = seen{queries: tokens, keys: tokens}
	switch {
	case !causal:
	case i == j, balance == Striped && j < i:
		s.mask.Causal = true
	case balance == Striped:
		s = seen{tokens - 1, tokens - 1, masking.Mask{Causal: true}}
	case balance == Zigzag && j < i:
		s.keys = tokens / 2
	case balance == Zigzag:
		s.queries = tokens / 2
	case j > i:
		return s, false
	}
	return s, s.queries > 0
}

// attention goes round once.
func (x *ring) attention(op *graph.Op, p *pair) {
	k := op.Kind.(graph.Attention)
	n, own := p.among.Count, (x.rank-p.among.First)/max(p.among.Stride, 1)
	at := func(i int) int { return p.among.First + (i+n)%n*p.among.Stride }
	block := [2]graph.TensorID{p.keys, p.values}
	var merged []graph.TensorID
	before := []graph.TensorID{p.keys} // after which there is room for another block
	pieces := int64(0)
	alone := true
	for j := range n {
		_, ok := sees(x.balance, k.Mask.Causal, own, j, k.Queries)
		alone = alone && (!ok || j == own)
	}
	for s := range n {
		now := block
		if s < n-1 {
			for i, id := range [2]graph.TensorID{p.keys, p.values} {
				t := *x.g.Tensor(id)
				t.Name, t.Role = fmt.Sprintf("%s.%d", t.Name, s+1), graph.Activation
				block[i] = x.out.Add(t)
			}
			bytes := x.out.Tensor(now[0]).Bytes() + x.out.Tensor(now[1]).Bytes()
			tag := x.count*n + s
			x.out.Append(graph.Op{Name: fmt.Sprintf("%s.send%d", op.Name, s), In: append(slices.Clone(now[:]), before...),
				Kind: graph.Transfer{Func: "send", Peer: at(own + 1), Tag: tag, Bytes: bytes}})
			x.out.Append(graph.Op{Name: fmt.Sprintf("%s.recv%d", op.Name, s+1), In: slices.Clone(before), Out: slices.Clone(block[:]),
				Kind: graph.Transfer{Func: "recv", Peer: at(own - 1), Tag: tag, Bytes: bytes}})
		}
		what, ok := sees(x.balance, k.Mask.Causal, own, (own-s+n)%n, k.Queries)
		if !ok {
			continue
		}
		if alone {
			k.Keys, k.Mask = what.keys, what.mask
			x.out.Append(graph.Op{Name: op.Name, In: []graph.TensorID{op.In[0], now[0], now[1]}, Out: op.Out, Kind: k})
			before = op.Out[:1]
			continue
		}
		sum, lse := x.step(op, fmt.Sprintf("%s.step%d", op.Name, s), now, what)
		merged, before = append(merged, sum, lse), []graph.TensorID{sum}
		pieces += int64(k.Batch) * int64(k.Group) * int64(what.queries)
	}
	x.count++
	if alone {
		return
	}
	x.out.Append(graph.Op{Name: op.Name + ".merge", In: merged, Out: op.Out,
		Kind: graph.Merge{Rows: k.Rows(), Cols: int64(k.Value), Pieces: pieces, Statistics: graph.LogSumExp}})
}

// step attends to a block.
func (x *ring) step(op *graph.Op, name string, block [2]graph.TensorID, what seen) (sum, lse graph.TensorID) {
	k := op.Kind.(graph.Attention)
	q := x.part(op.In[0], name+".q", what.queries, true)
	keys, values := x.part(block[0], name+".k", what.keys, false), x.part(block[1], name+".v", what.keys, false)
	k.Queries, k.Keys, k.Mask, k.Partial = what.queries, what.keys, what.mask, graph.LogSumExp
	out := *x.g.Tensor(op.Out[0])
	out.Name, out.Role, out.Shape = name+".partial", graph.Activation, slices.Clone(out.Shape)
	out.Shape[2] = what.queries
	sum = x.out.Add(out)
	out.Name, out.Shape, out.DType = name+".lse", slices.Clone(out.Shape), graph.FP32
	out.Shape[3] = 1
	lse = x.out.Add(out)
	x.out.Append(graph.Op{Name: name, In: []graph.TensorID{q, keys, values}, Out: []graph.TensorID{sum, lse}, Kind: k})
	return sum, lse
}

// part is a view of so many tokens of each head, the first or the last.
func (x *ring) part(id graph.TensorID, name string, tokens int, last bool) graph.TensorID {
	t := *x.out.Tensor(id)
	if t.Shape[2] == tokens {
		return id
	}
	m := graph.Move{Func: "slice"}
	if last {
		m.From = int64(t.Shape[2]-tokens) * int64(t.Shape[3])
	}
	t.Name, t.Role, t.Shape = name, graph.Activation, slices.Clone(t.Shape)
	t.Shape[2] = tokens
	part := x.out.Add(t)
	x.out.Append(graph.Op{Name: name, In: []graph.TensorID{id}, Out: []graph.TensorID{part}, Kind: m})
	return part
}
