package experiment

import (
	"errors"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/parallel"
)

// checkKeys reports what does not go with chips that share keys and values by tokens (kv).
func (w *workload) checkKeys() error {
	p, at := &w.spec.Parallel, w.at.Get("parallel").Get("kv")
	if p.KV <= 1 {
		return nil
	}
	var errs configs.Errors
	if w.rows {
		errs.Add(at.Errorf(nil, "has no effect on a list of operators (used by: models)"))
	}
	if w.trains() {
		errs.Add(at.Errorf(nil, "is for decode: training has no caches of keys and values (want context)"))
	}
	for _, key := range []string{"context", "expert"} {
		if n := map[string]int{"context": p.Context, "expert": p.Expert}[key]; n > 1 {
			errs.Add(w.at.Get("parallel").Get(key).Errorf(nil, "is not built for chips that share keys and values (want one of kv and %s)", key))
		}
	}
	if v := w.at.Get("requests"); v.Exists() {
		errs.Add(at.Errorf(nil, "is not built for a server, whose batches are prompts too (want tensor)"))
	}
	if w.spec.Attention == unfused {
		errs.Add(w.at.Get("attention").Errorf([]string{fused}, "leaves no statistics of its rows, by which chips that share keys and values (parallel.kv) merge their parts"))
	}
	return errs.Err()
}

// locateCut says which key of the parallelism, at, an error is about.
func (w *workload) locateCut(at configs.Value, err error) error {
	var key *parallel.KeyError
	if errors.As(err, &key) {
		if v := w.at.Get("parallel").Get(key.Key); v.Exists() {
			at = v
		} else {
			at = w.at.Get("parallel")
		}
	}
	return at.Errorf(nil, "%v", err)
}
