package system

import (
	"slices"
)

// A PortRequester is a node with an elastic array that needs a certain number of ports of a shared array:
// ranks take one terminal each.
type PortRequester interface {
	Node
	// PortsNeeded returns the number of ports, 0 for all free ones, and the order in which the node takes
	// them; "" is the order of their numbers.
	PortsNeeded() (ports int, placement string)
}

// elastic is the node of an open entry that has an elastic array, and the node at the other end;
// nil if there is none.
func (e *entry) elastic() (el, far *element) {
	for i, s := range e.sides {
		o := e.sides[1-i]
		if s.ends != nil || o.ends != nil || len(s.targets) != 1 || len(o.targets) != 1 {
			continue
		}
		if slices.ContainsFunc(s.targets[0].specs, func(p PortSpec) bool { return p.Elastic && s.takes(&p) }) {
			return s.targets[0], o.targets[0]
		}
	}
	return nil, nil
}

// want is the number of ports and the placement that an element's node requires of a shared array.
func (el *element) want() (n int, placement string) {
	if w, ok := el.node.(PortRequester); ok {
		return w.PortsNeeded()
	}
	return 0, ""
}

// lastElastic moves entries of elastic arrays to the end, first those that need a number of ports.
// It notes arrays that several nodes share.
func (b *build) lastElastic(open []*entry) []*entry {
	order := func(e *entry) int {
		el, _ := e.elastic()
		if el == nil {
			return 0
		}
		if n, _ := el.want(); n > 0 {
			return 1
		}
		return 2
	}
	b.rivals = map[*element][]*element{}
	for _, e := range open {
		if el, far := e.elastic(); el != nil {
			b.rivals[far] = append(b.rivals[far], el)
		}
	}
	out := slices.Clone(open)
	slices.SortStableFunc(out, func(x, y *entry) int { return order(x) - order(y) })
	return out
}

// portion is the number of free ports of an array that an elastic node takes: all, or the number
// that it needs if others take some as well.
func (b *build) portion(e *entry, el, far *element, free int) (int, bool) {
	all := b.rivals[far]
	if len(all) < 2 {
		return free, free > 0 || b.none(e, el, far)
	}
	n, placement := el.want()
	if n == 0 {
		for _, other := range all {
			if k, _ := other.want(); other != el && k == 0 {
				b.errs.Add(e.at.Errorf(nil, "%s and %s both take all ports of %s that are free (want them named, as in %s -> %s.%s[0..3])", el.name, other.name, far.name, el.name, far.name, far.arrayName()))
				return 0, false
			}
		}
		return free, free > 0 || b.none(e, el, far)
	}
	if n > free {
		b.errs.Add(e.at.Errorf(nil, "%s wants %d ports of %s, and %d are free", el.name, n, far.name, free))
		return 0, false
	}
	if e.attr.Placement == "" {
		e.attr.Placement = placement
	}
	return n, true
}

// none reports an array that others have taken all of.
func (b *build) none(e *entry, el, far *element) bool {
	b.errs.Add(e.at.Errorf(nil, "%s has no port left for %s: all have links", far.name, el.name))
	return false
}

// arrayName is the array of an element, for examples.
func (el *element) arrayName() string {
	for _, s := range el.specs {
		if s.Array {
			return s.Name
		}
	}
	return "port"
}
