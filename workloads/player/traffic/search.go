package traffic

import "math"

// A search bisects the load, several times.
type search struct {
	spec   Search
	lo, hi float64 // of the search that goes on: keeps up, saturates
	load   float64 // of the trial that goes on
	trials int
	found  []float64
	over   bool
}

func (s *search) begin(spec Search) {
	*s = search{spec: spec, found: s.found[:0]}
	s.restart()
}

// restart begins with the full load, which some networks carry.
func (s *search) restart() { s.lo, s.hi, s.load = 0, 1, 1 }

// next is told how the trial ended, and tells whether there is another.
func (s *search) next(saturated bool) bool {
	s.trials++
	if saturated {
		s.hi = s.load
	} else {
		s.lo = s.load
	}
	if s.hi-s.lo > s.spec.Precision {
		s.load = (s.lo + s.hi) / 2
		return true
	}
	s.found = append(s.found, (s.lo+s.hi)/2)
	if len(s.found) == s.spec.Repeats {
		s.over = true
		return false
	}
	s.restart()
	return true
}

// result is the mean and half the width of its interval.
func (s *search) result() (mean, half float64) {
	n := float64(len(s.found))
	for _, x := range s.found {
		mean += x / n
	}
	half = s.spec.Precision / 2
	if len(s.found) > 1 {
		sum := 0.0
		for _, x := range s.found {
			sum += (x - mean) * (x - mean)
		}
		half += student(len(s.found)-1) * math.Sqrt(sum/(n-1)/n)
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
