package mapping

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// attentionGraph is a graph of one attention over dense tensors of one type.
func attentionGraph(t *testing.T, k graph.Attention, d graph.DType) *graph.Graph {
	b := graph.NewBuilder("one")
	h := k.Batch * k.Group
	q := b.Input("q", h, k.Queries, k.Size)
	key, v := b.Input("k", k.Batch, k.Keys, k.Size), b.Input("v", k.Batch, k.Keys, k.Value)
	b.Output(b.Op("attention", k, []graph.TensorID{q, key, v}, h, k.Queries, k.Value))
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(d))
	return g
}

func attentionCore(flow string, rows, cols int, kib int64, overlap bool) machine.Core {
	s := units.Bytes(kib << 10)
	return machine.Core{Array: dataflow.Array{Rows: rows, Cols: cols, OverlapPreload: overlap, OverlapDrain: overlap}, Dataflow: flow,
		SRAM: machine.SRAM{Ifmap: s, Filter: s, Ofmap: s}, Accumulator: graph.Int32, Lanes: 64}
}

// The steps of a loop move what the plan says and compute what it says, whatever mask,
// dataflow, share and sizes of blocks: the cycles of the array are the sum of its
// products, every query and result moves once, keys and values once or once per block of
// positions that sees them.
func TestAttentionStepsAreThePlan(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	x := NewMapper()
	kept, divided := 0, 0
	for i := range 400 {
		k := graph.Attention{Batch: 1 + r.IntN(3), Group: 1 + r.IntN(3), Queries: 1 + r.IntN(90), Size: 4 * (1 + r.IntN(8)), Value: 4 * (1 + r.IntN(8)), ScoreOps: r.IntN(2)}
		k.Keys = k.Queries + r.IntN(2)*r.IntN(60)
		if r.IntN(4) > 0 {
			k.Mask = masking.Mask{Causal: true, Window: r.IntN(2) * r.IntN(50)}
			if k.Mask.Window == 0 {
				k.Mask.Chunk = r.IntN(2) * r.IntN(50)
			}
		}
		g := attentionGraph(t, k, []graph.DType{graph.Int8, graph.BF16, graph.Int4}[r.IntN(3)])
		core := attentionCore([]string{"ws", "os", "is"}[r.IntN(3)], 8<<r.IntN(3), 8<<r.IntN(3), 2<<r.IntN(4), r.IntN(2) == 0)
		what := fmt.Sprintf("%d: %+v on %+v", i, k, core)
		s := newSplitter(g, []string{"head", "row", "batch"}[r.IntN(3)], 1+r.IntN(4))
		macs := int64(0)
		for _, q := range s.portions(0) {
			if q.none() {
				continue
			}
			p, err := x.attention(&g.Ops[0], g, core, []string{"traffic", "cycles"}[r.IntN(2)], Rule{}, &q.sh)
			require.NoError(t, err, what)
			macs += p.MACs
			checkAttention(t, g, p, what)
			if p.KeepsKeys() {
				kept++
			}
			a, l := &p.attn.A, &p.attn.Loop
			for parts := int64(2); parts <= a.Group; parts++ { // blocks that fit do so for fewer heads
				if a.Group%parts == 0 {
					d := a.Divided(parts)
					y := d.Loop(p.tiles.H, l.BR, l.BC, l.Resident, p.tiles.Lanes)
					checkAttention(t, g, attentionPlanOf(a, p.Op, &y, p.tiles.H, p.tiles.Lanes, p.attn.At, p.tiles.S), what+" divided")
					divided++
				}
			}
		}
		require.Equal(t, g.MACs(), macs, what)
	}
	require.Greater(t, kept, 50)
	require.Less(t, kept, 700)
	require.Greater(t, divided, 100)
}

