package shift

// Stored operands that do not fit on the chip are loaded from a memory outside while
// operators before them are carried out. Loading ahead takes memory, and so do fast plans.

// A Loading divides a core's memory between loading ahead and execution.
type Loading uint8

// The values of Loading.
const (
	Basic   Loading = iota // an operand is loaded when the operator before it has ended
	Static                 // half of the memory is for what is loaded, half for the rest
	Dynamic                // as plans leave room; plans are chosen for the time of the whole
)

// Loadings lists the names of the Loading values, in order.
var Loadings = []string{"basic", "static", "dynamic"}

// fetch is the time of loading the window of B: each element once from outside, at that
// many B/s per core, and each copy over the core's link.
func (c *Choice) fetch(m *Machine, outside float64) float64 {
	if !c.Stored {
		return 0
	}
	_, b := c.Windows()
	return max(float64(c.spread(m))/outside, float64(b)/m.Link)
}

// Stream returns the plans of products whose stored operands are loaded from an outside memory of
// that many B/s per core. The error is a *TooLarge.
func Stream(q []Product, m *Machine, outside float64, how Loading) ([]Choice, error) {
	r := *m
	if how == Static {
		r.Memory /= 2
	}
	out, plans := make([]Choice, len(q)), make([][]Plan, len(q))
	for i := range q {
		room := r
		if how == Static {
			room.Memory = m.Memory // bounded by halves below
		}
		for _, p := range Plans(q[i], &room, func(p *Plan) float64 { return p.time(m, p.Stored) - p.Time(m) }) {
			if _, b := p.Windows(); how != Static || p.Stored && b <= r.Memory && p.Working(m) <= r.Memory || !p.Stored && p.Memory(m) <= r.Memory {
				plans[i] = append(plans[i], p)
			}
		}
		if len(plans[i]) == 0 {
			return nil, &TooLarge{q[i].Name, r.Memory}
		}
		out[i] = choice(plans[i][len(plans[i])-1], m)
	}
	// A smaller plan leaves memory for loading ahead and may be faster in total: each operator in
	// turn takes the plan that is best for the whole, until none changes.
	least := order(out, m, r.Memory, outside, how)
	for changed := how == Dynamic; changed; {
		changed = false
		for i := range q {
			for _, p := range plans[i] {
				was := out[i]
				out[i] = choice(p, m)
				if t := order(out, m, r.Memory, outside, how); t < least*(1-1e-9) {
					least, changed = t, true
				} else {
					out[i] = was
				}
			}
		}
	}
	order(out, m, r.Memory, outside, how)
	return out, nil
}

func choice(p Plan, m *Machine) Choice {
	return Choice{Plan: p, Kept: p.Stored, Setup: p.setup(m, p.Stored), After: -1}
}

// order sets what each loading waits for, and returns about when the last operator ends.
// Loading and exchange share the links: an exchange gets what loading leaves on average.
func order(c []Choice, m *Machine, memory int64, outside float64, how Loading) float64 {
	shared := *m
	if how != Basic {
		shared.Link *= 1 - min(0.9, busy(c, m, outside))
	}
	ends := make([]float64, len(c))
	var loaded, ended float64
	first := 0 // the oldest operator whose operand may lie on the chip
	for i := range c {
		if c[i].Stored {
			if how == Basic {
				first = i
			}
			for first < i && held(c, first, i, m, how) > memory {
				first++
			}
			c[i].After = first - 1
			if first > 0 {
				loaded = max(loaded, ends[first-1])
			}
			loaded += c[i].fetch(m, outside)
			ended = max(ended, loaded)
		}
		ended += c[i].time(&shared, c[i].Stored)
		ends[i] = ended
	}
	return ended
}

// busy is the share of the links' time that loading takes while it goes on.
func busy(c []Choice, m *Machine, outside float64) float64 {
	var bytes, time float64
	for i := range c {
		if c[i].Stored {
			_, b := c[i].Windows()
			bytes += float64(b) / m.Link
			time += c[i].fetch(m, outside)
		}
	}
	if time == 0 {
		return 0
	}
	return bytes / time
}

// held returns the peak bytes of a core from operator first until the operand of operator last is
// loaded: all operands between, and the largest working memory of the operators before it, which
// Static reserves apart.
func held(c []Choice, first, last int, m *Machine, how Loading) int64 {
	var windows, most int64
	for i := first; i <= last; i++ {
		_, b := c[i].Windows()
		if c[i].Stored {
			windows += b
			b = 0
		}
		if how != Static {
			most = max(most, c[i].Working(m)+b)
		}
	}
	return windows + most
}
