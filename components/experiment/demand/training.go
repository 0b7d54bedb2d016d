package demand

import (
	"errors"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/parallel"
	"github.com/causeway-sim/causeway/workloads/recipe"
)

// Training is workload.training: a step of training.
type Training struct {
	Microbatches int         `yaml:"microbatches" jsonschema:"minimum=1,maximum=65536" doc:"Of each replica in a step, of workload.batch samples each; their gradients are added up"`
	Recompute    string      `yaml:"recompute" jsonschema:"enum=none,enum=selective,enum=full" doc:"What the backward pass computes again in place of keeping it: selective the scores of attention and what is made of them, full each layer from its input"`
	Bucket       units.Bytes `yaml:"bucket" doc:"Gradients that replicas reduce together, as soon as they are there; 0B: all of them as one, when the last is there"`
	Overlap      bool        `yaml:"overlap" doc:"Buckets are reduced while the backward pass goes on; else when it has ended"`
	Optimizer    string      `yaml:"optimizer" jsonschema:"enum=adam,enum=sgd,enum=none" doc:"What updates the weights: adam has 12 bytes of state for each of them (a copy in fp32 among them), sgd 8"`
	Gradients    DTypes      `yaml:"gradients" doc:"Element type of gradients of weights; left out: that of partial sums"`

	GlobalBatch int    `yaml:"global_batch" jsonschema:"minimum=1" doc:"Samples of all replicas in a step, in place of microbatches"`
	Gather      string `yaml:"gather" jsonschema:"enum=end,enum=begin" doc:"Of zero 1: replicas gather the weights at the end of a step, or at the start of the next one, in buckets during the first pass (begin)"`
	Fuse        bool   `yaml:"fuse" doc:"A gated activation is one kernel forward and one back, and a norm one back (Transformer Engine, Apex); false: operators one by one"`
	Combined    bool   `yaml:"combined" doc:"The pass forward of a microbatch goes with the pass back of the one before, in parts between exchanges of tokens with experts: an exchange of one is beside operators of the other, and one more microbatch is kept"`
	Adapters    int    `yaml:"adapters" jsonschema:"minimum=0,maximum=4096" doc:"Rank of adapters of attention's projections, which alone are trained (LoRA); weights of layers are kept in the type of products; 0: all weights are trained"`
	Eager       bool   `yaml:"eager" doc:"Kernels that PyTorch launches one by one are operators too: copies of split gradients, flat buffers of sharded gradients, each line of the optimiser (recipe.Eager)"`
	Megatron    bool   `yaml:"megatron" doc:"What the distributed optimiser of Megatron-Core does besides (zero: 1): it zeroes a buffer of gradients, reduces and gathers weights that are not of the products' type with the last bucket (recipe.gathered), adds up the norm of gradients and casts weights anew (recipe.Megatron); experts weigh results before their last product (recipe.Weigh)"`
	Clip        bool   `yaml:"clip" doc:"Gradients are scaled by the norm of all (eager or megatron: true)"`
	Metrics     int    `yaml:"metrics" jsonschema:"minimum=0,maximum=16" doc:"Cross entropies that are computed besides the loss, in fp32 (eager: true)"`
	Recipe      Recipe `yaml:"recipe" doc:"Element types of the products of layers"`

	given bool
}

// Recipe is workload.training.recipe.
type Recipe struct {
	Products   DTypes `yaml:"products" doc:"Element type of the operands of all products of layers, forward and back; left out: as they are"`
	Scaling    string `yaml:"scaling" jsonschema:"enum=delayed,enum=current" doc:"Whether scales follow from operands of steps before (delayed, default), or from the operand, which is read once more (current; so does the scale of a tensor in nvfp4, and mxfp8 has none)"`
	Transposes bool   `yaml:"transposes" doc:"Matrix units read operands of the type in one order only: a cast writes two copies (fp8 on sm90); casts to types with blocks of scales always do"`
	Gates      bool   `yaml:"gates" doc:"Operands of gated activations are kept for the pass back in the type of products (fuse: true); the pass forward writes them once more, the pass back reads half as much"`
	Gathered   bool   `yaml:"gathered" doc:"Weights are gathered in the type of products (gather: begin); with megatron: true those of fp8 alone, others in 16 bits"`
}