func checkAttention(t *testing.T, g *graph.Graph, p *Plan, what string) {
	a := &p.attn.A
	var moved dma.Traffic
	var macs, cycles, steps int64
	loads := map[graph.TensorID]int64{}
	rowsOf := map[int64]bool{}                        // of queries that have been loaded, by their first byte
	group := int64(p.Op.Kind.(graph.Attention).Group) // of the operator
	for st := range p.All() {
		steps++
		macs, cycles = macs+st.MACs, cycles+st.Cycles
		for i := range st.Loads {
			l := &st.Loads[i]
			loads[l.Tensor] += l.Bytes()
			if l.Buffer == dma.Filter {
				moved.Filter += l.Bytes()
			} else {
				moved.Ifmap += l.Bytes()
			}
			require.LessOrEqual(t, l.Offset+(l.Rows-1)*l.Stride+l.RowBytes, g.Tensor(l.Tensor).Bytes(), what)
			if l.Tensor != p.at0() {
				continue
			}
			for r := range l.Rows {
				at := l.Offset + r*l.Stride
				require.False(t, rowsOf[at], what)
				rowsOf[at] = true
				if j := slices.IndexFunc(st.Loads, func(k dma.Transfer) bool { return k.Tensor == p.attn.At.K }); j >= 0 {
					require.Equal(t, st.Loads[j].Offset/a.KWide.Size(a.Keys*a.Size), at/a.QWide.Size(a.Queries*a.Size)/group, "%s: keys of another head", what)
				}
			}
		}
		for i := range st.Stores {
			moved.Output += st.Stores[i].Bytes()
		}
	}
	require.Equal(t, p.Traffic, moved, what)
	require.Equal(t, p.MACs, macs, what)
	require.Equal(t, p.Steps, steps, what)
	require.GreaterOrEqual(t, cycles, p.Cycles, what)
	require.InDelta(t, p.attn.Loop.Time, cycles, float64(p.attn.Loop.Time)/4+2000, what)
	require.Equal(t, pipelined(p), cycles, what)

	// Dumb twin of the traffic: row by row.
	rows := a.Heads * a.Group * (a.Q1 - a.Q0)
	require.Equal(t, a.QWide.Size(rows*a.Size), loads[p.at0()], what)
	require.Equal(t, a.OWide.Size(rows*a.Value), p.Traffic.Output, what)
	entries := int64(0)
	for q := a.Q0; q < a.Q1; q += p.Tile.M {
		seen := map[int64]bool{}
		for i := q; i < min(q+p.Tile.M, a.Q1); i++ {
			from, to := a.Mask.Range(i, a.Queries, a.Keys)
			for e := from; e < to; e++ {
				seen[e] = true
			}
		}
		entries += int64(len(seen))
	}
	if p.KeepsKeys() {
		from, to := a.Span(a.Q0, a.Q1)
		entries = to - from
	}
	require.Equal(t, a.Heads*(a.KWide.Size(entries*a.Size)+a.VWide.Size(entries*a.Value)), p.Traffic.Filter, what)
	b, ok := p.Loads(1)
	require.True(t, ok)
	require.Equal(t, loads[1], b, what)
	parts := p.Parts()
	require.InDelta(t, float64(p.Cycles), parts.Total(), 1e-6*float64(p.Cycles), what)
	require.GreaterOrEqual(t, min(parts.Useful, parts.Mapping, parts.Fill, parts.Drain), -1e-6, what)
}

// pipelined is the cycles of three stages side by side: the scores of a block, the softmax
// of the one before and the sum of the one before that, array and vector unit in parallel.
func pipelined(p *Plan) (cycles int64) {
	a, l := &p.attn.A, &p.attn.Loop
	var scores, vector, sums []int64
	for range a.Heads {
		for q := a.Q0; q < a.Q1; q += l.BR {
			to := min(q+l.BR, a.Q1)
			lo, hi := a.Span(q, to)
			for k := lo; k < hi; k = (k/l.BC + 1) * l.BC {
				b := a.Block(p.tiles.H, q, to, k, min((k/l.BC+1)*l.BC, hi), k == lo, (k/l.BC+1)*l.BC >= hi)
				scores, vector, sums = append(scores, b.Scores.Cycles), append(vector, integer.Ceil(b.Vector, p.tiles.Lanes)), append(sums, b.Sums.Cycles)
			}
		}
	}
	at := func(list []int64, i int) int64 {
		if i < 0 || i >= len(list) {
			return 0
		}
		return list[i]
	}
	for t := range len(scores) + 2 {
		array := at(scores, t) + at(sums, t-2)
		if t == 0 {
			array += p.tiles.H.Timing.Start
		}
		if t == len(scores)+1 {
			array += p.tiles.H.Timing.End
		}
		cycles += max(array, at(vector, t-1))
	}
	return cycles
}

