package schedule

import (
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/components/units"
)

// A Sampler decides which of the periods that repeat are simulated. Periods are alike when
// they have the same signature: operators of equal kinds and sizes. Two alike in a row whose
// times, and what they moved, differ by no more than Tolerance are warm: what comes before
// them no longer matters. The rest of the run of alike periods then takes as long each, but for the last
// one, which is simulated once for each signature and tells the error. A later run of the
// same signature is taken as known if its first period takes what the first of the run
// before took.
type Sampler struct {
	Tolerance float64
	known     map[uint64]*run
	now       *run // that is going on
	skips     map[uint64]int
	Count     SamplerCount
}

// SamplerCount says what was simulated, and how well it stands for the rest.
type SamplerCount struct {
	Simulated, Skipped int
	Differs            float64 // between two that count as warm, at most; as a part of the time
	Checked            int     // periods after skipped ones that were simulated besides
	Error              float64 // of what was said of them, at most; as a part of the time
}

// A run is alike periods in a row.
type run struct {
	signature   uint64
	first, last units.Time
	n           int
	warm        bool
	check       bool // the next one tells the error
	checked     bool
}

// NewSampler takes periods for alike that differ by no more than tolerance of their time.
func NewSampler(tolerance float64) *Sampler {
	return &Sampler{Tolerance: tolerance, known: map[uint64]*run{}, skips: map[uint64]int{}}
}

// Begin says that a new sequence of periods begins.
func (s *Sampler) Begin() { s.now = nil }

// Ended says that a period has taken so long, and how many alike come after it in a row. It
// returns how many of them need not be simulated; each takes what Took says. moved is by how
// much what it moved differs from the period before.
func (s *Sampler) Ended(signature uint64, took units.Time, moved float64, after int) (skip int) {
	s.Count.Simulated++
	r := s.now
	old := s.known[signature]
	switch {
	case r == nil || r.signature != signature:
		r = &run{signature: signature, first: took, last: took, n: 1}
		s.now = r
		if old == nil || !old.warm || differ(old.first, took) > s.Tolerance {
			break
		}
		s.Count.Differs = max(s.Count.Differs, differ(old.first, took))
		r.warm, r.last, r.checked = true, old.last, old.checked
	case r.check:
		s.Count.Checked++
		s.Count.Error = max(s.Count.Error, differ(r.last, took))
		r.check, r.checked = false, true
		return 0
	default:
		d := differ(r.last, took)
		r.warm, r.last, r.n = max(d, moved) <= s.Tolerance, took, r.n+1
		if r.warm {
			s.Count.Differs = max(s.Count.Differs, d)
		}
	}
	if !r.warm {
		return 0
	}
	s.known[signature] = r
	if skip = after; !r.checked && skip > 0 {
		skip, r.check = skip-1, true
	}
	s.Count.Skipped += skip
	return skip
}

// Note says that a period took so long which is no part of a sequence: a whole step. It is
// Known after two alike that count as warm.
func (s *Sampler) Note(signature uint64, took units.Time) {
	s.Count.Simulated++
	r := s.known[signature]
	if r == nil {
		s.known[signature] = &run{signature: signature, first: took, last: took, n: 1}
		return
	}
	d := differ(r.last, took)
	if r.warm && s.skips[signature] > 0 {
		s.Count.Checked++
		s.Count.Error = max(s.Count.Error, d)
	} else if d <= s.Tolerance {
		s.Count.Differs = max(s.Count.Differs, d)
	}
	r.warm, r.last = d <= s.Tolerance, took
}

// Known is the time of a period that need not be simulated.
func (s *Sampler) Known(signature uint64) (units.Time, bool) {
	r := s.known[signature]
	if r == nil || !r.warm {
		return 0, false
	}
	s.Count.Skipped++
	s.skips[signature]++
	return r.last, true
}

// Fresh reports whether the period that ended last stands for those that Took is of: it was
// not the first of a run that is known from before.
func (s *Sampler) Fresh() bool { return s.now != nil && s.now.n > 1 }

// Took is the time that each skipped period takes.
func (s *Sampler) Took() units.Time { return s.now.last }

// differ is the difference of two times as a part of the first.
func differ(a, b units.Time) float64 {
	if a == 0 {
		return math.Inf(1)
	}
	return math.Abs(float64(b)-float64(a)) / float64(a)
}

// String says what was simulated.
func (c SamplerCount) String() string {
	text := fmt.Sprintf("%d simulated and %d taken as equal (two that count as equal differ by %.2f %% at most", c.Simulated, c.Skipped, 100*c.Differs)
	if c.Checked > 0 {
		text += fmt.Sprintf("; %d of those after them, simulated besides, took up to %.2f %% more or less than said", c.Checked, 100*c.Error)
	}
	return text + ")"
}
