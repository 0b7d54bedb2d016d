package parallel

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// small is a decoder of one layer with gated feed-forward part, of sizes that are all
// different.
func small(tokens, heads, kv, words int) *graph.Graph {
	const size, ff = 6, 24
	b := graph.NewBuilder("small")
	ids := b.Input("ids", 1, tokens)
	x := b.Gather("embed", b.Weight("table", words, heads*size), ids)
	y := b.Norm("norm1", "rms", x)
	view := func(name string, n int) graph.TensorID {
		return b.Reshape(name+".heads", b.Linear(name, y, n*size), 1, n, tokens, size)
	}
	q, k, v := view("q", heads), view("k", kv), view("v", kv)
	cache := func(name string, x graph.TensorID) graph.TensorID {
		c := b.Cache(name, 1, kv, tokens, size)
		b.Into(name+".append", graph.Move{Func: "append", Elements: b.Elements(x)}, []graph.TensorID{x}, c)
		return c
	}
	k, v = cache("kc", k), cache("vc", v)
	m := graph.MatMul{Batch: heads, SharedB: heads / kv, M: tokens, N: tokens, K: size}
	s := b.Softmax("softmax", b.MatMul("qk", q, k, m, 1, heads, tokens, tokens))
	m.N, m.K = m.K, m.N
	y = b.Reshape("merge", b.MatMul("av", s, v, m, 1, heads, tokens, size), 1, tokens, heads*size)
	x = b.Add("add1", b.Linear("o", y, heads*size), x)
	y = b.Norm("norm2", "rms", x)
	y = b.Mul("mul", b.Elementwise("silu", "silu", b.Linear("gate", y, ff)), b.Linear("up", y, ff))
	x = b.Add("add2", b.Linear("down", y, heads*size), x)
	b.Output(b.Linear("head", b.Norm("norm3", "rms", x), words))
	g, err := b.Graph()
	if err != nil {
		panic(err)
	}
	return g
}

// A machine is ranks that carry out a graph with real numbers.
type machine struct {
	g     *graph.Graph
	cuts  []Cut // nil: one rank, the model itself
	ranks int
	at    [][][]float64 // by rank and tensor
}

// piece is the part of a tensor that a rank has.
func piece(x []float64, shape []int, c Cut, rank, ranks int) []float64 {
	if c.Parts <= 1 {
		return x
	}
	k := rank * c.Parts / ranks
	inner := 1
	for _, d := range shape[c.Axis+1:] {
		inner *= d
	}
	run, own := shape[c.Axis]*inner, shape[c.Axis]/c.Parts*inner
	var out []float64
	for o := 0; o < len(x); o += run {
		out = append(out, x[o+k*own:o+(k+1)*own]...)
	}
	return out
}

// together puts parts together that piece has cut.
func together(parts [][]float64, shape []int, axis int) []float64 {
	inner := 1
	for _, d := range shape[axis+1:] {
		inner *= d
	}
	own := shape[axis] / len(parts) * inner
	var out []float64
	for o := 0; o < len(parts[0]); o += own {
		for _, p := range parts {
			out = append(out, p[o:o+own]...)
		}
	}
	return out
}

func (m *machine) run(t *testing.T, of *graph.Graph, given map[graph.TensorID][]float64) {
	m.at = make([][][]float64, m.ranks)
	for r := range m.at {
		m.at[r] = make([][]float64, len(m.g.Tensors))
		for i := range m.g.Tensors {
			src, c := graph.TensorID(i), Cut{Parts: 1}
			if m.cuts != nil {
				src, c = m.cuts[i].Of, m.cuts[i]
			}
			if x, ok := given[src]; ok && (m.g.Tensors[i].Role == graph.Weight || m.g.Tensors[i].Role == graph.Input) {
				m.at[r][i] = piece(x, of.Tensors[src].Shape, c, r, m.ranks)
			}
		}
	}
	for i := range m.g.Ops {
		op := &m.g.Ops[i]
		if k, ok := op.Kind.(graph.Transfer); ok {
			m.transfer(t, op, k, of)
			continue
		}
		for r := range m.ranks {
			m.do(t, op, r, of)
		}
	}
}