// A unit of few lanes is what attention waits for: it takes the operations of the scores,
// over its lanes.
func TestAttentionOfAFewLanes(t *testing.T) {
	k := graph.Attention{Batch: 8, Group: 1, Queries: 512, Keys: 512, Size: 64, Value: 64}
	g := attentionGraph(t, k, graph.Int8)
	core := attentionCore("ws", 128, 128, 4<<10, true)
	core.Lanes = 16
	p, err := NewMapper().Map(&g.Ops[0], g, core, "traffic", Rule{})
	require.NoError(t, err)
	require.GreaterOrEqual(t, p.Vector, g.VectorOps())
	require.InEpsilon(t, g.VectorOps(), p.Vector, 0.1, "blocks after the first scale the sums")
	require.InEpsilon(t, p.Vector/16, pipelined(p), 0.02)
}

// at0 is the tensor of the queries.
func (p *Plan) at0() graph.TensorID { return p.attn.At.Q }

// The traffic of fused attention in closed form, for multi-head, grouped-query and
// multi-query attention, causal or not, from 128 to 65,536 tokens: queries and results
// move once, keys and values once if a head's fit into half the filter buffer, else once
// per block of positions, of which a causal mask hides what follows. Where blocks fill the
// array it works for the scores that are not masked, up to the triangle of the pieces on
// the diagonal.
func TestAttentionTrafficClosedForm(t *testing.T) {
	const d = 128
	x := NewMapper()
	core := attentionCore("ws", 128, 128, 4<<10, true)
	core.Lanes = 1024
	for _, kv := range []int{32, 8, 1} {
		for _, causal := range []bool{false, true} {
			for _, n := range []int{128, 512, 2048, 4096, 16384} {
				k := graph.Attention{Batch: kv, Group: 32 / kv, Queries: n, Keys: n, Size: d, Value: d, Mask: masking.Mask{Causal: causal}}
				g := attentionGraph(t, k, graph.Int8)
				p, err := x.Map(&g.Ops[0], g, core, "traffic", Rule{})
				what := fmt.Sprintf("%d key/value heads, %d tokens, causal %v", kv, n, causal)
				require.NoError(t, err, what)
				once := int64(kv) * int64(n) * 2 * d
				filter := once
				if 2*d*n > 2<<20 { // half of 4 MiB
					blocks := integer.Ceil(int64(n), p.Tile.M)
					filter = once * blocks
					if causal { // block b of positions sees b+1 blocks of entries, the last one what there is
						filter = int64(kv) * 2 * d * (p.Tile.M*blocks*(blocks-1)/2 + int64(n))
					}
				}
				require.Equal(t, dma.Traffic{Ifmap: 32 * int64(n) * d, Filter: filter, Output: 32 * int64(n) * d}, p.Traffic, what)
				ideal := p.MACs / (128 * 128)
				triangle := int64(0)
				if causal { // 128 x 128 on the diagonal, of which half is masked, per head and 128 tokens
					triangle = 32 * int64(n) / 128 * 128
				}
				require.InDelta(t, ideal+triangle, p.Cycles, 0.02*float64(ideal)+128+254, what) // first tile, last wavefront
				if n >= 4096 {
					require.InEpsilon(t, ideal, p.attn.Loop.Time, 0.1, what)
				}
			}
		}
	}
}

