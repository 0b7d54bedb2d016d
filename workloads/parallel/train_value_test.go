package parallel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// player carries out the graphs of all ranks of a step with real numbers, in any order that
// their transfers allow, up to the update.
type player struct {
	t     *testing.T
	x     *trained
	given map[string][]float64 // weights of the model
	words int
	at    [][][]float64 // by rank and tensor
	next  []int
	sent  map[string][]float64
	enter map[string]map[int][]float64 // collectives: what ranks give
	loss  float64
}

func (p *player) tensor(r int, id graph.TensorID) *graph.Tensor { return p.x.ranks[r].Tensor(id) }

// part is what rank r has of an array of the model: the axis in which shapes differ is cut.
func (p *player) part(r int, x []float64, all, own []int) []float64 {
	t := p.x.of(r).tensor
	for axis := range own {
		if all[axis] != own[axis] {
			n := all[axis] / own[axis]
			return piece(x, all, Cut{Axis: axis, Parts: n}, t*n/p.x.Tensor, n)
		}
	}
	return x
}

func (p *player) run() {
	p.at, p.next = make([][][]float64, p.x.Ranks()), make([]int, p.x.Ranks())
	p.sent, p.enter = map[string][]float64{}, map[string]map[int][]float64{}
	for r, g := range p.x.ranks {
		p.at[r] = make([][]float64, len(g.Tensors))
		for i := range g.Tensors {
			x := &g.Tensors[i]
			switch {
			case x.Role == graph.Weight:
				p.at[r][i] = p.part(r, p.given[x.Name], p.shape(x.Name), x.Shape)
			case x.Role == graph.Gradient:
				p.at[r][i] = make([]float64, x.Elements())
			case strings.HasPrefix(x.Name, "input_ids"):
				micro, _ := strconv.Atoi(x.Name[strings.LastIndex(x.Name, "m")+1:])
				seed := rand.New(rand.NewPCG(uint64(p.x.of(r).data/p.context()*p.x.Microbatches+micro), 3))
				var all []float64
				for range p.x.sequence {
					all = append(all, float64(seed.IntN(p.words)))
				}
				p.at[r][i] = all[p.first(r):][:x.Elements()]
			case strings.HasPrefix(x.Name, "positions"):
				for k := range x.Elements() {
					p.at[r][i] = append(p.at[r][i], float64(p.first(r)+int(k)))
				}
			}
		}
	}
	for moved := true; moved; {
		moved = false
		for r, g := range p.x.ranks {
			for p.next[r] < len(g.Ops) && p.do(r, &g.Ops[p.next[r]]) {
				p.next[r]++
				moved = true
			}
		}
	}
	for r, g := range p.x.ranks {
		require.Equal(p.t, len(g.Ops), p.next[r], "rank %d waits for ever", r)
	}
}

// context is how many ranks share tokens, and first the first token of one.
func (p *player) context() int { return max(p.x.Training.Context, 1) }

func (p *player) first(r int) int {
	return p.x.of(r).data % p.context() * p.x.sequence / p.context()
}

func (p *player) shape(name string) []int {
	for i := range p.x.g.Tensors {
		if p.x.g.Tensors[i].Name == name {
			return p.x.g.Tensors[i].Shape
		}
	}
	return nil
}

