package link

import "github.com/causeway-sim/causeway/memory/cxl/flit"

// creditTimes is when the credits of a class were spent last, each in turn. Times are only written
// while messages leave: an old one would have to be waited for.
type creditTimes struct {
	at    []int64
	next  int   // to be spent again, once all have been
	first int64 // sum of the times at which each was spent first
}

// note has a credit of a class be spent.
func (l *Link) note(h *half, c flit.Class, t int64) {
	s := &h.spent[c]
	if len(s.at) < l.cfg.Credits[c] {
		s.at = append(s.at, t)
		s.first += t
		return
	}
	h.count.Respent[c]++
	s.at[s.next] = t
	if s.next++; s.next == len(s.at) {
		s.next = 0
	}
}

// RoundTrip returns the ps from spending a credit to spending it again, summed over
// Counters.Respent.
func (l *Link) RoundTrip(d flit.Direction, c flit.Class) uint64 {
	s := &l.half[d].spent[c]
	sum := -s.first
	for _, t := range s.at {
		sum += t
	}
	return uint64(sum)
}
