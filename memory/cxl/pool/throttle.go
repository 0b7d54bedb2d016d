package pool

// A Throttle bounds the lines that a host has in flight at one LD.
type Throttle struct {
	most, limit, under int
	answers            int // since the limit was last changed, or confirmed
	worst              Load
}

// NewThrottle allows most lines, at first and at any time.
func NewThrottle(most int) Throttle { return Throttle{most: most, limit: most} }

// Admit reports whether another line may be issued, and counts it if so.
func (p *Throttle) Admit() bool {
	if p.under >= p.limit {
		return false
	}
	p.under++
	return true
}

// GiveUp counts a line that will have no answer.
func (p *Throttle) GiveUp() { p.under-- }

// Answer counts an answer and its load. After as many answers as lines may be in flight, the
// worst load sets the new limit: Light gives a sixteenth more and one, Moderate as much less,
// Severe half; Optimal leaves the limit.
//
// assumption: the specification's model of a host has these directions, the steps are
// ours.
func (p *Throttle) Answer(l Load) {
	p.under--
	p.answers++
	p.worst = max(p.worst, l)
	if p.answers < p.limit {
		return
	}
	step := p.limit/16 + 1
	switch p.worst {
	case Light:
		p.limit += step
	case Moderate:
		p.limit -= step
	case Severe:
		p.limit /= 2
	}
	p.limit = min(max(p.limit, 1), p.most)
	p.answers, p.worst = 0, Light
}