// do carries out an operator, if what it waits for is there.
func (p *player) do(r int, op *graph.Op) bool {
	if strings.HasPrefix(op.Name, "update") || strings.HasPrefix(op.Name, "gradients") && !strings.HasPrefix(op.Name, "gradients.tensor") {
		return true // the sums of replicas are taken by hand
	}
	switch k := op.Kind.(type) {
	case graph.Transfer:
		return p.transfer(r, op, k)
	case graph.Attention:
		(&machine{g: p.x.ranks[r]}).attend(op, k, p.at[r])
		return true
	case graph.AttentionBackward:
		attendBack(op, k.Attention, p.at[r])
		return true
	}
	at := p.at[r]
	in := make([][]float64, len(op.In))
	shapes := make([][]int, len(op.In))
	for i, id := range op.In {
		require.NotNil(p.t, at[id], "rank %d: %s reads %s", r, op.Name, p.tensor(r, id).Name)
		in[i], shapes[i] = at[id], p.tensor(r, id).Shape
	}
	out := p.tensor(r, op.Out[0])
	y := make([]float64, out.Elements())
	role, _, _ := strings.Cut(op.Name, ".c0.m")
	role, _, _ = strings.Cut(role, ".c1.m")
	for m := range p.x.Microbatches {
		role = strings.TrimSuffix(role, fmt.Sprint(".m", m))
	}
	switch k := op.Kind.(type) {
	case graph.MatMul:
		if strings.Contains(out.Name, ".partial") && len(in) > 2 && p.x.of(r).tensor > 0 {
			in = in[:2] // of what is added up one rank adds the bias
		}
		multiply(role, k, in, shapes, out.Shape, y)
	case graph.Elementwise:
		p.elementwise(r, op, k, in, y)
	case graph.Softmax:
		for i := range y {
			if strings.Contains(role, ".loss") {
				y[i] = math.Exp(in[0][i]) / in[1][i/int(k.Cols)]
				continue
			}
			row, sum := in[0][i/int(k.Cols)*int(k.Cols):][:k.Cols], 0.0
			for _, v := range row {
				sum += math.Exp(v)
			}
			y[i] = math.Exp(in[0][i]) / sum
		}
	case graph.Norm:
		for i := range y {
			x, _ := normal(in[0], i, int(k.Cols))
			y[i] = x*in[1][i%int(k.Cols)] + in[2][i%int(k.Cols)]
		}
	case graph.Reduce:
		switch {
		case k.Func == "max": // here the sum of exponentials
			for i, v := range in[0] {
				y[i/(len(in[0])/len(y))] += math.Exp(v)
			}
		case len(op.Out) == 2: // of a norm
			shift := at[op.Out[1]]
			for i, d := range in[0] {
				x, _ := normal(in[1], i, len(y))
				y[i%len(y)] += d * x
				shift[i%len(y)] += d
			}
		default:
			for i, d := range in[0] {
				y[i%len(y)] += d
			}
		}
	case graph.Gather:
		for i, id := range in[1] {
			if w := int(id) - p.offset(r, int(k.Table)); w >= 0 && w < int(k.Table) {
				copy(y[i*int(k.Cols):], in[0][w*int(k.Cols):(w+1)*int(k.Cols)])
			}
		}
	case graph.Move:
		if k.Func == "scatter" {
			ids := p.ids(r, op)
			cols := out.Shape[1]
			for i, id := range ids {
				if w := id - p.offset(r, out.Shape[0]); w >= 0 && w < out.Shape[0] {
					for c := range cols {
						y[w*cols+c] += in[0][i*cols+c]
					}
				}
			}
			break
		}
		p.move(r, op, in, shapes, y)
	default:
		p.t.Fatalf("%s: %T", op.Name, k)
	}
	if out.Role == graph.Gradient {
		for i := range y {
			at[op.Out[0]][i] += y[i]
		}
		return true
	}
	if at[op.Out[0]] == nil {
		at[op.Out[0]] = y
	}
	return true
}

// offset is the first word of a part of the vocabulary.
func (p *player) offset(r, table int) int {
	if table == p.words || table == p.x.Positions {
		return 0
	}
	return p.x.of(r).tensor * table
}

// ids are the rows of a table that a scatter adds to: those that the gather has read.
func (p *player) ids(r int, op *graph.Op) (out []int) {
	name := strings.Replace(op.Name, ".dw", "", 1)
	for i := range p.x.ranks[r].Ops {
		if g := &p.x.ranks[r].Ops[i]; g.Name == name {
			for _, v := range p.at[r][g.In[1]] {
				out = append(out, int(v))
			}
			return out
		}
	}
	p.t.Fatal(op.Name)
	return nil
}

// normal is an element less the mean of its row over its deviation, and one over that.
func normal(x []float64, i, cols int) (v, scale float64) {
	row, mean, square := x[i/cols*cols:][:cols], 0.0, 0.0
	for _, v := range row {
		mean += v / float64(cols)
	}
	for _, v := range row {
		square += (v - mean) * (v - mean) / float64(cols)
	}
	return (x[i] - mean) / math.Sqrt(square), 1 / math.Sqrt(square)
}

