package experiment

import (
	"errors"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/parallel"
)

// TrainingSpec is workload.training: a step of training.
type TrainingSpec struct {
	Microbatches int         `yaml:"microbatches" jsonschema:"minimum=1,maximum=65536" doc:"Of each replica in a step, of workload.batch samples each; their gradients are added up"`
	Recompute    string      `yaml:"recompute" jsonschema:"enum=none,enum=selective,enum=full" doc:"What the backward pass computes again in place of keeping it: selective the scores of attention and what is made of them, full each layer from its input"`
	Bucket       units.Bytes `yaml:"bucket" doc:"Gradients that replicas reduce together, as soon as they are there; 0B: all of them as one, when the last is there"`
	Overlap      bool        `yaml:"overlap" doc:"Buckets are reduced while the backward pass goes on; else when it has ended"`
	Optimizer    string      `yaml:"optimizer" jsonschema:"enum=adam,enum=sgd,enum=none" doc:"What updates the weights: adam has 12 bytes of state for each of them (a copy in fp32 among them), sgd 8"`
	Gradients    DTypes      `yaml:"gradients" doc:"Element type of gradients of weights; left out: that of partial sums"`

	given bool
}

// trainingKeys is a TrainingSpec as its keys have it.
type trainingKeys TrainingSpec

// defaultTraining has, as buckets, the default of PyTorch's DistributedDataParallel,
// bucket_cap_mb.
func defaultTraining() trainingKeys {
	return trainingKeys{Microbatches: 1, Recompute: parallel.RecomputeNone, Bucket: 25 << 20, Overlap: true, Optimizer: "adam"}
}

// ConfigKeys implements configs.Keyed.
func (*TrainingSpec) ConfigKeys() any { return defaultTraining() }

// UnmarshalConfig implements configs.Unmarshaler.
func (s *TrainingSpec) UnmarshalConfig(v configs.Value) error {
	p := defaultTraining()
	if err := v.Decode(&p); err != nil {
		return err
	}
	*s = TrainingSpec(p)
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
	if g := v.Get("gradients"); g.Exists() && g.Kind() == configs.Map {
		errs.Add(g.Errorf(nil, "is one element type"))
	}
	return errs.Err()
}

// trains reports whether the workload is a step of training.
func (w *workload) trains() bool { return w.spec.Training.given }

// checkTraining reports keys that have no effect, and what no step of training has.
func (w *workload) checkTraining() error {
	var errs configs.Errors
	at, p := w.at.Get("parallel"), &w.spec.Parallel
	for _, k := range []struct {
		key  string
		used bool
		by   string
	}{{"data", w.trains(), "training"}, {"zero", w.trains(), "training"}, {"schedule", w.trains() && p.Pipeline > 1, "training in stages: training and pipeline"},
		{"chunks", w.trains() && p.Schedule == parallel.Interleaved, "schedule: interleaved"},
		{"capacity", p.Expert > 1, "expert"}, {"t3", p.T3 == 0 || !w.trains() && p.Expert <= 1 && p.Context <= 1, "inference without expert or context"},
		{"overlap", p.Overlap == 0 || !w.trains() && p.Expert <= 1 && p.Context <= 1, "inference without expert or context"}, {"shift", !w.trains(), "inference"}} {
		if v := at.Get(k.key); v.Exists() && !k.used {
			errs.Add(v.Errorf(nil, "has no effect (used by: %s)", k.by))
		}
	}
	for _, k := range []struct {
		what string
		n    int
	}{{"experts", p.Expert}, {"tokens", p.Context}} {
		if v := at.Get("data"); v.Exists() && w.trains() && p.Data < k.n {
			errs.Add(v.Errorf(nil, "%s are shared by %d of %d replicas (want data: %d or a multiple)", k.what, k.n, p.Data, k.n))
		}
	}
	for _, key := range []string{"expert", "context"} {
		if v := at.Get(key); v.Exists() && w.rows {
			errs.Add(v.Errorf(nil, "has no effect on a list of operators (used by: models)"))
		}
	}
	if p.Context > 1 && p.Ring == "" && w.spec.Attention == fused {
		errs.Add(w.at.Get("attention").Errorf([]string{unfused}, "chips that share tokens do not see the same of what is masked"))
	}
	if !w.trains() {
		return errs.Err()
	}
	if v := at.Place("schedule"); p.Schedule != "" && !slices.Contains(parallel.Schedules, p.Schedule) {
		errs.Add(v.Errorf(parallel.Schedules, "unknown schedule %q", p.Schedule))
	}
	for _, key := range []string{"frames", "arrivals", "probability", "deadline"} {
		if v := w.at.Get(key); v.Exists() {
			errs.Add(v.Errorf(nil, "has no effect: training is one step"))
		}
	}
	w.idleTraining(&errs)
	if w.rows {
		errs.Add(w.at.Get("training").Errorf(nil, "has no effect on a list of operators (used by: models)"))
	}
	if w.spec.Attention == fused {
		errs.Add(w.at.Get("attention").Errorf([]string{unfused}, "attention as one operator has no backward one"))
	}
	if w.plan != nil {
		errs.Add(w.at.Get("training").Errorf(nil, "is not built for layers that are fused (mapping.fusion)"))
	}
	return errs.Err()
}

