package traffic

import (
	"math"
	"math/rand/v2"
)

// A Bernoulli source sends in every cycle with equal probability. The zero value never sends.
type Bernoulli struct {
	scale  float64 // 1/log(1-p)
	always bool
	gaps   *gaps
}

// gaps are the gaps of draws by their first bits, where those decide: the logarithm of a
// number takes longer than all the rest of a draw. Where they do not, it is 0.
type gaps [1 << gapBits]int32

const gapBits = 10

// find fills the table. The gap of a draw is 1 more than the whole part of a monotonic
// function; where that is the same for both ends of a range, and neither is so close to
// the next that the logarithm's error could matter, it is that of all between.
func (g *gaps) find(scale float64) {
	const width, margin = 1. / (1 << gapBits), 1e-6
	for i := range g {
		lo := math.Log1p(-float64(i)*width) * scale
		hi := math.Log1p(-float64(i+1)*width) * scale // +Inf of the last
		if k := math.Floor(lo - margin); k >= 0 && k < 1<<30 && k == math.Floor(hi+margin) {
			g[i] = int32(k) + 1
		}
	}
	if hi := math.Log1p(-width) * scale; hi+margin < 1 {
		g[0] = 1 // from a draw of exactly 0 on
	}
}

// NewBernoulli returns the source that sends with probability p per cycle. p is
// clamped to 0..1.
func NewBernoulli(p float64) Bernoulli {
	if p <= 0 || math.IsNaN(p) {
		return Bernoulli{}
	}
	b := Bernoulli{scale: 1 / math.Log1p(-p), always: p >= 1}
	if p >= leastTable && !b.always {
		b.gaps = new(gaps)
		b.gaps.find(b.scale)
	}
	return b
}

// leastTable is the probability below which most draws would look into the table in vain.
const leastTable = 1. / 64

// Never is the gap of a source that does not send.
const Never = math.MaxInt64

// Gap draws the cycles from one packet to the next, at least 1, from a geometric distribution.
func (b Bernoulli) Gap(rng *rand.Rand) int64 {
	switch {
	case b.always:
		return 1
	case b.scale == 0:
		return Never
	}
	u := rng.Float64()
	if b.gaps != nil {
		if g := b.gaps[int(u*(1<<gapBits))&(1<<gapBits-1)]; g > 0 {
			return int64(g)
		}
	}
	g := math.Log(1-u) * b.scale // 1-U is in (0, 1]
	if g >= Never/2 {
		return Never
	}
	return 1 + int64(g)
}

// An OnOff source is a Markov chain of two states: when on it sends with probability Peak per
// cycle, when off it does not. Each cycle starts with a change from off with probability Alpha,
// or from on with probability Beta (Dally and Towles, section 24.2).
type OnOff struct{ alpha, beta, peak Bernoulli }

// NewOnOff returns the source with a mean of rate packets per cycle. It is on for the share
// alpha/(alpha+beta) of the time; ok is false if it then had to send more than one packet per
// cycle.
func NewOnOff(rate, alpha, beta float64) (o OnOff, ok bool) {
	peak := rate * (alpha + beta) / alpha
	return OnOff{NewBernoulli(alpha), NewBernoulli(beta), NewBernoulli(peak)}, peak <= 1
}

// A Phase is the state of an OnOff source between two packets. The zero value is off.
type Phase struct {
	on   bool
	left int64 // cycles until the state changes, 0: not drawn
}

// Gap draws the cycles from one packet to the next.
func (o OnOff) Gap(p *Phase, rng *rand.Rand) int64 {
	var gap int64
	for {
		if p.left == 0 {
			if p.on {
				p.left = o.beta.Gap(rng)
			} else {
				p.left = o.alpha.Gap(rng)
			}
		}
		if !p.on {
			if p.left == Never {
				return Never
			}
			gap += p.left
			p.on, p.left = true, 0
			continue
		}
		next := o.peak.Gap(rng)
		if next == Never {
			return Never
		}
		if next <= p.left {
			p.left -= next
			if p.left == 0 {
				p.on = false
			}
			return gap + next
		}
		gap += p.left
		p.on, p.left = false, 0
	}
}