// multiply is a product of the pass forward, or one that makes a gradient by its name: of
// operands that lie as in the pass forward.
func multiply(role string, k graph.MatMul, in [][]float64, shapes [][]int, out []int, y []float64) {
	m, n, kk := k.M, k.N, k.K
	what := "forward"
	shared := max(k.SharedB, 1)
	switch {
	case strings.HasSuffix(role, ".dx"):
		what, n, kk = "a", k.K, k.N
	case strings.HasSuffix(role, ".dw"), strings.HasSuffix(role, ".dx1"):
		what, m, kk = "b", k.K, k.M
	}
	b := out // the shape of the second operand
	if what != "b" {
		b = shapes[1]
	}
	flip := b[len(b)-1] == kk && kk != n
	at := func(bt, x, j int) int {
		if flip {
			return bt/shared*kk*n + j*kk + x
		}
		return bt/shared*kk*n + x*n + j
	}
	for bt := range k.Batch {
		for i := range m {
			for j := range n {
				for x := range kk {
					a, c := (bt*m+i)*kk+x, (bt*m+i)*n+j
					switch what {
					case "forward":
						y[c] += in[0][a] * in[1][at(bt, x, j)]
					case "a":
						y[a] += in[0][c] * in[1][at(bt, x, j)]
					case "b":
						y[at(bt, x, j)] += in[0][a] * in[1][c]
					}
				}
			}
		}
	}
	if what == "forward" && len(in) > 2 && len(in[2]) == n {
		for i := range y {
			y[i] += in[2][i%n]
		}
	}
}

func silu(x float64) float64 { return x / (1 + math.Exp(-x)) }

func gelu(x float64) float64 {
	return x / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
}

func (p *player) elementwise(r int, op *graph.Op, k graph.Elementwise, in [][]float64, y []float64) {
	switch k.Func {
	case "add":
		for _, x := range in {
			for i := range y {
				y[i] += x[i%len(x)]
			}
		}
	case "gelu_tanh":
		for i, v := range in[0] {
			y[i] = gelu(v)
		}
	case "gelu_tanh_back":
		for i, v := range in[1] {
			y[i] = in[0][i] * (gelu(v+1e-5) - gelu(v-1e-5)) / 2e-5
		}
	case "silu_gate_back":
		dup := p.at[r][op.Out[1]]
		if dup == nil {
			dup = make([]float64, len(y))
			p.at[r][op.Out[1]] = dup
		}
		for i, v := range in[1] {
			y[i], dup[i] = in[0][i]*in[2][i]*(silu(v+1e-5)-silu(v-1e-5))/2e-5, in[0][i]*silu(v)
		}
	case "softmax_back":
		cols := p.tensor(r, op.Out[0]).Shape[3]
		for i := range y {
			sum := 0.0
			for j := i / cols * cols; j < i/cols*cols+cols; j++ {
				sum += in[0][j] * in[1][j]
			}
			y[i] = in[0][i] * (in[1][i] - sum)
		}
	case "norm_back":
		cols := len(in[2])
		for i := range y {
			x, scale := normal(in[1], i, cols)
			mean, product := 0.0, 0.0
			for j := i / cols * cols; j < i/cols*cols+cols; j++ {
				v, _ := normal(in[1], j, cols)
				g := in[0][j] * in[2][j%cols]
				mean, product = mean+g/float64(cols), product+g*v/float64(cols)
			}
			y[i] = scale * (in[0][i]*in[2][i%cols] - mean - x*product)
			if len(op.Out) > 1 { // and of the weights
				p.at[r][op.Out[1]][i%cols] += in[0][i] * x
				p.at[r][op.Out[2]][i%cols] += in[0][i]
			}
		}
	case "sub": // the loss: the word after the next is right
		cols := p.tensor(r, op.Out[0]).Shape[2]
		for i := range y {
			y[i] = in[0][i]
			if right := 7 * (p.first(r) + i/cols) % p.words; right-p.offset(r, cols) == i%cols {
				y[i]--
				p.loss -= math.Log(in[0][i])
			}
		}
	default:
		p.t.Fatal(k.Func)
	}
}

