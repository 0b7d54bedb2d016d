package traffic

import (
	"math/rand/v2"

	"github.com/causeway-sim/causeway/noc/traffic"
)

// process is when a terminal creates packets.
type process struct {
	coin  traffic.Bernoulli
	onoff traffic.OnOff
	chain bool // onoff
	row   float64
}

// process returns the process for a load in flits per cycle; ok is false if the load is too high.
func (s *Spec) process(load float64) (p process, ok bool) {
	rate := load / float64(s.Packet)
	if s.Process.Length > 1 {
		p.row = 1 / s.Process.Length // chance that a packet is the last of its row
	}
	if s.Process.Name != "on_off" {
		p.coin = traffic.NewBernoulli(rate)
		return p, true
	}
	p.chain = true
	p.onoff, ok = traffic.NewOnOff(rate, s.Process.Alpha, s.Process.Beta)
	return p, ok || load == 0
}

// most is the greatest load that the process can offer: one packet per cycle while
// on.
func (s *Spec) most() float64 {
	if s.Process.Name != "on_off" || s.Process.Alpha == 0 {
		return 1
	}
	return min(1, float64(s.Packet)*s.Process.Alpha/(s.Process.Alpha+s.Process.Beta))
}

// scatter is the variance of the flits that a terminal creates in many cycles over
// their mean. Of a chain of two states it is that of their lasting, beside that of
// the coin.
func (s *Spec) scatter(load float64) float64 {
	v := float64(s.Packet)
	if s.Process.Name == "on_off" && s.most() > 0 {
		sum := s.Process.Alpha + s.Process.Beta
		on := s.Process.Alpha / sum
		peak := load / float64(s.Packet) / on
		v *= 1 - peak + peak*(1-on)*(2-sum)/sum
	}
	return v
}

// sources draw the packets of all terminals, each from its own generator.
type sources struct {
	pattern traffic.Pattern
	process process
	due     []int64 // cycle of the next packet
	phase   []traffic.Phase
	row     []int32 // destination of the row that is going on, none between two
	pcg     []rand.PCG
	rng     []*rand.Rand
}

const none = -1

func newSources(n int) *sources {
	s := &sources{
		due: make([]int64, n), phase: make([]traffic.Phase, n), row: make([]int32, n),
		pcg: make([]rand.PCG, n), rng: make([]*rand.Rand, n),
	}
	for t := range s.rng {
		s.rng[t] = rand.New(&s.pcg[t])
	}
	return s
}

// begin starts all sources anew in a cycle.
func (s *sources) begin(now int64, seed uint64) {
	for t := range s.due {
		s.pcg[t].Seed(seed, uint64(t)|0x736f7572<<32)
		s.phase[t], s.row[t] = traffic.Phase{}, none
		s.due[t] = s.later(now-1, t)
	}
}

// change makes packets that are not due yet follow another process.
func (s *sources) change(now int64) {
	for t, due := range s.due {
		if due >= now {
			s.phase[t], s.row[t] = traffic.Phase{}, none
			s.due[t] = s.later(now-1, t)
		}
	}
}

func (s *sources) later(from int64, t int) int64 {
	var gap int64
	if s.process.chain {
		gap = s.process.onoff.Gap(&s.phase[t], s.rng[t])
	} else {
		gap = s.process.coin.Gap(s.rng[t])
	}
	if gap == traffic.Never {
		return traffic.Never
	}
	return from + gap
}

// skip gives up the packet that is due.
func (s *sources) skip(t int, now int64) { s.due[t] = s.later(now, t) }

// next draws the destination of the packet that is due, and when the following
// one is.
func (s *sources) next(t int) (dst int) {
	s.due[t] = s.later(s.due[t], t)
	if s.process.row == 0 {
		return s.pattern.Dst(t, s.rng[t])
	}
	if dst = int(s.row[t]); dst == none {
		dst = s.pattern.Dst(t, s.rng[t])
		s.row[t] = int32(dst)
	}
	if s.rng[t].Float64() < s.process.row {
		s.row[t] = none
	}
	return dst
}
