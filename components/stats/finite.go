package stats

import (
	"fmt"
	"math"
)

// finite reports whether v is a number that a result can hold. Neither JSON nor a
// comparison of two runs has a place for others.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// NotFinite returns the error for a metric whose value v is infinite or NaN.
func NotFinite(where, name string, v float64) error {
	return fmt.Errorf("%s: %s is %g, which is no value: it is left out", where, name, v)
}

// Finite returns the metrics with a finite value, and an error for each of the others.
func Finite(ms []Metric) ([]Metric, []error) {
	var errs []error
	kept := ms[:0:0]
	for _, m := range ms {
		if finite(m.Value) {
			kept = append(kept, m)
		} else {
			errs = append(errs, NotFinite(m.Where, m.Name, m.Value))
		}
	}
	return kept, errs
}
