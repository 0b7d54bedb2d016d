package demand

import (
	"errors"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/parallel"
)

// checkKeys reports what does not go with chips that share keys and values by tokens (kv).
func (w *Workload) checkKeys() error {
	p, at := &w.Spec.Parallel, w.At.Get("parallel").Get("kv")
	var errs configs.Errors
	switch v := w.At.Get("parallel").Get("hop"); {
	case p.Hop != 0 && p.KV <= 1:
		errs.Add(v.Errorf(nil, "has no effect: no keys and values are shared by tokens (kv)"))
	case p.Hop != 0 && p.Overlap != 0:
		errs.Add(v.Errorf(nil, "has no effect: with overlap attention goes in parts too (want one of hop and overlap)"))
	}
	if p.KV <= 1 {
		return errs.Err()
	}
	if w.Rows {
		errs.Add(at.Errorf(nil, "has no effect on a list of operators (used by: models)"))
	}
	if w.Trains() {
		errs.Add(at.Errorf(nil, "is for decode: training has no caches of keys and values (want context)"))
	}
	for _, key := range []string{"context", "expert"} {
		if n := map[string]int{"context": p.Context, "expert": p.Expert}[key]; n > 1 {
			errs.Add(w.At.Get("parallel").Get(key).Errorf(nil, "is not built for chips that share keys and values (want one of kv and %s)", key))
		}
	}
	if w.Spec.Attention == Unfused {
		errs.Add(w.At.Get("attention").Errorf([]string{Fused}, "leaves no statistics of its rows, by which chips that share keys and values (parallel.kv) merge their parts"))
	}
	return errs.Err()
}

// checkRing reports what does not go with keys and values that go round a ring of chips.
func (w *Workload) checkRing() error {
	p, at := &w.Spec.Parallel, w.At.Get("parallel").Get("ring")
	if p.Ring == "" {
		return nil
	}
	var errs configs.Errors
	if p.Context <= 1 {
		errs.Add(at.Errorf(nil, "has no effect: no tokens are shared (context)"))
	}
	if w.Trains() {
		errs.Add(at.Errorf(nil, "is not built for training, which gathers keys and values (want context alone)"))
	}
	if w.Spec.Attention == Unfused {
		errs.Add(w.At.Get("attention").Errorf([]string{Fused}, "leaves no statistics of its rows, by which the steps of a ring (parallel.ring) are merged"))
	}
	return errs.Err()
}

// LocateCut returns err with the place of its key in the section parallel, at.
func (w *Workload) LocateCut(at configs.Value, err error) error {
	var key *parallel.KeyError
	if errors.As(err, &key) {
		if v := w.At.Get("parallel").Get(key.Key); v.Exists() {
			at = v
		} else {
			at = w.At.Get("parallel")
		}
	}
	return at.Errorf(nil, "%v", err)
}
