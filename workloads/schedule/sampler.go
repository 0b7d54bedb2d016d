package schedule

import (
	"fmt"
	"math"
	"strings"

	"github.com/causeway-sim/causeway/components/units"
)

// A Sampler decides which of repeating periods are simulated. Periods with the same signature have
// operators of equal kinds and sizes. Two consecutive periods of a signature are warm if their
// times and the bytes of all nodes differ by at most Tolerance, the bytes of each node and the
// evictions of its stores by at most twenty times that, and no store fills up before the end. The
// following periods of the signature are then skipped and take the same time, except the last one,
// which is simulated once per signature to measure the error, and those whose contents a later
// pass reads. A later sequence of the signature is skipped if its first period has the time and
// bytes of the first period of the earlier sequence.
type Sampler struct {
	Tolerance float64
	known     map[uint64]*run
	now       *run // that is going on
	skips     map[uint64]int
	stores    *stores
	whole     bool // another Sampler keeps the stores
	Count     SamplerCount
}

// A Period is a part of a run that was simulated, such as a layer.
type Period struct {
	Signature uint64
	Took      units.Time
	After     int     // equal periods that directly follow
	Rest      float64 // bytes of all periods after those, as a multiple of those of a period
	Again     bool    // the same periods occur again later, in another step
	Difference
	Stores []Store
}

// A Shape describes a period before it begins.
type Shape struct {
	Signature uint64 // equal for those that are alike
	Bytes     uint64 // of all tensors that its operators access
}

// Ahead returns the number of periods that directly follow period k and equal it, and the bytes of
// all later periods as a multiple of its bytes.
func Ahead(all []Shape, k int) (after int, rest float64) {
	for i := k + 1; i < len(all) && all[i].Signature == all[k].Signature; i++ {
		after++
	}
	for _, x := range all[k+1+after:] {
		rest += float64(x.Bytes) / float64(max(all[k].Bytes, 1))
	}
	return after, rest
}

// A Difference is the relative difference of a period from the period that it is compared with.
type Difference struct {
	All  float64 // bytes that all nodes moved
	Node float64 // bytes of a node, or evictions of a store: the greatest difference
}

// SamplerCount counts simulated and skipped periods, with the measured errors.
type SamplerCount struct {
	Simulated, Skipped int
	Waited             int     // simulated periods with warm times but a store that was not warm
	For                string  // such a store
	Differs            float64 // greatest relative difference of time between two warm periods
	Nodes              float64 // the same for bytes, at the node with the greatest difference
	Checked            int     // periods after skipped ones that were simulated as a check
	Error              float64 // greatest relative error of time in those checks
	Moved              float64 // the same for bytes and evictions, at the node with the greatest error
}

// A run is alike periods in a row.
type run struct {
	signature   uint64
	first, last units.Time
	n           int
	warm        bool
	check       bool // the next one tells the error
	checked     bool
	skipped     bool
	grown       []uint64 // by store: entries that a whole step brings to stay
}

// NewSampler makes a sampler with a relative tolerance.
func NewSampler(tolerance float64) *Sampler {
	return &Sampler{Tolerance: tolerance, known: map[uint64]*run{}, skips: map[uint64]int{}, stores: &stores{}}
}

// Whole returns the Sampler for whole steps (Note, Known).
func (s *Sampler) Whole() *Sampler {
	w := NewSampler(s.Tolerance)
	w.stores, w.whole = s.stores, true
	return w
}

// Begin begins a new sequence of periods.
func (s *Sampler) Begin() {
	s.now = nil
	s.stores.begin()
}

// Ended reports the end of a simulated period. It returns how many of the following periods to
// skip; each takes the time Took.
func (s *Sampler) Ended(p Period) (skip int) {
	s.Count.Simulated++
	s.stores.ended(&p)
	r := s.now
	old := s.known[p.Signature]
	switch {
	case r == nil || r.signature != p.Signature:
		r = &run{signature: p.Signature, first: p.Took, last: p.Took, n: 1}
		s.now = r
		if old == nil || !old.warm || !s.alike(differ(old.first, p.Took), p.Difference) {
			break
		}
		s.Count.equal(differ(old.first, p.Took), &p)
		r.warm, r.last, r.checked = true, old.last, old.checked
	case r.check:
		s.check(r, &p)
		return 0
	default:
		d := differ(r.last, p.Took)
		r.warm, r.last, r.n = s.alike(d, p.Difference) || s.stores.unseen(0), p.Took, r.n+1
		if r.warm {
			s.Count.equal(d, &p)
		}
	}
	if !r.warm {
		return 0
	}
	least := 0 // at the end, that are simulated
	if !r.checked {
		least = 1
	}
	wait, store := s.stores.wait(&p, r.n, least)
	wait = min(wait, p.After)
	if more := wait - least; more > 0 && !r.skipped {
		if s.Count.For = store; wait == p.After {
			more = 1 // the next one
		}
		s.Count.Waited += more
	}
	s.known[p.Signature] = r
	if skip = p.After - max(wait, min(least, p.After)); skip > 0 {
		r.check, r.skipped = !r.checked, true
		s.stores.skip(&p, skip)
		s.Count.Skipped += skip
	}
	return skip
}