// On reports whether products have a type of their own.
func (r *Recipe) On(at configs.Value) bool {
	return at.Get("training").Get("recipe").Get("products").Exists()
}

// gathers reports whether weights are gathered in the type of products. Megatron-Core gathers those
// with blocks of scales in 16 bits, and casts them then (reuse_grad_buf_for_mxfp8_param_ag; NVIDIA's
// recipe of nvfp4 in training_results_v5.1 has FP8_PARAM_GATHER=False).
func (s *Training) gathers() bool {
	return s.Recipe.Gathered && !(s.Megatron && s.Recipe.Products.Activation.Blocked())
}

// trainingKeys has the keys of a Training.
type trainingKeys Training

// defaultTraining has, as buckets, the default of PyTorch's DistributedDataParallel,
// bucket_cap_mb.
func defaultTraining() trainingKeys {
	return trainingKeys{Microbatches: 1, Recompute: parallel.RecomputeNone, Bucket: 25 << 20, Overlap: true, Optimizer: "adam"}
}

// ConfigKeys implements schema.Keyed.
func (*Training) ConfigKeys() any { return defaultTraining() }

// UnmarshalConfig implements configs.Unmarshaler.
func (s *Training) UnmarshalConfig(v configs.Value) error {
	p := defaultTraining()
	if err := v.Decode(&p); err != nil {
		return err
	}
	*s = Training(p)
	s.given = true
	var errs configs.Errors
	if s.Microbatches < 1 || s.Microbatches > 1<<16 {
		errs.Add(v.Place("microbatches").Errorf(nil, "is %d (want 1 to 65536)", s.Microbatches))
	}
	if !slices.Contains(parallel.Recomputes, s.Recompute) {
		errs.Add(v.Place("recompute").Errorf(parallel.Recomputes, "unknown recomputation %q", s.Recompute))
	}
	if !slices.Contains(parallel.Optimizers, s.Optimizer) {
		errs.Add(v.Place("optimizer").Errorf(parallel.Optimizers, "unknown optimizer %q", s.Optimizer))
	}
	if v.Get("global_batch").Exists() && v.Get("microbatches").Exists() {
		errs.Add(v.Get("global_batch").Errorf(nil, "there is microbatches: too; one of them must go"))
	}
	r := v.Get("recipe")
	for _, key := range []string{"scaling", "transposes", "gathered", "gates"} {
		if x := r.Get(key); x.Exists() && !r.Get("products").Exists() {
			errs.Add(x.Errorf(nil, "has no effect without products"))
		}
	}
	if x := r.Get("gathered"); s.Recipe.Gathered && s.Gather != "begin" {
		errs.Add(x.Errorf(nil, "has no effect (used by: gather: begin)"))
	}
	if x := r.Get("gates"); s.Recipe.Gates && !s.Fuse {
		errs.Add(x.Errorf(nil, "has no effect (used by: fuse: true)"))
	}
	if x := v.Get("clip"); x.Exists() && !s.Eager && !s.Megatron {
		errs.Add(x.Errorf(nil, "has no effect (used by: eager: true, megatron: true)"))
	}
	if x := v.Get("metrics"); x.Exists() && !s.Eager {
		errs.Add(x.Errorf(nil, "has no effect (used by: eager: true)"))
	}
	if s.Eager && s.Megatron {
		errs.Add(v.Get("megatron").Errorf(nil, "and eager are two kinds of software; one of them must go"))
	}
	for _, one := range []configs.Value{v.Get("gradients"), r.Get("products")} {
		if one.Exists() && one.Kind() == configs.Map {
			errs.Add(one.Errorf(nil, "is one element type"))
		}
	}
	if x := r.Get("products"); x.Exists() && !slices.Contains(recipe.Types, s.Recipe.Products.Activation) {
		errs.Add(x.Errorf(recipe.Names(), "products of a step of training are not of %s", s.Recipe.Products.Activation))
	}
	return errs.Err()
}

// Trains reports whether the workload is a step of training.
func (w *Workload) Trains() bool { return w.Spec.Training.given }

