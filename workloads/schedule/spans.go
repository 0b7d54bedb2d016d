package schedule

import (
	"slices"

	"github.com/causeway-sim/causeway/components/units"
)

// spans are times in which a team had an operator under way, ascending and apart. Members
// begin with the next operator while others still have the last one, so that what operators
// take from their first begin to their last end does not add up.
type spans []span

type span struct{ begin, end units.Time }

// add adds an interval and returns by how much the union of all intervals grows. Overlapping
// intervals may come in any order.
func (s *spans) add(begin, end units.Time) (more units.Time) {
	to := len(*s)
	for to > 0 && (*s)[to-1].begin > end {
		to--
	}
	x, from, had := span{begin, end}, to, units.Time(0)
	for from > 0 && (*s)[from-1].end >= begin {
		from--
		y := (*s)[from]
		x, had = span{min(x.begin, y.begin), max(x.end, y.end)}, had+y.end-y.begin
	}
	*s = slices.Replace(*s, from, to, x)
	return x.end - x.begin - had
}

// under adds a time in which an operator of the executor was under way.
func (x *Executor) under(begin, end units.Time) {
	if !x.Team {
		x.Busy += end - begin
		return
	}
	x.Busy += x.spans.add(begin, end)
	if len(x.Queue) == 0 { // what comes later begins later
		x.spans = x.spans[:0]
	}
}