func (p *player) move(r int, op *graph.Op, in [][]float64, shapes [][]int, y []float64) {
	out := p.tensor(r, op.Out[0]).Shape
	heads := func(x []float64, from []int, y []float64, to []int, which, of int) { // b, tokens, heads x of x size and back
		four, three, back := to, from, false
		if len(from) == 4 {
			four, three, back = from, to, true
		}
		for b := range four[0] {
			for h := range four[1] {
				for tok := range four[2] {
					for i := range four[3] {
						a := ((b*four[1]+h)*four[2]+tok)*four[3] + i
						c := (b*four[2]+tok)*three[2] + (h*of+which)*four[3] + i
						if back {
							y[c] = x[a]
						} else {
							y[a] = x[c]
						}
					}
				}
			}
		}
	}
	switch {
	case len(op.Out) == 3:
		for w, id := range op.Out {
			p.at[r][id] = make([]float64, p.tensor(r, id).Elements())
			heads(in[0], shapes[0], p.at[r][id], p.tensor(r, id).Shape, w, 3)
		}
	case len(in) == 3:
		for w := range in {
			heads(in[w], shapes[w], y, out, w, 3)
		}
	case len(shapes[0]) != len(out) && max(len(out), len(shapes[0])) == 4:
		heads(in[0], shapes[0], y, out, 0, 1)
	case len(in[0]) != len(y):
		copy(y, p.part(r, in[0], shapes[0], out))
	default:
		copy(y, in[0])
	}
}

func (p *player) transfer(r int, op *graph.Op, k graph.Transfer) bool {
	switch k.Func {
	case "send":
		p.sent[fmt.Sprint(r, k.Peer, k.Tag)] = p.at[r][op.In[0]]
		return true
	case "recv":
		x, ok := p.sent[fmt.Sprint(k.Peer, r, k.Tag)]
		p.at[r][op.Out[0]] = x
		return ok
	}
	key := op.Name + fmt.Sprint(k.Among)
	if p.enter[key] == nil {
		p.enter[key] = map[int][]float64{}
	}
	var mine []float64
	for _, id := range op.In {
		mine = append(mine, p.at[r][id]...)
	}
	if _, there := p.enter[key][r]; !there {
		p.enter[key][r] = mine
	}
	if len(p.enter[key]) < k.Among.Count {
		return false
	}
	from, to := p.tensor(r, op.In[0]).Shape, p.tensor(r, op.Out[0]).Shape
	var parts [][]float64
	sum := make([]float64, len(mine))
	for _, m := range k.Among.All(p.x.Ranks()) {
		parts = append(parts, p.enter[key][int(m)])
		for i, v := range p.enter[key][int(m)] {
			if k.Func != "all_gather" {
				sum[i] += v
			}
		}
	}
	switch k.Func {
	case "all_gather":
		axis := 0
		for from[axis] == to[axis] {
			axis++
		}
		p.at[r][op.Out[0]] = together(parts, to, axis)
	case "all_reduce":
		for _, id := range op.Out {
			n := int(p.tensor(r, id).Elements())
			p.at[r][id], sum = sum[:n:n], sum[n:]
		}
	case "reduce_scatter":
		axis := 0
		for from[axis] == to[axis] {
			axis++
		}
		at := slices.Index(k.Among.All(p.x.Ranks()), int32(r))
		p.at[r][op.Out[0]] = slices.Clone(piece(sum, from, Cut{Axis: axis, Parts: k.Among.Count}, at, k.Among.Count))
	}
	return true
}

// gradientsOf are the sums over replicas of the gradients that stages have, put together over
// their parts.
func (p *player) gradientsOf(name string) []float64 {
	all := p.shape(name)
	var out []float64
	for s := range p.x.Pipeline {
		var parts [][]float64
		axis := -1
		for t := range p.x.Tensor {
			var sum []float64
			for d := range p.x.Data {
				r := p.x.rank(coordinates{s, d, t})
				for i := range p.x.ranks[r].Tensors {
					x := &p.x.ranks[r].Tensors[i]
					if x.Name != name+".gradient" {
						continue
					}
					if sum == nil {
						sum = make([]float64, x.Elements())
					}
					for k, v := range p.at[r][i] {
						sum[k] += v
					}
					for a := range all {
						if all[a] != x.Shape[a] {
							axis = a
						}
					}
				}
			}
			if sum != nil {
				parts = append(parts, sum)
			}
		}
		switch {
		case parts == nil:
		case axis < 0:
			for _, x := range parts {
				require.InDeltaSlice(p.t, parts[0], x, 1e-9, name)
			}
			out = parts[0]
		default:
			out = together(parts, all, axis)
		}
	}
	return out
}

