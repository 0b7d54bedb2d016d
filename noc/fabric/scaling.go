package fabric

import (
	"slices"
	"time"

	"github.com/causeway-sim/causeway/components/crew"
)

// scaling measures what the parts of a network cost, window by window, and what is done
// between them, so that it is known what more cores would give. It changes no result.
type scaling struct {
	parts  [][]time.Duration // of each part, in each window
	rest   []time.Duration   // between and around them
	end    time.Time         // of the window before
	window []time.Duration   // scratch
}

const (
	mostWindows  = 4096 // that are kept
	firstWindows = 5    // that fill caches and buffers, and do not count
	// meeting is what workers take to start and to wait for each other.
	meeting = 20 * time.Microsecond // assumption: goroutines that sleep; those that spin take 1
)

// Scale implements network.Scaler.
func (n *Network) Scale() { n.scaling = &scaling{parts: make([][]time.Duration, len(n.parts))} }

// run simulates the parts one after the other.
func (s *scaling) run(parts []*part, from, to int64, offered bool) {
	start := time.Now()
	at := start
	s.window = s.window[:0]
	for _, p := range parts {
		p.run(from, to, offered)
		now := time.Now()
		s.window = append(s.window, now.Sub(at))
		at = now
	}
	if !s.end.IsZero() && len(s.rest) < mostWindows && to-from == parts[0].n.window {
		s.rest = append(s.rest, start.Sub(s.end))
		for i, d := range s.window {
			s.parts[i] = append(s.parts[i], d)
		}
	}
	s.end = at
}

// Estimate implements network.Scaler.
func (n *Network) Estimate(cores []int) (times []float64, windows, parts int) {
	s := n.scaling
	if s == nil || len(s.rest) <= 2*firstWindows || len(s.parts) < 2 {
		return nil, 0, 0
	}
	var each []time.Duration
	sum := time.Duration(0)
	for _, list := range s.parts {
		each = append(each, middle(list[firstWindows:]))
		sum += each[len(each)-1]
	}
	rest := middle(s.rest[firstWindows:])
	for _, c := range cores {
		times = append(times, float64(sum+rest)/float64(crew.Longest(each, c)+rest+meeting))
	}
	return times, len(s.rest) - firstWindows, len(each)
}

// middle is the median.
func middle(list []time.Duration) time.Duration {
	list = slices.Clone(list)
	slices.Sort(list)
	return list[len(list)/2]
}