// checkTraining returns errors for keys without effect and for values that a step of training
// cannot have.
func (w *Workload) checkTraining() error {
	var errs configs.Errors
	w.idleParallel(&errs)
	w.checkShares(&errs)
	if !w.Trains() {
		return errs.Err()
	}
	p := &w.Spec.Parallel
	if v := w.At.Get("parallel").Place("schedule"); p.Schedule != "" && p.Schedule != scheduleAuto && !slices.Contains(parallel.Schedules, p.Schedule) {
		errs.Add(v.Errorf(parallel.Schedules, "unknown schedule %q", p.Schedule))
	}
	for _, key := range []string{"frames", "arrivals", "probability", "deadline"} {
		if v := w.At.Get(key); v.Exists() {
			errs.Add(v.Errorf(nil, "has no effect: training is one step"))
		}
	}
	w.idleTraining(&errs)
	if v := w.At.Get("training").Get("gather"); v.Exists() && p.Zero != 1 {
		errs.Add(v.Errorf(nil, "has no effect where zero is %d (used by: zero: 1)", p.Zero))
	}
	if v := w.At.Get("training").Get("megatron"); w.Spec.Training.Megatron && p.Zero != 1 {
		errs.Add(v.Errorf(nil, "is for states that replicas share out: zero is %d (want 1)", p.Zero))
	}
	if v := w.At.Get("training").Get("overlap"); !w.Spec.Training.Overlap && p.Zero >= 2 {
		errs.Add(v.Errorf(nil, "is not built where zero is %d: replicas reduce gradients with each pass back (want zero 0 or 1, or overlap: true)", p.Zero))
	}
	if w.Rows {
		errs.Add(w.At.Get("training").Errorf(nil, "has no effect on a list of operators (used by: models)"))
	}
	if w.Plan != nil {
		errs.Add(w.At.Get("training").Errorf(nil, "is not built for layers that are fused (mapping.fusion)"))
	}
	return errs.Err()
}

// Notes names keys whose values have no effect on this workload, but may have one on another point
// of a sweep.
func (w *Workload) Notes() []string {
	var out []string
	if v := w.At.Get("parallel").Get("sequence"); w.Spec.Parallel.Sequence && w.Spec.Parallel.Grid().Tensor < 2 {
		out = append(out, v.Errorf(nil, "has no effect (used by: tensor, of 2 or more)").Error())
	}
	if v := w.At.Get("training").Get("recompute"); w.Trains() && v.Exists() && w.Spec.Training.Recompute == parallel.RecomputeSelective && w.Attention() == Fused {
		out = append(out, v.Errorf(nil, "selective has no effect: fused attention keeps no scores (used by: attention: unfused)").Error())
	}
	return out
}

// idleParallel reports keys of parallel that have no effect on this workload.
func (w *Workload) idleParallel(errs *configs.Errors) {
	at, p := w.At.Get("parallel"), &w.Spec.Parallel
	for _, k := range []struct {
		key  string
		used bool
		by   string
	}{{"data", w.Trains(), "training"}, {"chips", w.Trains(), "training"}, {"zero", w.Trains(), "training"}, {"schedule", w.Trains() && (p.Pipeline > 1 || p.Schedule == scheduleAuto), "training in stages: training and pipeline"},
		{"chunks", w.Trains() && (p.Schedule == parallel.Interleaved || p.Schedule == scheduleAuto), "schedule: interleaved"},
		{"represented", w.Trains(), "training"}, {"capacity", p.Expert > 1, "expert"}, {"t3", p.T3 == 0 || !w.Trains() && p.Expert <= 1 && p.Context <= 1, "inference without expert or context"},
		{"overlap", p.Overlap == 0 || !w.Trains() && p.Expert <= 1 && p.Context <= 1, "inference without expert or context"}, {"shift", !w.Trains(), "inference"}} {
		if v := at.Get(k.key); v.Exists() && !k.used {
			errs.Add(v.Errorf(nil, "has no effect (used by: %s)", k.by))
		}
	}
}

