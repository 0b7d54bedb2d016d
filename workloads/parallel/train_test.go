package parallel

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// trained is a model and a step of it.
type trained struct {
	zoo.GPT
	Grid
	Training
	batch, sequence int
	fused           bool // each attention is one operator
	g               *graph.Graph
	ranks           []*graph.Graph
	before          [][][2]int32
}

func (x *trained) make(t *testing.T) {
	n := max(x.Training.Context, 1)
	g, err := x.GPT.Graph(zoo.Params{Batch: x.batch, Sequence: x.sequence / n, Context: x.sequence})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.FP16))
	if x.fused {
		g = g.FuseAttention(g.Chains())
	}
	x.g = g
	s, err := Train(g, x.Grid, x.Training)
	require.NoError(t, err, "%+v", x)
	for i := range x.Ranks() {
		r, before := s.Rank(i)
		require.NoError(t, r.Validate())
		x.ranks, x.before = append(x.ranks, r), append(x.before, before)
	}
	require.Empty(t, s.Full())
}

// randomTraining draws a model that divides and a step of it.
func randomTraining(r *rand.Rand) trained {
	grid := Grid{1 << r.IntN(3), 1 + r.IntN(3), 1 + r.IntN(3)}
	x := trained{Grid: grid, batch: 1 + r.IntN(3), sequence: 8 * (1 + r.IntN(3))}
	t := Training{Microbatches: grid.Pipeline * (1 + r.IntN(3)), Recompute: Recomputes[r.IntN(3)], Schedule: Schedules[r.IntN(2)], Chunks: 1,
		Sequence: r.IntN(2) == 0, Bucket: int64(r.IntN(2) * 5000), Optimizer: "adam", Gradients: graph.FP32, Wait: r.IntN(2) == 0}
	if grid.Pipeline > 1 && r.IntN(2) == 0 {
		t.Schedule, t.Chunks = Interleaved, 2
	}
	if grid.Data > 1 {
		t.Zero = r.IntN(4)
	}
	x.Training = t
	x.GPT = zoo.GPT{Name: "small", Layers: grid.Pipeline * t.Chunks * (1 + r.IntN(2)), Heads: 4, HeadSize: 4 * (1 + r.IntN(3)), Words: 64 * (1 + r.IntN(3)), Positions: 64}
	return x
}

// layerMACs is the multiply-accumulates of a layer forward, and of its attention.
func (x *trained) layerMACs() (layer, attention int64) {
	h, tokens := int64(x.Heads*x.HeadSize), int64(x.batch*x.sequence)
	attention = 2 * tokens * int64(x.sequence) * h
	return 12*tokens*h*h + attention, attention
}

// parameters of a layer, of the tables of words and positions, and of the last norm.
func (x *trained) parameters() (layer, words, positions, norm int64) {
	h := int64(x.Heads * x.HeadSize)
	return 12*h*h + 13*h, int64(x.Words) * h, int64(x.Positions) * h, 2 * h
}

// Over random models and splits: multiply-accumulates are three times those of inference,
// what is computed again comes on top; each parameter has its gradient, in one replica once;
// states of the optimiser are 12 bytes for each, of all replicas together once with zero.
func TestTrainConserves(t *testing.T) {
	for seed := range uint64(36) {
		x := randomTraining(rand.New(rand.NewPCG(seed, 15)))
		x.make(t)
		layer, attention := x.layerMACs()
		samples := int64(x.Data * x.Microbatches)
		head := int64(x.batch*x.sequence) * int64(x.Words) * int64(x.Heads*x.HeadSize)
		want := 3 * (int64(x.Layers)*layer + head)
		require.Equal(t, want, 3*x.g.MACs())
		switch x.Recompute {
		case RecomputeFull:
			want += int64(x.Layers) * layer
		case RecomputeSelective:
			want += int64(x.Layers) * attention
		}
		var macs, gradients, states int64
		for i, g := range x.ranks {
			macs += g.MACs()
			for k := range g.Tensors {
				switch a := &g.Tensors[k]; a.Role {
				case graph.Gradient:
					if x.of(i).data == 0 {
						gradients += a.Elements()
					}
				case graph.Optimizer:
					require.Equal(t, graph.FP32, a.DType)
					states += a.Bytes()
				}
			}
		}
		require.Equal(t, want*samples, macs, "seed %d", seed)
		own, words, positions, norm := x.parameters()
		// What is no product each of the tensor ranks has in full: norms and biases that are
		// added after sums; a word table that is the head of another stage is there twice.
		h, n := int64(x.Heads*x.HeadSize), int64(x.Tensor)
		whole := int64(x.Layers)*(4*h+2*h)*(n-1) + positions*(n-1) + norm*(n-1)
		all := int64(x.Layers)*own + words + positions + norm + whole
		if x.Pipeline > 1 {
			all += words
		}
		require.Equal(t, all, gradients, "seed %d", seed)
		if x.Zero == 0 {
			require.Equal(t, 12*all*int64(x.Data), states, "seed %d", seed)
		} else {
			require.GreaterOrEqual(t, states, 12*all, "seed %d", seed)
			require.LessOrEqual(t, states, 12*(all+int64(x.Ranks()*len(x.g.Tensors)*x.Data)), "seed %d: shares are padded to whole elements", seed)
		}
	}
}