func (m *machine) transfer(t *testing.T, op *graph.Op, k graph.Transfer, of *graph.Graph) {
	in, out := op.In[0], op.Out[0]
	c := m.cuts[out]
	shape := of.Tensors[c.Of].Shape
	var all []float64
	switch k.Func {
	case "all_gather":
		var parts [][]float64
		for r := range m.ranks {
			parts = append(parts, m.at[r][in])
		}
		all = together(parts, shape, m.cuts[in].Axis)
	case "all_reduce", "reduce_scatter":
		all = make([]float64, len(m.at[0][in]))
		for r := range m.ranks {
			for i, v := range m.at[r][in] {
				all[i] += v
			}
		}
	default:
		t.Fatal(k.Func)
	}
	for r := range m.ranks {
		m.at[r][out] = piece(all, shape, c, r, m.ranks)
	}
}

func (m *machine) do(t *testing.T, op *graph.Op, r int, of *graph.Graph) {
	at := m.at[r]
	val := func(i int) []float64 {
		require.NotNil(t, at[op.In[i]], "%s reads %s", op.Name, m.g.Tensor(op.In[i]).Name)
		return at[op.In[i]]
	}
	shape := func(id graph.TensorID) []int { return m.g.Tensor(id).Shape }
	o := op.Out[0]
	y := make([]float64, m.g.Tensor(o).Elements())
	switch k := op.Kind.(type) {
	case graph.MatMul:
		a, b := val(0), val(1)
		flip := shape(op.In[1])[len(shape(op.In[1]))-1] == k.K && k.K != k.N
		for bt := range k.Batch {
			off := bt / max(k.SharedB, 1) * k.K * k.N
			for i := range k.M {
				for j := range k.N {
					sum := 0.0
					for x := range k.K {
						w := b[off+x*k.N+j]
						if flip {
							w = b[off+j*k.K+x]
						}
						sum += a[(bt*k.M+i)*k.K+x] * w
					}
					y[(bt*k.M+i)*k.N+j] = sum
				}
			}
		}
	case graph.Elementwise:
		for i := range y {
			switch k.Func {
			case "add":
				y[i] = val(0)[i] + val(1)[i%len(val(1))]
			case "mul":
				y[i] = val(0)[i] * val(1)[i]
			case "silu":
				y[i] = val(0)[i] / (1 + math.Exp(-val(0)[i]))
			}
		}
	case graph.Norm, graph.Softmax:
		s := shape(op.In[0])
		n := s[len(s)-1]
		for o := 0; o < len(y); o += n {
			row, sum := val(0)[o:o+n], 0.0
			for _, v := range row {
				if _, ok := k.(graph.Norm); ok {
					sum += v * v / float64(n)
				} else {
					sum += math.Exp(v)
				}
			}
			for i, v := range row {
				if _, ok := k.(graph.Norm); ok {
					y[o+i] = v / math.Sqrt(sum) * val(1)[i]
				} else {
					y[o+i] = math.Exp(v) / sum
				}
			}
		}
	case graph.Gather:
		offset := 0
		if m.cuts != nil && m.cuts[op.In[0]].Parts > 1 {
			offset = r * int(k.Table)
		}
		for i, id := range val(1) {
			if w := int(id) - offset; w >= 0 && w < int(k.Table) {
				copy(y[i*int(k.Cols):], val(0)[w*int(k.Cols):(w+1)*int(k.Cols)])
			}
		}
	case graph.Attention:
		m.attend(op, k, at)
		return
	case graph.Merge:
		y = m.merge(op, k, at)
	case graph.Move:
		x, in, out := val(0), shape(op.In[0]), shape(o)
		switch {
		case k.Func == "append" && at[o] != nil && m.cuts != nil && m.cuts[o].Keys > 0: // the rank's own of the last
			y = at[o]
			keys, all := m.cuts[o].Keys, of.Tensors[m.cuts[o].Of].Shape[2]
			kept := 0
			for h := range in[0] * in[1] {
				for tok := range in[2] {
					if e := all - in[2] + tok; e%keys == r%keys {
						kept += in[3]
						copy(y[(h*out[2]+e/keys)*out[3]:(h*out[2]+e/keys+1)*out[3]], x[(h*in[2]+tok)*in[3]:])
					}
				}
			}
			require.EqualValues(t, kept, k.Elements)
		case k.Func == "append" && at[o] != nil: // the last of the entries that are there
			y = at[o]
			for h := range in[0] * in[1] {
				copy(y[((h+1)*out[2]-in[2])*out[3]:(h+1)*out[2]*out[3]], x[h*in[2]*in[3]:(h+1)*in[2]*in[3]])
			}
		case k.Func == "concat":
			y = y[:0]
			for i := range op.In {
				y = append(y, val(i)...)
			}
		case k.Func == "slice" && len(in) == 4 && in[2] != out[2]: // the first or last tokens of each head
			y = y[:0]
			for h := range in[0] * in[1] {
				from := h*in[2]*in[3] + int(k.From)
				y = append(y, x[from:from+out[2]*out[3]]...)
			}
		case k.Func == "slice" && !strings.HasSuffix(op.Name, ".part"):
			y = x[k.From : k.From+int64(len(y))]
		case k.Func == "slice":
			c := m.cuts[o]
			y = piece(x, of.Tensors[c.Of].Shape, c, r, m.ranks)
		case len(in) == 3 && len(out) == 4: // tokens x (heads x size) to heads x tokens x size
			for n := range out[0] * out[1] * out[2] {
				b, h, tok := n/out[2]/out[1], n/out[2]%out[1], n%out[2]
				copy(y[n*out[3]:(n+1)*out[3]], x[(b*out[2]+tok)*in[2]+h*out[3]:])
			}
		case len(in) == 4 && len(out) == 3:
			for n := range in[0] * in[1] * in[2] {
				b, h, tok := n/in[2]/in[1], n/in[2]%in[1], n%in[2]
				copy(y[(b*in[2]+tok)*out[2]+h*in[3]:(b*in[2]+tok)*out[2]+(h+1)*in[3]], x[n*in[3]:])
			}
		default:
			copy(y, x)
		}
	default:
		t.Fatalf("%s: %T", op.Name, k)
	}
	at[o] = y
}

