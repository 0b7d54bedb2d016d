package system

import "slices"

// choosePorts settles the ports that an entry leaves out: the only one that is
// free and fits the other side.
func (b *build) choosePorts(e *entry) bool {
	x, y := e.sides[0], e.sides[1]
	switch {
	case x.ends == nil && y.ends == nil:
		return b.chooseBoth(e, x, y)
	case x.ends == nil:
		return b.chooseOne(e, x, y)
	default:
		return b.chooseOne(e, y, x)
	}
}

// chooseOne finds the port of open that fits known.
func (b *build) chooseOne(e *entry, open, known *side) bool {
	el, far := open.targets[0], known.ends[0]
	var names []string
	var optional []int
	for i := range el.specs {
		if open.takes(&el.specs[i]) && fits(&el.specs[i], far.def()) && b.free(el, i) > 0 {
			names = append(names, el.specs[i].Name)
			optional = append(optional, options(&el.specs[i]))
		}
	}
	names = needed(names, optional)
	if len(names) != 1 {
		b.errs.Add(b.noChoice(e, el, names, far.String()))
		return false
	}
	return b.settle(e, open, names[0], len(known.ends))
}

// chooseBoth finds the only pair of ports that fit.
func (b *build) chooseBoth(e *entry, x, y *side) bool {
	p, q := x.targets[0], y.targets[0]
	pairs, texts := b.pairs(x, y)
	switch {
	case len(pairs) == 0:
		if p == q {
			b.errs.Add(e.at.Errorf(nil, "%s is linked to itself", p.name))
			return false
		}
		if p.led() && q.led() {
			b.errs.Add(e.at.Errorf(nil, "%s and %s are executors, which have no link between them: results go through a memory or a scratchpad (want both linked to it)", p.name, q.name))
			return false
		}
		b.errs.Add(b.noChoice(e, p, nil, q.name))
		return false
	case len(pairs) > 1:
		b.errs.Add(e.at.Errorf(nil, "several ports of %s and %s fit, so they are to be named (%s)", p.name, q.name, list(texts)))
		return false
	}
	xn, yn := len(x.targets), len(y.targets)
	if x.arrayOf(pairs[0][0]) && y.arrayOf(pairs[0][1]) {
		i, j := p.specOf(pairs[0][0]), q.specOf(pairs[0][1])
		switch xe, ye := p.specs[i].Elastic, q.specs[j].Elastic; {
		case xe && !ye:
			var ok bool
			if yn, ok = b.portion(e, p, q, len(b.unlinked(q, pairs[0][1]))); !ok {
				return false
			}
			return b.settle(e, x, pairs[0][0], yn) && b.settle(e, y, pairs[0][1], yn)
		case ye && !xe:
			var ok bool
			if xn, ok = b.portion(e, q, p, len(b.unlinked(p, pairs[0][0]))); !ok {
				return false
			}
			return b.settle(e, x, pairs[0][0], xn) && b.settle(e, y, pairs[0][1], xn)
		}
		b.errs.Add(e.at.Errorf(nil, "%s and %s are both arrays of ports: name the elements", p.name+"."+pairs[0][0], q.name+"."+pairs[0][1]))
		return false
	}
	return b.settle(e, x, pairs[0][0], yn) && b.settle(e, y, pairs[0][1], xn)
}

// pairs are the names of the ports of both sides that fit each other, with the fewest optional
// ones, and the pairs as text.
func (b *build) pairs(x, y *side) (pairs [][2]string, texts []string) {
	p, q := x.targets[0], y.targets[0]
	var optional []int
	for i := range p.specs {
		for j := range q.specs {
			if x.takes(&p.specs[i]) && y.takes(&q.specs[j]) && fits(&p.specs[i], &q.specs[j]) && b.free(p, i) > 0 && b.free(q, j) > 0 {
				pair := [2]string{p.specs[i].Name, q.specs[j].Name}
				pairs = append(pairs, pair)
				texts = append(texts, pair[0]+" -> "+pair[1])
				optional = append(optional, options(&p.specs[i], &q.specs[j]))
			}
		}
	}
	return needed(pairs, optional), needed(texts, optional)
}