// Sends meet receives of equal bytes, and members of a group its collectives in one order.
func TestTrainTransfersMatch(t *testing.T) {
	for seed := range uint64(36) {
		x := randomTraining(rand.New(rand.NewPCG(seed, 16)))
		x.make(t)
		sent := map[string]int64{}
		of := map[graph.Ranks][][]string{}
		for i, g := range x.ranks {
			own := map[graph.Ranks][]string{}
			for k := range g.Ops {
				m, ok := g.Ops[k].Kind.(graph.Transfer)
				switch {
				case !ok:
				case m.Func == "send":
					sent[fmt.Sprint(i, m.Peer, m.Tag)] += m.Bytes + 1
					require.Equal(t, g.Tensor(g.Ops[k].In[0]).Bytes(), m.Bytes)
				case m.Func == "recv":
					sent[fmt.Sprint(m.Peer, i, m.Tag)] -= m.Bytes + 1
				default:
					require.Contains(t, m.Among.All(x.Ranks()), int32(i), "seed %d: %s", seed, g.Ops[k].Name)
					own[m.Among] = append(own[m.Among], fmt.Sprint(m.Func, m.Bytes))
				}
			}
			for r, list := range own {
				of[r] = append(of[r], list)
			}
		}
		for k, left := range sent {
			require.Zero(t, left, "seed %d: %s", seed, k)
		}
		for r, lists := range of {
			require.Len(t, lists, r.Count)
			for _, l := range lists {
				require.Equal(t, lists[0], l, "seed %d: %v", seed, r)
			}
		}
	}
}

// The bytes of collectives of a model whose sizes divide, by hand.
func TestTrainBytesByHand(t *testing.T) {
	model := zoo.GPT{Name: "small", Layers: 4, Heads: 4, HeadSize: 8, Words: 128, Positions: 16}
	make := func(grid Grid, c Training) *graph.Graph {
		c.Chunks, c.Optimizer, c.Gradients = max(c.Chunks, 1), "adam", graph.FP32
		x := trained{GPT: model, Grid: grid, Training: c, batch: 2, sequence: 16}
		x.make(t)
		return x.ranks[0]
	}
	const micro, h, tokens = 3, 32, 32
	const act = tokens * h * 2 // bytes
	// Two sums forward and two back in each layer, one of the embedding, one of what goes into
	// the head; three numbers per token of the loss (Megatron-LM, figure 4 and section 3).
	g := make(Grid{4, 1, 1}, Training{Microbatches: micro, Recompute: RecomputeNone, Schedule: OneFOneB})
	n, ops := bytesOf(g, "all_reduce")
	require.Equal(t, []int64{micro * (18*act + 12*tokens), micro * 19}, []int64{n, ops})
	// Full recomputation adds the two of the layer's pass forward.
	g = make(Grid{4, 1, 1}, Training{Microbatches: micro, Recompute: RecomputeFull, Schedule: OneFOneB})
	n, _ = bytesOf(g, "all_reduce")
	require.EqualValues(t, micro*(26*act+12*tokens), n)
	// By tokens each sum is a reduce_scatter, and an all_gather of as many bytes at the other
	// end; gradients of norms, and of biases after sums and positions, are added up at the end
	// where they are of a rank's own tokens.
	g = make(Grid{4, 1, 1}, Training{Microbatches: micro, Recompute: RecomputeNone, Schedule: OneFOneB, Sequence: true})
	n, ops = bytesOf(g, "reduce_scatter")
	require.Equal(t, []int64{micro * 18 * act, micro * 18}, []int64{n, ops})
	n, ops = bytesOf(g, "all_gather")
	require.EqualValues(t, 18*micro*act/4+micro*16*h*2/4, n, "and gradients of the positions")
	require.EqualValues(t, micro*19, ops)
	// Replicas: four bytes of each parameter. ZeRO 1 and 2 as many by a reduce_scatter and
	// two by an all_gather; 2 in every microbatch; 3 gathers before each pass (ZeRO, section 7),
	// but for positions and the last norm's bias, which no pass back reads.
	params := int64(4*(12*h*h+13*h) + 128*h + 16*h + 2*h)
	for zero, want := range [][3]int64{{4 * params, 0, 0}, {0, 4 * params, 2 * params / 2}, {0, micro * 4 * params, 2 * params / 2}, {0, micro * 4 * params, micro * (2*params - 17*h)}} {
		g = make(Grid{1, 2, 1}, Training{Microbatches: micro, Recompute: RecomputeNone, Schedule: OneFOneB, Zero: zero})
		for k, what := range []string{"all_reduce", "reduce_scatter", "all_gather"} {
			n, _ := bytesOf(g, what)
			require.Equal(t, want[k], n, "zero %d: %s", zero, what)
		}
	}
	// Stages pass one activation of each microbatch on and its gradient back; the first and
	// the last have the table of words.
	g = make(Grid{1, 1, 2}, Training{Microbatches: micro, Recompute: RecomputeNone, Schedule: OneFOneB})
	n, _ = bytesOf(g, "send")
	m, _ := bytesOf(g, "recv")
	k, _ := bytesOf(g, "all_reduce")
	require.Equal(t, []int64{micro * act, micro * act, 4 * 128 * h}, []int64{n, m, k})
}