// idleTraining reports keys of a step that have no effect: how replicas reduce gradients where
// there is one, and a schedule over chunks that does not say how many.
func (w *workload) idleTraining(errs *configs.Errors) {
	p := &w.spec.Parallel
	for _, key := range []string{"bucket", "overlap"} {
		v := w.at.Get("training").Get(key)
		if key == "overlap" && w.spec.Training.Overlap {
			continue // the default, which a file with parameters may say for any data
		}
		if v.Exists() && p.grid().Data < 2 {
			errs.Add(v.Errorf(nil, "has no effect: there is one replica, which reduces no gradients (workload.parallel.data)"))
		}
	}
	if v := w.at.Get("parallel"); p.Schedule == parallel.Interleaved && p.Pipeline > 1 && !v.Get("chunks").Exists() {
		errs.Add(v.Get("schedule").Errorf(nil, "needs chunks: the parts of the model on each stage, 2 or more (of one part it is 1f1b)"))
	}
}

// locateTraining says where what is wrong with a step is said.
func (w *workload) locateTraining(err error) error {
	var errs configs.Errors
	for _, e := range configs.Each(err) {
		at := w.at.Get("training")
		var key *parallel.KeyError
		if errors.As(e, &key) {
			if p := w.at.Get("parallel").Get(key.Key); p.Exists() {
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
func (w *workload) train() ([]*workload, error) {
	s, p := &w.spec.Training, &w.spec.Parallel
	t := parallel.Training{Microbatches: s.Microbatches, Recompute: s.Recompute, Schedule: p.Schedule, Chunks: max(p.Chunks, 1), Sequence: p.Sequence, Zero: p.Zero, Context: p.Context, Experts: p.Expert, Capacity: p.Capacity,
		Bucket: int64(s.Bucket), Wait: !s.Overlap, Optimizer: s.Optimizer, Gradients: w.spec.DType.Accumulator}
	if t.Schedule == "" {
		t.Schedule = parallel.OneFOneB
	}
	if w.at.Get("training").Get("gradients").Exists() {
		t.Gradients = s.Gradients.Activation
	}
	step, err := parallel.Train(w.graph, p.grid(), t)
	if err != nil {
		return nil, w.locateTraining(err)
	}
	if p.grid().Ranks() == 1 {
		r := *w
		r.graph, r.before = step.Rank(0)
		r.activations = step.Held(0)
		return []*workload{&r}, nil
	}
	out := make([]*workload, p.grid().Ranks())
	for k := range out {
		r := *w
		r.rank = k
		r.graph, r.before = step.Rank(k)
		r.activations = step.Held(k)
		r.spec.Name = fmt.Sprintf("%s.%d", w.name(), k)
		out[k] = &r
	}
	return out, nil
}