// Steps on every grid make the gradients of one rank, with real numbers, and those are the
// derivatives of the loss.
func TestTrainComputesTheGradients(t *testing.T) {
	model := zoo.GPT{Name: "small", Layers: 4, Heads: 4, HeadSize: 3, FF: 20, Words: 28, Positions: 9}
	fused := false
	make := func(grid Grid, micro int, c Training) *player {
		c.Microbatches, c.Chunks, c.Optimizer = micro, max(c.Chunks, 1), "adam"
		x := &trained{GPT: model, Grid: grid, Training: c, batch: 1, sequence: 6, fused: fused}
		if c.Sequence {
			x.sequence = 4 * max(c.Context, 1)
		}
		x.make(t)
		return &player{t: t, x: x, words: model.Words}
	}
	one := Training{Schedule: OneFOneB, Recompute: RecomputeNone}
	for _, c := range []struct {
		Grid
		Training
		fused bool
	}{
		{Grid{2, 1, 1}, Training{Schedule: OneFOneB, Recompute: RecomputeFull}, false},
		{Grid{4, 1, 1}, Training{Schedule: OneFOneB, Recompute: RecomputeNone, Sequence: true}, false},
		{Grid{1, 1, 4}, Training{Schedule: GPipe, Recompute: RecomputeFull}, false},
		{Grid{1, 1, 2}, Training{Schedule: Interleaved, Chunks: 2, Recompute: RecomputeNone}, false},
		{Grid{1, 2, 1}, Training{Schedule: OneFOneB, Recompute: RecomputeFull, Context: 2}, false},
		{Grid{2, 4, 2}, Training{Schedule: OneFOneB, Recompute: RecomputeNone, Context: 2, Sequence: true}, false},
		{Grid{2, 2, 2}, Training{Schedule: OneFOneB, Recompute: RecomputeSelective, Sequence: true}, false},
		{Grid{2, 2, 2}, Training{Schedule: OneFOneB, Recompute: RecomputeSelective, Sequence: true}, true},
		{Grid{4, 1, 2}, Training{Schedule: Interleaved, Chunks: 2, Recompute: RecomputeFull}, true},
		{Grid{2, 2, 1}, Training{Schedule: OneFOneB, Recompute: RecomputeNone, Sequence: true, Fused: true}, true},
	} {
		fused = c.fused
		many := make(c.Grid, 4*max(c.Context, 1)/c.Data, c.Training)
		alone := make(Grid{1, 1, 1}, 4, Training{Schedule: OneFOneB, Recompute: RecomputeNone})
		alone.x = &trained{GPT: model, Grid: Grid{1, 1, 1}, Training: alone.x.Training, batch: 1, sequence: many.x.sequence, fused: fused}
		alone.x.make(t)
		r := rand.New(rand.NewPCG(1, 2))
		alone.given = map[string][]float64{}
		for i := range alone.x.g.Tensors {
			if w := &alone.x.g.Tensors[i]; w.Role == graph.Weight {
				for range w.Elements() {
					alone.given[w.Name] = append(alone.given[w.Name], r.Float64()-0.5)
				}
			}
		}
		many.given = alone.given
		alone.run()
		many.run()
		for name := range alone.given {
			require.InDeltaSlice(t, alone.gradientsOf(name), many.gradientsOf(name), 1e-7, "%+v: %s", c, name)
		}
		if c.Recompute != RecomputeSelective {
			continue
		}
		for name, w := range alone.given { // derivatives by differences
			k := r.IntN(len(w))
			at := w[k]
			loss := func(v float64) float64 {
				w[k] = v
				p := make(Grid{1, 1, 1}, 4, one)
				p.x = alone.x
				p.given = alone.given
				p.run()
				return p.loss
			}
			slope := (loss(at+1e-5) - loss(at-1e-5)) / 2e-5
			w[k] = at
			require.InDelta(t, slope, alone.gradientsOf(name)[k], 1e-4*max(1, math.Abs(slope)), name)
		}
	}
}