// Buckets are filled in the order in which gradients are done, from the last layer on.
func TestTrainBuckets(t *testing.T) {
	x := trained{GPT: zoo.GPT{Name: "small", Layers: 4, Heads: 4, HeadSize: 8, Words: 128, Positions: 16}, Grid: Grid{1, 2, 1}, batch: 1, sequence: 16,
		Training: Training{Microbatches: 2, Recompute: RecomputeNone, Schedule: OneFOneB, Chunks: 1, Bucket: 30000, Optimizer: "adam", Gradients: graph.FP32}}
	x.make(t)
	var sizes []int64
	g := x.ranks[0]
	for i := range g.Ops {
		if k, ok := g.Ops[i].Kind.(graph.Transfer); ok {
			sizes = append(sizes, k.Bytes)
			require.NotContains(t, g.Tensor(g.Ops[i].In[0]).Name, "embed.position", "the embedding is last")
			break
		}
	}
	require.GreaterOrEqual(t, sizes[0], int64(30000))
	require.Less(t, sizes[0], int64(30000+4*4*32*32*4))
}

func TestTrainRefuses(t *testing.T) {
	g, err := zoo.Build("resnet18", zoo.Params{})
	require.NoError(t, err)
	ok := Training{Microbatches: 2, Recompute: RecomputeNone, Schedule: OneFOneB, Chunks: 1, Optimizer: "adam"}
	_, err = Train(g, Grid{1, 1, 1}, ok)
	require.ErrorContains(t, err, "resnet18: conv1: ")
	g, err = zoo.Build("gpt2", zoo.Params{Sequence: 16, Context: 32})
	require.NoError(t, err)
	_, err = Train(g, Grid{1, 1, 1}, ok)
	require.ErrorContains(t, err, "want a prefill whose context is its sequence")
	for what, change := range map[string]func(*Training){
		"zero shares out among replicas": func(t *Training) { t.Zero = 1 },
		"unknown schedule":               func(t *Training) { t.Schedule = "x" },
		"unknown optimizer":              func(t *Training) { t.Optimizer = "x" },
		"unknown recomputation":          func(t *Training) { t.Recompute = "x" },
		"0 microbatches":                 func(t *Training) { t.Microbatches = 0 },
		"go with schedule interleaved":   func(t *Training) { t.Chunks = 2 },
	} {
		c := ok
		change(&c)
		_, err := Train(g, Grid{1, 1, 1}, c)
		require.ErrorContains(t, err, what)
	}
}

// By tokens each rank passes its part on to the next stage, and gets the gradient of that
// back; otherwise all of it.
func TestTrainSendsParts(t *testing.T) {
	for _, sequence := range []bool{false, true} {
		x := trained{GPT: zoo.GPT{Name: "small", Layers: 4, Heads: 4, HeadSize: 8, Words: 128, Positions: 16}, Grid: Grid{4, 1, 2}, batch: 2, sequence: 16,
			Training: Training{Microbatches: 3, Recompute: RecomputeNone, Schedule: OneFOneB, Chunks: 1, Sequence: sequence, Optimizer: "adam", Gradients: graph.FP32}}
		x.make(t)
		want := int64(3 * 2 * 16 * 32 * 2)
		if sequence {
			want /= 4
		}
		for _, g := range x.ranks {
			n, _ := bytesOf(g, "send")
			m, _ := bytesOf(g, "recv")
			require.Equal(t, []int64{want, want}, []int64{n, m})
		}
	}
}