// led reports whether a node is an executor.
func (el *element) led() bool {
	return slices.ContainsFunc(el.specs, func(p PortSpec) bool { return p.Led })
}

// options counts the ports that may stay unlinked.
func options(specs ...*PortSpec) int {
	n := 0
	for _, s := range specs {
		if s.Optional {
			n++
		}
	}
	return n
}

// needed keeps those of a list with the fewest optional ports: of a core's port
// to memory and its port for signals, which nothing needs, a network is meant to
// have the first.
func needed[T any](list []T, optional []int) []T {
	var out []T
	for i, x := range list {
		if optional[i] == slices.Min(optional) {
			out = append(out, x)
		}
	}
	return out
}

// arrayOf reports whether the port called name of a single node is an array, from
// which links take as many as they need.
func (s *side) arrayOf(name string) bool {
	for _, d := range s.targets[0].specs {
		if d.Name == name {
			return d.Array && len(s.targets) == 1
		}
	}
	return false
}

// settle gives an open side the port called name: of each of its nodes, or the
// next n free ones of one node's array.
func (b *build) settle(e *entry, s *side, name string, n int) bool {
	if !s.arrayOf(name) {
		for _, el := range s.targets {
			ends, ok := b.namedPort(el, refStep{name: name}, e.at)
			if !ok {
				return false
			}
			s.ends = append(s.ends, ends...)
		}
		return true
	}
	el := s.targets[0]
	elastic := el.specs[el.specOf(name)].Elastic
	if i := el.specOf(name); elastic {
		have, free := len(el.specs[i].Ports), 0
		for j := range have {
			if len(b.at[endpoint{el, i, j}]) == 0 {
				free++
			}
		}
		if free < n {
			el.grow(name, have+n-free)
		}
	}
	free := b.unlinked(el, name)
	if !elastic { // its ports have no order but that of the other side's
		var ok bool
		if free, ok = b.arranged(e, el, free); !ok {
			return false
		}
	}
	s.ends = append(s.ends, free[:min(n, len(free))]...)
	if len(s.ends) < n {
		b.errs.Add(e.at.Errorf(nil, "%d links need a port each, %s.%s has %d free", n, el.name, name, len(s.ends)))
		return false
	}
	return true
}

// unlinked lists the ports of an array that no link has.
func (b *build) unlinked(el *element, name string) (free []endpoint) {
	for i := range el.specs {
		if el.specs[i].Name != name {
			continue
		}
		for j := range el.specs[i].Ports {
			if p := (endpoint{el, i, j}); len(b.at[p]) == 0 {
				free = append(free, p)
			}
		}
	}
	return free
}

// free counts the ports of a spec that can take one more link.
func (b *build) free(el *element, spec int) int {
	if el.specs[spec].Elastic {
		return maxElastic
	}
	n := 0
	for j := range el.specs[spec].Ports {
		if p := (endpoint{el, spec, j}); p.def().Many || len(b.at[p]) == 0 {
			n++
		}
	}
	return n
}

// noChoice says why there is not exactly one port to choose.
func (b *build) noChoice(e *entry, el *element, fitting []string, far string) error {
	if len(fitting) > 1 {
		return e.at.Errorf(nil, "several ports of %s fit %s, so one is to be named (%s)", el.name, far, list(fitting))
	}
	for i := range el.specs {
		if p := (endpoint{el, i, 0}); len(p.def().Ports) > 0 && len(b.at[p]) > 0 && !p.def().Many {
			return e.at.Errorf(nil, "no free port of %s fits %s: %s is linked at %s", el.name, far, p, b.at[p][0].at.Pos())
		}
	}
	return e.at.Errorf(nil, "no port of %s fits %s (ports: %s)", el.name, far, list(el.portNames()))
}