// checkShares reports experts and tokens that the replicas or the workload cannot share.
func (w *Workload) checkShares(errs *configs.Errors) {
	at, p := w.At.Get("parallel"), &w.Spec.Parallel
	for _, k := range []struct {
		what string
		n    int
	}{{"experts", p.Expert}, {"tokens", p.Context}} {
		if v := at.Get("data"); v.Exists() && w.Trains() && p.Data < k.n {
			errs.Add(v.Errorf(nil, "%s are shared by %d of %d replicas (want data: %d or a multiple)", k.what, k.n, p.Data, k.n))
		}
	}
	for _, key := range []string{"expert", "context"} {
		if v := at.Get(key); v.Exists() && w.Rows {
			errs.Add(v.Errorf(nil, "has no effect on a list of operators (used by: models)"))
		}
	}
	if p.Context > 1 && p.Ring == "" && w.Spec.Attention == Fused && !w.Trains() {
		errs.Add(w.At.Get("attention").Errorf([]string{Unfused}, "chips that share tokens do not see the same of what is masked"))
	}
}

// idleTraining reports keys of a step that have no effect: how replicas reduce gradients where
// there is one, and a schedule over chunks that does not say how many.
func (w *Workload) idleTraining(errs *configs.Errors) {
	p := &w.Spec.Parallel
	for _, key := range []string{"bucket", "overlap"} {
		v := w.At.Get("training").Get(key)
		if key == "overlap" && w.Spec.Training.Overlap {
			continue // the default, which a file with parameters may say for any data
		}
		if v.Exists() && p.Grid().Data < 2 {
			errs.Add(v.Errorf(nil, "has no effect: there is one replica, which reduces no gradients (workload.parallel.data)"))
		}
	}
	if v := w.At.Get("parallel"); p.Schedule == parallel.Interleaved && p.Pipeline > 1 && !v.Get("chunks").Exists() {
		errs.Add(v.Get("schedule").Errorf(nil, "needs chunks: the parts of the model on each stage, 2 or more (of one part it is 1f1b)"))
	}
}

// locateTraining returns the place of the key of an error of a step.
func (w *Workload) locateTraining(err error) error {
	var errs configs.Errors
	for _, e := range configs.Each(err) {
		at := w.At.Get("training")
		var key *parallel.KeyError
		if errors.As(e, &key) {
			if p := w.At.Get("parallel").Get(key.Key); p.Exists() {
				at = p
			} else if k := at.Get(key.Key); k.Exists() {
				at = k
			}
		}
		errs.Add(at.Errorf(nil, "%v", e))
	}
	return errs.Err()
}

// train makes the ranks of a step.
func (w *Workload) train() ([]*Workload, error) {
	s, p := &w.Spec.Training, &w.Spec.Parallel
	micro, err := w.microbatches()
	if err != nil {
		return nil, err
	}
	schedule := p.Schedule
	if schedule == scheduleAuto {
		if schedule = parallel.OneFOneB; p.Chunks > 1 && p.Pipeline > 1 {
			schedule = parallel.Interleaved
		}
	}
	chunks := 1
	if schedule == parallel.Interleaved {
		chunks = max(p.Chunks, 1)
	}
	t := parallel.Training{Early: s.Gather == "begin", Fused: s.Fuse, Combined: s.Combined, Cast: w.casts(), Products: s.Recipe.Products.Activation, Gathered: s.gathers(), Last: s.Megatron && s.gathers(), Narrow: s.Recipe.Gates, Microbatches: micro, Recompute: s.Recompute, Schedule: schedule, Chunks: chunks, Sequence: p.Sequence, Zero: p.Zero, Context: p.Context, Experts: p.Expert, Capacity: p.Capacity,
		Bucket: int64(s.Bucket), Wait: !s.Overlap, Optimizer: s.Optimizer, Gradients: w.Spec.DType.Accumulator}
	if t.Schedule == "" {
		t.Schedule = parallel.OneFOneB
	}
	if w.At.Get("training").Get("gradients").Exists() {
		t.Gradients = s.Gradients.Activation
	}
	g := w.Graph
	if s.Adapters > 0 {
		stored := w.Spec.DType.Weight
		if w.casts() {
			stored = t.Products
		}
		if g, t.Trained, err = recipe.Adapters(g, s.Adapters, stored); err != nil {
			return nil, w.At.Get("training").Place("adapters").Errorf(nil, "%v", err)
		}
	}
	if s.Megatron {
		g = recipe.Weigh(g)
	}
	step, err := parallel.Train(g, p.Grid(), t)
	if err != nil {
		return nil, w.locateTraining(err)
	}
	if p.Represented == RepresentedStages {
		return w.representatives(step), nil
	}
	if p.Grid().Ranks() == 1 {
		r := *w
		r.Graph, r.Before = step.Rank(0)
		r.Activations = step.Held(0)
		r.cast()
		return []*Workload{&r}, nil
	}
	out := make([]*Workload, p.Grid().Ranks())
	for k := range out {
		r := *w
		r.Rank = k
		r.Graph, r.Before = step.Rank(k)
		r.Activations = step.Held(k)
		r.cast()
		r.Spec.Name = fmt.Sprintf("%s.%d", w.Name(), k)
		out[k] = &r
	}
	return out, nil
}

