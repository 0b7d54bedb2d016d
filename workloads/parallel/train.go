package parallel

import (
	"errors"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/recipe"
)

// Activations that the backward pass recomputes instead of keeping them.
const (
	RecomputeNone      = "none"
	RecomputeSelective = "selective" // scores of attention and what is made of them
	RecomputeFull      = "full"      // each layer from its input
)

// Recomputes are the values of Training.Recompute.
var Recomputes = []string{RecomputeNone, RecomputeSelective, RecomputeFull}

// Training holds the parameters of a training step: forward and backward passes of microbatches,
// the sum of their gradients, and one update of the weights.
type Training struct {
	Microbatches int     // of each replica
	Recompute    string  // one of Recomputes
	Schedule     string  // one of Schedules
	Chunks       int     // of the model per stage, of schedule interleaved
	Sequence     bool    // of tensor parallelism, as Tensors.Sequence
	Context      int     // replicas that divide the tokens of the same samples; 1: none
	Experts      int     // replicas that share the experts of mixtures; 1: each has all
	Capacity     float64 // as Experts.Capacity
	// Zero is the ZeRO stage: replicas divide 0 nothing, 1 states of the optimiser, 2 also
	// gradients, which are then reduced in every microbatch, 3 also weights, which are gathered
	// layer by layer before each pass.
	Zero int
	// Bucket is the number of bytes of gradients that are reduced together; 0: all.
	Bucket int64
	Wait   bool // gradients are reduced only after the last pass
	// Early has replicas gather weights at the start of a step, with Zero 1, in buckets and during
	// the first pass: those that the step before has updated.
	Early bool
	// Products is the element type that the products of layers read, if Cast is set; see package
	// recipe. With Gathered their weights are gathered in that type, with Early.
	Products graph.DType
	Cast     bool
	Gathered bool
	// Last has weights that are not gathered as Products reduced and gathered with the last bucket of
	// their chunk, with Gathered; see (*stage).lastBucket.
	Last bool
	// Narrow has operands of gated activations kept for the pass back as Products.
	Narrow bool
	// Fused has a gated activation as one kernel forward and one back, and a norm as one back.
	Fused bool
	// Combined has the pass forward of a microbatch go with the pass back of another, so that exchanges of
	// tokens with experts of one are beside operators of the other.
	Combined  bool
	Optimizer string // one of Optimizers
	Gradients graph.DType
	// Trained names the weights that are trained; nil: all. The others have neither gradients nor
	// states, and each replica has all of them.
	Trained map[string]bool
}

// frozen reports whether a weight is not trained.
func (t *Training) frozen(name string) bool { return t.Trained != nil && !t.Trained[name] }

// A Step holds the graphs of all ranks for one step of training.
type Step struct {
	Grid   Grid
	stages []*stage
}

