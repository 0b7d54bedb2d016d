package measure

import (
	"math/rand/v2"

	"github.com/causeway-sim/causeway/noc/fabric"
	"github.com/causeway-sim/causeway/noc/traffic"
)

// A Load is synthetic traffic: every terminal creates packets by itself.
type Load struct {
	Pattern traffic.Pattern
	Rate    float64 // flits per terminal and cycle
	Flits   int     // per packet; 0 is 1
	Seed    uint64
}

// sources creates the packets of a load. A terminal's next packet is drawn only
// when its queue is empty, with the cycle that it was due in: an overloaded
// terminal needs no memory, and its packets have waited as long as in an endless
// queue.
type sources struct {
	n    *fabric.Network
	load Load
	coin traffic.Bernoulli
	due  []int64 // cycle of the next packet of a terminal
	pcg  []rand.PCG
	rng  []*rand.Rand
}

func newSources(n *fabric.Network, load Load) *sources {
	load.Flits = max(load.Flits, 1)
	s := &sources{n: n, load: load, coin: traffic.NewBernoulli(load.Rate / float64(load.Flits))}
	s.due = make([]int64, n.Terminals())
	s.pcg = make([]rand.PCG, n.Terminals())
	s.rng = make([]*rand.Rand, n.Terminals())
	for t := range s.due {
		s.pcg[t].Seed(load.Seed, uint64(t)|0x736f7572<<32)
		s.rng[t] = rand.New(&s.pcg[t])
		s.due[t] = s.later(n.Now()-1, t)
	}
	return s
}

func (s *sources) later(from int64, t int) int64 {
	gap := s.coin.Gap(s.rng[t])
	if gap == traffic.Never {
		return traffic.Never
	}
	return from + gap
}

// fill gives every terminal with an empty queue the packet that is due. Those
// that were due before cycle end are recorded; it returns their number.
func (s *sources) fill(end int64) (recorded int64) {
	now := s.n.Now()
	for t, due := range s.due {
		if due > now || s.n.Queued(t) {
			continue
		}
		s.due[t] = s.later(due, t)
		if dst := s.load.Pattern.Dst(t, s.rng[t]); dst != traffic.Silent {
			s.n.SendDue(t, dst, s.load.Flits, due < end, due)
			if due < end {
				recorded++
			}
		}
	}
	return recorded
}
