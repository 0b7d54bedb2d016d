package placement

import (
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/components/registry"
)

// A Balancing is the spec of colloid.
type Balancing struct {
	EWMA    float64 `yaml:"ewma" jsonschema:"minimum=0,maximum=1" doc:"Weight of an interval in the smoothed occupancy and rate; 1 does not smooth"`
	Delta   float64 `yaml:"delta" jsonschema:"minimum=0,maximum=1" doc:"Difference of latencies, over that of the lower tier, that counts as balanced"`
	Epsilon float64 `yaml:"epsilon" jsonschema:"minimum=0,maximum=1" doc:"Width of the bracket of shares below which it is opened again"`
	Limit   bool    `yaml:"dynamic_limit" doc:"Move no more bytes per interval than the accesses that are to be shifted have"`
	Cool    uint32  `yaml:"cool" jsonschema:"minimum=2" doc:"Accesses to one page that halve the counts of all"`
}

// DefaultBalancing has delta and epsilon of the published artifact, and an EWMA of
// 1/32.
func DefaultBalancing() Balancing {
	return Balancing{EWMA: 1.0 / 32, Delta: 0.05, Epsilon: 0.01, Limit: true, Cool: 18}
}

// A smoothed is the load of a tier.
type smoothed struct{ occupancy, reads, bytes float64 }

// A bracket holds the share at which two tiers balance.
type bracket struct {
	lo, hi float64
	open   bool // it has been used
}

// aim narrows the bracket around share p, which is too small or too large, and
// returns the step to its middle.
func (b *bracket) aim(p, epsilon float64, small bool) float64 {
	if !b.open {
		*b = bracket{0, 1, true}
	}
	if small {
		b.lo = p
		if b.hi <= b.lo {
			b.hi = 1
		}
	} else {
		b.hi = p
		if b.lo >= b.hi {
			b.lo = 0
		}
	}
	if b.hi-b.lo < epsilon {
		if small {
			b.hi = 1
		} else {
			b.lo = 0
		}
	}
	return math.Abs((b.lo+b.hi)/2 - p)
}

type colloid struct {
	s        Balancing
	tiers    []smoothed
	brackets []bracket // by pair
	from, to ranking
	owed     float64 // bytes that the limit left over
}

// First implements Policy: the default tier, as long as it has room.
func (p *colloid) First(*View, int) int { return 0 }

// smooth takes in an interval.
func (p *colloid) smooth(v *View) {
	if p.tiers == nil {
		p.tiers = make([]smoothed, len(v.Tiers))
		p.brackets = make([]bracket, len(v.Tiers)*len(v.Tiers))
	}
	for i := range p.tiers {
		t, x := &v.Tiers[i], &p.tiers[i]
		x.occupancy += p.s.EWMA * (t.Occupancy - x.occupancy)
		x.reads += p.s.EWMA * (float64(t.Reads)/float64(v.Cycles) - x.reads)
		x.bytes += p.s.EWMA * (float64(t.Bytes) - x.bytes)
	}
}

// latency of a tier by Little's law; where there are hardly any reads it is that
// of an idle tier.
func (p *colloid) latency(v *View, t int) float64 {
	x := &p.tiers[t]
	all := 0.0
	for i := range p.tiers {
		all += p.tiers[i].reads
	}
	if x.reads <= all/1e4 {
		return v.Tiers[t].Idle
	}
	return x.occupancy / x.reads
}

// pair is the slowest and the fastest tier.
func (p *colloid) pair(v *View) (slow, fast int, slowest, fastest float64) {
	slowest, fastest = p.latency(v, 0), p.latency(v, 0)
	for t := 1; t < len(v.Tiers); t++ {
		switch l := p.latency(v, t); {
		case l > slowest:
			slow, slowest = t, l
		case l < fastest:
			fast, fastest = t, l
		}
	}
	return slow, fast, slowest, fastest
}

// Plan implements Policy.
func (p *colloid) Plan(v *View, out []Move) []Move {
	p.smooth(v)
	out = p.shift(v, out)
	cool(v.Pages, p.s.Cool)
	return out
}

func (p *colloid) shift(v *View, out []Move) []Move {
	slow, fast, slowest, fastest := p.pair(v)
	a, b := min(slow, fast), max(slow, fast)
	base := slowest
	if fast == a {
		base = fastest
	}
	reads := p.tiers[a].reads + p.tiers[b].reads
	if a == b || reads == 0 || slowest-fastest < p.s.Delta*base {
		p.owed = 0
		return out
	}
	step := p.brackets[a*len(v.Tiers)+b].aim(p.tiers[a].reads/reads, p.s.Epsilon, fast == a)
	budget := v.Budget
	if p.s.Limit {
		// whole pages only: what is left over is for the next interval
		p.owed += step * (p.tiers[a].bytes + p.tiers[b].bytes)
		budget = min(budget, p.owed/float64(v.PageBytes))
	}
	before := len(out)
	out = p.choose(v, slow, fast, step, budget, out)
	for _, m := range out[before:] {
		p.owed -= m.Cost() * float64(v.PageBytes)
	}
	p.owed = max(0, min(p.owed, v.Budget*float64(v.PageBytes)))
	return out
}

// choose appends moves from the slow to the fast tier of pages whose shares of the accesses, less
// those of pages moved back, add up to at most step. The hottest page that fits goes first,
// against the coldest.
func (p *colloid) choose(v *View, slow, fast int, step, budget float64, out []Move) []Move {
	total := 0.0
	for i := range v.Pages {
		if x := &v.Pages[i]; int(x.Tier) == slow || int(x.Tier) == fast {
			total += float64(x.Count)
		}
	}
	if total == 0 {
		return out
	}
	cold := p.to.of(v.Pages, fast, false)
	room := v.Tiers[fast].free()
	left := step * total // accesses to be shifted
	for _, page := range p.from.of(v.Pages, slow, true) {
		m := Move{Page: page, With: None, To: int8(fast)}
		gain := v.Pages[page].Count
		if gain == 0 {
			break
		}
		if room == 0 {
			if len(cold) == 0 || !hotter(gain, v.Pages[cold[0]].Count) {
				break
			}
			m.With = cold[0]
			gain -= v.Pages[cold[0]].Count
		}
		if float64(gain) > left {
			continue
		}
		if m.Cost() > budget {
			break
		}
		budget -= m.Cost()
		left -= float64(gain)
		if m.With == None {
			room--
		} else {
			cold = cold[1:]
		}
		out = append(out, m)
	}
	return out
}

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "colloid",
		Doc:    "Balances the loaded latencies of the tiers, measured by Little's law.",
		Source: "Vuppalapati and Agarwal, Tiered Memory Management: Access Latency is the Key!, SOSP 2024, sections 3 and 4",
		Spec:   DefaultBalancing(),
		New: func(spec any) (Policy, error) {
			s, err := registry.SpecOf(spec, DefaultBalancing())
			if err == nil && (!(s.EWMA > 0 && s.EWMA <= 1) || !(s.Delta >= 0 && s.Delta <= 1) || !(s.Epsilon >= 0 && s.Epsilon <= 1) || s.Cool < 2) {
				err = fmt.Errorf("ewma is %g, delta %g, epsilon %g and cool %d (want above 0 to 1, 0 to 1, 0 to 1, and 2 or more)", s.EWMA, s.Delta, s.Epsilon, s.Cool)
			}
			return &colloid{s: s}, err
		},
	})
}
