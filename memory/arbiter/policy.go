package arbiter

// The ports, in the order of precedence.
const (
	first = iota
	later
	ports
)

// A view is what a policy decides by.
type view struct {
	waits [ports]bool
	came  [ports]uint64 // number of the one that waits longest, in the order of arrival
	since [ports]uint64 // cycle in which it came
	now   uint64
	under uint64 // bytes at the memory
	last  int    // port of the request that went on last
}

// A rule selects the port whose request is forwarded, if at least one waits; false: none yet.
type rule interface {
	next(v *view) (port int, ok bool)
}

// rule is that of the policy.
func (c *Comp) rule() rule {
	switch c.spec.Policy {
	case Turns:
		return turns{}
	case First:
		below := uint64(c.spec.Below)
		if below == 0 {
			below = uint64(c.spec.Queue)
		}
		return precedence{below: below, starve: c.starve}
	}
	return arrival{}
}

// only is the port of which alone a request waits.
func (v *view) only() (port int, ok bool) {
	for p := range v.waits {
		if v.waits[p] && !v.waits[ports-1-p] {
			return p, true
		}
	}
	return 0, false
}

type arrival struct{}

func (arrival) next(v *view) (int, bool) {
	if p, ok := v.only(); ok {
		return p, true
	}
	if v.came[later] < v.came[first] {
		return later, true
	}
	return first, true
}

type turns struct{}

func (turns) next(v *view) (int, bool) {
	if p, ok := v.only(); ok {
		return p, true
	}
	return ports - 1 - v.last, true
}

type precedence struct{ below, starve uint64 }

func (r precedence) next(v *view) (int, bool) {
	if v.waits[later] && r.starve > 0 && v.now-v.since[later] >= r.starve {
		return later, true
	}
	if v.waits[first] {
		return first, true
	}
	return later, v.waits[later] && v.under < r.below
}