// The ranks come to what the model comes to, with real numbers.
func TestTensorComputesTheModel(t *testing.T) {
	for _, c := range []struct {
		tokens, heads, kv, words, ranks int
		sequence                        bool
	}{{8, 4, 4, 40, 2, false}, {8, 4, 2, 40, 2, true}, {8, 4, 2, 40, 4, false}, {8, 8, 2, 40, 8, true}, {5, 4, 4, 40, 4, true}, {8, 4, 4, 41, 4, true}} {
		g := small(c.tokens, c.heads, c.kv, c.words)
		r := rand.New(rand.NewPCG(1, 2))
		given := map[graph.TensorID][]float64{}
		for i := range g.Tensors {
			x := &g.Tensors[i]
			v := make([]float64, x.Elements())
			for k := range v {
				v[k] = r.Float64() - 0.5
				if x.Role == graph.Input {
					v[k] = float64(r.IntN(c.words))
				}
			}
			if x.Role == graph.Weight || x.Role == graph.Input {
				given[graph.TensorID(i)] = v
			}
		}
		one := machine{g: g, ranks: 1}
		one.run(t, g, given)
		s, err := Tensor(g, Tensors{Ranks: c.ranks, Sequence: c.sequence})
		require.NoError(t, err)
		many := machine{g: s.Graph, cuts: s.Cuts, ranks: c.ranks}
		many.run(t, g, given)
		checked := 0
		for i := range s.Graph.Tensors {
			if s.Graph.Tensors[i].Role != graph.Output {
				continue
			}
			for r := range many.at {
				require.InDeltaSlice(t, one.at[0][s.Cuts[i].Of], many.at[r][i], 1e-9, "%+v", c)
				checked++
			}
		}
		require.Equal(t, c.ranks, checked)
	}
}