// Train makes a step of training of a model with the sizes of one microbatch. Stages are whole
// layers if the model numbers its layers. Operators are divided as by Tensor. Each operator has
// its backward operators: a product has one for its operand and one for its weight. Sums of the
// forward pass need none in the backward pass, and vice versa.
//
// The loss is softmax and cross entropy over the last axis of the results, by parts of the
// vocabulary.
//
// Sources: Shoeybi et al., Megatron-LM, arXiv 1909.08053, section 3 (operators f and g);
// Korthikanti et al., arXiv 2205.05198 (sequence, recomputation); Rajbhandari et al., ZeRO,
// arXiv 1910.02054; Li et al., PyTorch Distributed, VLDB 2020 (buckets).
func Train(g *graph.Graph, grid Grid, t Training) (*Step, error) {
	if err := t.check(grid); err != nil {
		return nil, err
	}
	var err error
	if t.Context > 1 { // the group is known with the stage
		if g, err = Context(recipe.Halves(g, t.Context), t.Context, contextGroup); err != nil {
			return nil, err
		}
	}
	if g, err = uncached(g); err != nil {
		return nil, err
	}
	if g, err = withStatistics(g); err != nil {
		return nil, err
	}
	if t.Fused {
		g = recipe.Gates(g)
	}
	if t.Experts > 1 && Mixtures(g) == 0 {
		return nil, &KeyError{"expert", fmt.Errorf("%s: has no mixture of experts to be shared by %d ranks", g.Name, t.Experts)}
	}
	parts := []*graph.Graph{g}
	if n := grid.Pipeline * t.Chunks; n > 1 {
		if parts, err = PipelineOfLayers(g, n); err != nil {
			return nil, err
		}
	}
	s := &Step{Grid: grid}
	for i := range grid.Pipeline {
		x := newStage(g, grid, t, i)
		for c := i; c < len(parts); c += grid.Pipeline {
			if err := x.add(parts[c]); err != nil {
				return nil, err
			}
		}
		s.stages = append(s.stages, x)
	}
	s.tie()
	for _, x := range s.stages {
		if err := x.write(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (t *Training) check(grid Grid) error {
	var errs []error
	if t.Microbatches < 1 {
		errs = append(errs, &KeyError{"microbatches", fmt.Errorf("%d microbatches (want at least 1)", t.Microbatches)})
	}
	if t.Zero < 0 || t.Zero > 3 {
		errs = append(errs, &KeyError{"zero", fmt.Errorf("zero is %d (want 0 to 3)", t.Zero)})
	}
	if t.Zero > 0 && grid.Data < 2 {
		errs = append(errs, &KeyError{"zero", errors.New("zero shares out among replicas, and there is one (data)")})
	}
	if t.Early && t.Zero != 1 {
		errs = append(errs, &KeyError{"gather", fmt.Errorf("is for weights whose states are divided: zero is %d (want 1)", t.Zero)})
	}
	if t.Experts > 1 && grid.Data%t.Experts != 0 {
		errs = append(errs, &KeyError{"expert", fmt.Errorf("experts are shared by %d of %d replicas (want a divisor)", t.Experts, grid.Data)})
	}
	if t.Context > 1 && grid.Data%t.Context != 0 {
		errs = append(errs, &KeyError{"context", fmt.Errorf("tokens are shared by %d of %d replicas (want a divisor)", t.Context, grid.Data)})
	}
	if t.Combined && (t.Experts < 2 || t.Zero > 1 || t.Recompute == RecomputeFull || t.Schedule == GPipe) {
		errs = append(errs, &KeyError{"combined", errors.New("is for experts that replicas share (expert), with zero 0 or 1, without recompute: full and schedule: gpipe")})
	}
	if t.Chunks > 1 && grid.Pipeline < 2 {
		errs = append(errs, &KeyError{"chunks", fmt.Errorf("%d chunks per stage of one stage", t.Chunks)})
	}
	if !slices.Contains(Recomputes, t.Recompute) {
		errs = append(errs, fmt.Errorf("unknown recomputation %q (want one of: %v)", t.Recompute, Recomputes))
	}
	if _, ok := optimizers[t.Optimizer]; !ok {
		errs = append(errs, fmt.Errorf("unknown optimizer %q (want one of: %v)", t.Optimizer, Optimizers))
	}
	_, err := turns(t.Schedule, 0, grid.Pipeline, t.Microbatches, t.Chunks, t.Combined)
	return errors.Join(append(errs, err)...)
}

// Rank returns the graph of one rank, and additional dependencies as pairs of operators, of which
// the first waits for the second.
func (s *Step) Rank(i int) (*graph.Graph, [][2]int32) {
	x := s.stages[s.Grid.of(i).stage]
	return s.Grid.Place(x.out, i), x.before
}

// Representative returns the graph of the first rank of a stage, which stands for all of the stage,
// and additional dependencies as of Rank. Peers of its messages are numbers of stages; Among of a
// message says how far apart their ranks are.
func (s *Step) Representative(stage int) (*graph.Graph, [][2]int32) {
	x := s.stages[stage]
	out := *x.out
	out.Ops = slices.Clone(out.Ops)
	for i := range out.Ops {
		t, ok := out.Ops[i].Kind.(graph.Transfer)
		if ok && (t.Func == "send" || t.Func == "recv") {
			t.Among = s.Grid.stages(min(stage, t.Peer), max(stage, t.Peer))
			out.Ops[i].Kind = t
		}
	}
	return &out, x.before
}

// Held is the peak of bytes of activations that a rank keeps for the backward pass, over its
// layers and the microbatches in flight: the activations that a backward operator reads, or from
// which they are recomputed. Temporary results of the pass in progress are not counted.
func (s *Step) Held(rank int) int64 { return s.stages[s.Grid.of(rank).stage].held }

// Full lists the products that each rank of a stage computes in full.
func (s *Step) Full() (names []string) {
	for _, x := range s.stages {
		for _, c := range x.chunks {
			names = append(names, c.Full...)
		}
	}
	return names
}

// uncached is a model whose keys and values go to attention and to no cache.
func uncached(g *graph.Graph) (*graph.Graph, error) {
	out := *g
	out.Ops, out.Tensors = slices.Clone(g.Ops), slices.Clone(g.Tensors)
	for i := range out.Ops {
		op := &out.Ops[i]
		for _, id := range op.Out {
			if id == graph.None || out.Tensor(id).Role != graph.KV {
				continue
			}
			if k, ok := op.Kind.(graph.Move); !ok || len(op.In) != 1 || k.Elements != out.Tensor(id).Elements() {
				return nil, fmt.Errorf("%s: %s adds to keys and values of earlier steps, which training has none of (want a prefill whose context is its sequence)", g.Name, op.Name)
			}
			out.Tensor(id).Role, out.Tensor(id).DType = graph.Activation, out.Tensor(op.In[0]).DType
			op.Kind = graph.Move{Func: "reshape"}
		}
	}
	for i := range out.Tensors {
		if out.Tensors[i].Role == graph.KV {
			return nil, fmt.Errorf("%s: %s is a cache, which training has none of (want a prefill whose context is its sequence)", g.Name, out.Tensors[i].Name)
		}
	}
	return &out, nil
}