// scheduleAuto is the value of workload.parallel.schedule that leaves the choice to chunks.
const scheduleAuto = "auto"

// microbatches is the number of passes of each replica, and checks chips.
func (w *Workload) microbatches() (int, error) {
	s, p := &w.Spec.Training, &w.Spec.Parallel
	g, at := p.Grid(), w.At
	if n := p.Chips; n > 0 {
		if v := at.Get("parallel"); v.Get("data").Exists() {
			return 0, v.Get("chips").Errorf(nil, "there is data: too; one of them must go")
		} else if g.Ranks() != n {
			return 0, v.Get("chips").Errorf(nil, "%d chips are not shared by replicas of %d each (tensor x pipeline)", n, g.Tensor*g.Pipeline)
		}
	}
	if s.GlobalBatch == 0 {
		return s.Microbatches, nil
	}
	each := g.Data / max(p.Context, 1) * max(w.Spec.Batch, 1)
	if s.GlobalBatch%each != 0 || s.GlobalBatch < each {
		return 0, at.Get("training").Get("global_batch").Errorf(nil, "%d samples are not shared by %d replicas with %d in a microbatch each (want a multiple of %d)", s.GlobalBatch, g.Data/max(p.Context, 1), max(w.Spec.Batch, 1), each)
	}
	return s.GlobalBatch / each, nil
}

// casts reports whether the products of a step read operands of a type of their own.
func (w *Workload) casts() bool {
	r := &w.Spec.Training.Recipe
	return r.On(w.At) && r.Products.Activation != w.Spec.DType.Activation
}

// cast adds the kernels of eager software to a rank, and has its products take the types of the recipe.
func (w *Workload) cast() {
	if t := &w.Spec.Training; t.Eager {
		w.Graph, w.Before = recipe.Eager{Clip: t.Clip, Metrics: t.Metrics}.Apply(w.Graph, w.Before)
	}
	r := &w.Spec.Training.Recipe
	if t := &w.Spec.Training; t.Megatron {
		w.Graph, w.Before = recipe.Megatron{Clip: t.Clip, Cast: t.gathers() && w.casts(), Scaled: t.gathers() && r.Scaling == "current"}.Apply(w.Graph, w.Before)
	}
	if d := r.Products.Activation; w.casts() {
		w.Graph, w.Before = recipe.Apply(w.Graph, w.Before, recipe.Recipe{Products: d, Transposes: r.Transposes || d.Blocked(), Current: r.Scaling == "current" && !d.Blocked() || d == graph.NVFP4, Weights: w.Spec.Training.gathers()})
	}
}

// representatives are the workloads of one rank of each stage.
func (w *Workload) representatives(step *parallel.Step) (out []*Workload) {
	for s := range w.Spec.Parallel.Grid().Pipeline {
		r := *w
		r.Rank = s
		r.Graph, r.Before = step.Representative(s)
		r.cast()
		r.Activations = step.Held(s * w.Spec.Parallel.Grid().Ranks() / w.Spec.Parallel.Grid().Pipeline)
		if w.Spec.Parallel.Grid().Pipeline > 1 {
			r.Spec.Name = fmt.Sprintf("%s.%d", w.Name(), s)
		}
		out = append(out, &r)
	}
	return out
}