// Two operands of the scores: one per score and request, one small.
func TestAttentionReadsItsMasks(t *testing.T) {
	b := graph.NewBuilder("masked")
	q := b.Input("q", 2, 4, 30, 16)
	k, v := b.Input("k", 2, 4, 40, 16), b.Input("v", 2, 4, 40, 16)
	s := b.MatMul("QK^T", q, k, graph.MatMul{Batch: 8, M: 30, N: 40, K: 16}, 2, 4, 30, 40)
	s = b.Mul("scale", s, b.Weight("factor", 1))
	s = b.Add("mask", s, b.Input("hidden", 2, 1, 30, 40))
	s = b.Softmax("softmax", s)
	b.Output(b.MatMul("AV", s, v, graph.MatMul{Batch: 8, M: 30, N: 16, K: 40}, 2, 4, 30, 16))
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	f := g.FuseAttention(g.Chains())
	require.Len(t, f.Ops, 1)
	require.Equal(t, "attention", f.Ops[0].Name)
	require.Equal(t, 2, f.Ops[0].Kind.(graph.Attention).ScoreOps)
	p, err := NewMapper().Map(&f.Ops[0], f, attentionCore("ws", 16, 16, 8, true), "traffic", Rule{Tile: dma.Tile{M: 20, N: 24}})
	require.NoError(t, err)
	// Every head reads the rows of its request, and the factor comes once.
	require.EqualValues(t, 8*30*16+8*30*40+1, p.Traffic.Ifmap)
	slab := int64(0)
	for st := range p.All() {
		for i := range st.Loads {
			if l := &st.Loads[i]; f.Tensor(l.Tensor).Name == "hidden" {
				require.LessOrEqual(t, l.Offset+(l.Rows-1)*l.Stride+l.RowBytes, int64(2*30*40))
				slab += l.Bytes()
			}
		}
	}
	require.EqualValues(t, 8*30*40, slab)
}

// Work is shared out over heads, then query heads, then positions, with equal work under
// a causal mask.
func TestAttentionShares(t *testing.T) {
	k := graph.Attention{Batch: 8, Group: 4, Queries: 4096, Keys: 4096, Size: 128, Value: 128, Mask: masking.Mask{Causal: true}}
	for _, c := range []struct {
		cores              int
		heads, group, rows int
	}{{4, 4, 1, 1}, {8, 8, 1, 1}, {16, 8, 2, 1}, {32, 8, 4, 1}, {64, 8, 4, 2}, {12, 4, 1, 3}, {3, 1, 1, 3}} {
		h, g, r := attentionGrid(k, c.cores)
		require.Equal(t, [3]int{c.heads, c.group, c.rows}, [3]int{h, g, r}, c.cores)
	}
	all := k.Mask.Pairs(0, 4096, 4096, 4096)
	for _, p := range evenPairs(k, 16) {
		require.InEpsilon(t, all/16, k.Mask.Pairs(p.From, p.To, 4096, 4096), 0.01)
	}
}

// A tile loop that does not fit says which buffer is too small; a rule can fix its blocks
// and nothing else.
func TestAttentionThatDoesNotFit(t *testing.T) {
	g := attentionGraph(t, graph.Attention{Batch: 1, Group: 1, Queries: 64, Keys: 64, Size: 128, Value: 128}, graph.Int8)
	core := attentionCore("ws", 16, 16, 1, true)
	err := NewMapper().AttentionFits(&g.Ops[0], g, core)
	require.EqualError(t, err, "attention: blocks of 1 queries (x 1 heads) and 1 keys: ofmap needs 524 B, 12 B more than the 512 B of half the buffer")
	core = attentionCore("ws", 16, 16, 64, true)
	require.NoError(t, NewMapper().AttentionFits(&g.Ops[0], g, core))
	p, err := NewMapper().Map(&g.Ops[0], g, core, "traffic", Rule{Tile: dma.Tile{M: 10, N: 7}})
	require.NoError(t, err)
	require.Equal(t, dma.Tile{Batch: 1, M: 10, N: 7, K: 128}, p.Tile)
	_, err = NewMapper().Map(&g.Ops[0], g, core, "traffic", Rule{Order: "mnk"})
	require.ErrorContains(t, err, "no order nor resident operand")
}