// alike reports whether two periods that differ so count as equal.
func (s *Sampler) alike(time float64, d Difference) bool {
	return max(time, d.All) <= s.Tolerance && d.Node <= ofNode*s.Tolerance
}

// A sampled run may err by overall times the tolerance in time; a single node may differ by ofNode
// times as much as all together.
//
// assumption: below a cache of 32 MiB with policy dco the bytes of the memory vary by 8 to 16 %
// from layer to layer of a prompt, without a trend.
const overall, ofNode = 3, 20

// equal notes a period that counts as equal to another, whose time differs so.
func (c *SamplerCount) equal(time float64, p *Period) {
	c.Differs, c.Nodes = max(c.Differs, time), max(c.Nodes, p.All, p.Node)
}

// check compares a simulated period with its prediction. If they differ the next sequence of its
// signature is simulated again.
func (s *Sampler) check(r *run, p *Period) {
	d := differ(r.last, p.Took)
	s.Count.Checked++
	s.Count.Error, s.Count.Moved = max(s.Count.Error, d), max(s.Count.Moved, p.All, p.Node)
	r.check, r.checked = false, true
	if !s.alike(d, p.Difference) {
		r.warm, r.last = false, p.Took
	}
}

// Note reports the end of a period outside a sequence: a whole step. Its signature is Known after
// two periods that count as warm.
func (s *Sampler) Note(p Period) {
	s.Count.Simulated++
	grown := s.stores.grown(p.Stores)
	r := s.known[p.Signature]
	if r == nil {
		s.known[p.Signature] = &run{signature: p.Signature, first: p.Took, last: p.Took, n: 1, grown: grown}
		return
	}
	d := differ(r.last, p.Took)
	alike := s.alike(d, p.Difference)
	if r.warm && s.skips[p.Signature] > 0 {
		s.Count.Checked++
		s.Count.Error, s.Count.Moved = max(s.Count.Error, d), max(s.Count.Moved, p.All, p.Node)
	} else if alike {
		s.Count.equal(d, &p)
	}
	r.warm, r.last, r.grown = alike, p.Took, grown
}

// Known returns the time of a period that need not be simulated.
func (s *Sampler) Known(signature uint64) (units.Time, bool) {
	r := s.known[signature]
	if r == nil || !r.warm || !s.stores.take(r.grown) {
		return 0, false
	}
	s.Count.Skipped++
	s.skips[signature]++
	return r.last, true
}

// Fresh reports whether Took is the time of the period that ended last, and not of an earlier
// sequence.
func (s *Sampler) Fresh() bool { return s.now != nil && s.now.n > 1 }

// Took returns the time of each skipped period.
func (s *Sampler) Took() units.Time { return s.now.last }

// differ is the difference of two times as a part of the first.
func differ(a, b units.Time) float64 {
	if a == 0 {
		return math.Inf(1)
	}
	return math.Abs(float64(b)-float64(a)) / float64(a)
}

// TakenAsEqual is a text in SamplerCount.String, and in no other assumption of a run.
const TakenAsEqual = "taken as equal"

// String summarises the counts in a sentence.
func (c SamplerCount) String() string {
	text := fmt.Sprintf("%d simulated and %d "+TakenAsEqual+" (two that count as equal differ by %.2f %% at most, in what a node moved by %.2f %%", c.Simulated, c.Skipped, 100*c.Differs, 100*c.Nodes)
	if c.Checked > 0 {
		text += fmt.Sprintf("; %d of those after them, simulated besides, took up to %.2f %% more or less than said", c.Checked, 100*c.Error)
		text += fmt.Sprintf(", and moved up to %.2f %% more or less at a node", 100*c.Moved)
	}
	if c.Waited > 0 {
		text += fmt.Sprintf("; %d were simulated for the contents of %s", c.Waited, c.For)
	}
	return text + ")"
}

// Doubts returns warnings: periods that were skipped and differ by more than the error that a
// sampled run may have, and stores whose contents would differ.
func (s *Sampler) Doubts() (out []string) {
	c := &s.Count
	var off []string
	for _, x := range []struct {
		text      string
		by, limit float64
	}{{"took up to %.3g %% more or less", c.Error, overall * s.Tolerance}, {"moved up to %.3g %% more or less at a node", c.Moved, ofNode * s.Tolerance}} {
		if x.by > x.limit {
			off = append(off, fmt.Sprintf(x.text+" than said (want at most %g %%)", 100*x.by, 100*x.limit))
		}
	}
	if len(off) > 0 {
		out = append(out, fmt.Sprintf("parts of the run taken as equal are not: one of those after them, simulated besides, %s (simulation.repeat: exact simulates all)", strings.Join(off, " and ")))
	}
	if s.whole {
		return out
	}
	return append(out, s.stores.doubts()...)
}
