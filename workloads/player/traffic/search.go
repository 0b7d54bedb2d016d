package traffic

import (
	"cmp"
	"math"
)

// A search bisects the load, several times.
type search struct {
	spec     Search
	most     float64 // the greatest load that the process can offer
	lo, hi   float64 // of the search that goes on: keeps up, saturates
	accepted float64 // at hi
	load     float64 // of the trial that goes on
	trials   int
	found    []float64
	accepts  []float64 // what is accepted where a search saturates
	carried  int       // searches that did not saturate at all
	over     bool
}

func (s *search) begin(spec Search, most float64) {
	*s = search{spec: spec, most: most, found: s.found[:0], accepts: s.accepts[:0]}
	s.restart()
}

// restart begins with the greatest load, which some networks carry.
func (s *search) restart() { s.lo, s.hi, s.load = 0, s.most, s.most }

// next records the outcome of a trial with its accepted load, and reports whether there is another
// trial.
func (s *search) next(saturated bool, accepted float64) bool {
	s.trials++
	if saturated {
		s.hi, s.accepted = s.load, accepted
	} else {
		s.lo = s.load
	}
	if s.lo == s.most {
		s.carried++
		s.accepted = accepted
	}
	if s.hi-s.lo > s.width() {
		s.load = (s.lo + s.hi) / 2
		return true
	}
	s.found = append(s.found, (s.lo+s.hi)/2)
	s.accepts = append(s.accepts, s.accepted)
	if len(s.found) == s.spec.Repeats {
		s.over = true
		return false
	}
	s.restart()
	return true
}

// width is that of the interval that ends a search.
func (s *search) width() float64 { return cmp.Or(s.spec.Precision, s.hi/50) }

// result is the mean and half the width of its interval.
func (s *search) result() (mean, half float64) {
	mean, half = interval(s.found)
	return mean, half + cmp.Or(s.spec.Precision, mean/50)/2
}

// low is the lower end of the interval. A trial that misses its load by less than is significant
// has not saturated, so the end is never above the accepted load.
func (s *search) low() float64 {
	mean, half := s.result()
	least, wide := interval(s.accepts)
	return max(0, min(mean-half, least-wide))
}

// interval is a mean and half the width of its 95 % interval.
func interval(list []float64) (mean, half float64) {
	n := float64(len(list))
	for _, x := range list {
		mean += x / n
	}
	if len(list) > 1 {
		sum := 0.0
		for _, x := range list {
			sum += (x - mean) * (x - mean)
		}
		half = student(len(list)-1) * math.Sqrt(sum/(n-1)/n)
	}
	return mean, half
}

// student is the 0.975 quantile of Student's t distribution, for the 95 %
// interval of a mean.
func student(freedom int) float64 {
	table := []float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
		2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
		2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042}
	if freedom <= len(table) {
		return table[freedom-1]
	}
	return 2.042 // of 30: errs on the wide side
}
