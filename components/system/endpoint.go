package system

import (
	"fmt"
	"strings"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/configs"
)

func list(words []string) string { return strings.Join(words, ", ") }

// An endpoint is one port of one node.
type endpoint struct {
	el    *element
	spec  int // index into el.specs
	index int // within the spec's ports
}

func (p endpoint) def() *PortSpec { return &p.el.specs[p.spec] }
func (p endpoint) port() sim.Port { return p.def().Ports[p.index] }
func (p endpoint) String() string { return p.el.name + "." + p.local() }

// local is the port's name within the node: mem, terminal[3].
func (p endpoint) local() string {
	if d := p.def(); d.Array {
		return fmt.Sprintf("%s[%d]", d.Name, p.index)
	} else {
		return d.Name
	}
}

// indexPorts makes find quick: a network has thousands of ports, and every
// requester walks through it.
func (el *element) indexPorts() {
	el.byName = map[string]endpoint{}
	for i := range el.specs {
		for j := range el.specs[i].Ports {
			p := endpoint{el, i, j}
			el.byName[p.local()] = p
		}
	}
}

// find is the endpoint called local on el.
func (el *element) find(local string) (endpoint, bool) {
	p, ok := el.byName[local]
	return p, ok
}

// fits reports whether two ports can be linked.
func fits(a, b *PortSpec) bool {
	if a.Protocol != b.Protocol && a.Protocol != Any && b.Protocol != Any {
		return false
	}
	if a.Led && b.Led {
		return false
	}
	return a.Role == Peers || b.Role == Peers || a.Role != b.Role
}

// A side is one end of a link with its nodes found.
type side struct {
	ref     ref
	text    string
	targets []*element // unless ends is known
	ends    []endpoint // nil while the port is open
	only    string     // name of the elastic array that it has to be; "" for any
}

// takes reports whether the open side may be settled on a port.
func (s *side) takes(p *PortSpec) bool { return s.only == "" || s.only == p.Name }

// side finds the nodes that a ref names, and the ports if it names them. at is
// what messages point at.
func (b *build) side(sc *scope, r ref, at Value) (*side, bool) {
	s := &side{ref: r, text: r.String()}
	if len(r.nodes) > 1 {
		b.errs.Add(at.Errorf(nil, "%s reaches into a group: link to a port that the group exports", s.text))
		return nil, false
	}
	e := sc.names[r.nodes[0].name]
	if e == nil {
		b.errs.Add(unknown(at, r.nodes[0].name, sc.nodeNames(), "no node %q", r.nodes[0].name))
		return nil, false
	}
	pick, ok := b.pick(r.nodes[0], e.counted, e.len(), "node", at)
	if !ok || e.len() == 0 {
		return nil, false
	}
	if len(e.groups) > 0 {
		return s, b.groupSide(s, e, pick, at)
	}
	for _, i := range pick {
		el := e.elements[i]
		if el.node == nil {
			return nil, false // it was complained about
		}
		s.targets = append(s.targets, el)
	}
	if r.port.name == "" {
		return s, true
	}
	if len(s.targets) == 1 && !r.port.some {
		if i := s.targets[0].specOf(r.port.name); i >= 0 && s.targets[0].specs[i].Elastic {
			s.only = r.port.name // as long as the other side needs it
			return s, true
		}
	}
	for _, el := range s.targets {
		ends, ok := b.namedPort(el, r.port, at)
		if !ok {
			return nil, false
		}
		s.ends = append(s.ends, ends...)
	}
	return s, true
}

// namedPort lists the endpoints of el that step names.
func (b *build) namedPort(el *element, step refStep, at Value) ([]endpoint, bool) {
	var have []string
	for i := range el.specs {
		d := &el.specs[i]
		have = append(have, d.Name)
		if d.Name != step.name {
			continue
		}
		pick, ok := b.pick(step, d.Array, len(d.Ports), "port of "+el.name, at)
		if !ok {
			return nil, false
		}
		var out []endpoint
		for _, j := range pick {
			out = append(out, endpoint{el, i, j})
		}
		if len(out) == 0 {
			b.errs.Add(at.Errorf(nil, "%s.%s is an array of no ports", el.name, d.Name))
		}
		return out, len(out) > 0
	}
	b.errs.Add(unknown(at, step.name, have, "%s has no port %q", el.name, step.name))
	return nil, false
}

// groupSide finds the exported port of group instances.
func (b *build) groupSide(s *side, e *entity, pick []int, at Value) bool {
	for _, i := range pick {
		in := e.groups[i]
		step := s.ref.port
		if step.name == "" {
			keys := in.ports.Keys()
			if len(keys) != 1 {
				b.errs.Add(at.Errorf(nil, "%s: the group exports %d ports, so one is to be named (%s)", s.text, len(keys), list(keys)))
				return false
			}
			step.name = keys[0]
		}
		all, ok := b.exported(in, step.name, at)
		if !ok {
			return false
		}
		chosen, ok := b.pick(step, true, len(all), "port of "+in.name, at)
		if !ok {
			return false
		}
		for _, j := range chosen {
			s.ends = append(s.ends, all[j])
		}
	}
	return true
}

// exported lists what a group's port stands for inside.
func (b *build) exported(in *scope, name string, at Value) ([]endpoint, bool) {
	v := in.ports.Get(name)
	if !v.Exists() {
		b.errs.Add(unknown(at, name, in.ports.Keys(), "%s has no port %q", in.name, name))
		return nil, false
	}
	if ends, ok := in.made[name]; ok {
		return ends, len(ends) > 0
	}
	in.made[name] = nil
	text, err := v.String()
	if err != nil {
		b.errs.Add(err)
		return nil, false
	}
	r, err := parseRef(text)
	if err != nil {
		b.errs.Add(v.Errorf(nil, "%s", err))
		return nil, false
	}
	s, ok := b.side(in, r, v)
	if !ok {
		return nil, false
	}
	if s.ends == nil {
		for _, el := range s.targets {
			if len(el.specs) != 1 {
				b.errs.Add(v.Errorf(nil, "%s has %d ports, so one is to be named (%s)", el.name, len(el.specs), list(el.portNames())))
				return nil, false
			}
			ends, ok := b.namedPort(el, refStep{name: el.specs[0].Name}, v)
			if !ok {
				return nil, false
			}
			s.ends = append(s.ends, ends...)
		}
	}
	in.made[name] = s.ends
	return s.ends, true
}

// pick reads the selection after a name: all of n if there is none.
func (b *build) pick(step refStep, array bool, n int, what string, at Value) ([]int, bool) {
	if !step.some {
		out := make([]int, n)
		for i := range out {
			out[i] = i
		}
		return out, true
	}
	if !array {
		b.errs.Add(at.Errorf(nil, "%s: %s %s is no array", step, what, step.name))
		return nil, false
	}
	out, err := configs.Indices(step.index, n)
	if err != nil {
		b.errs.Add(at.Errorf(nil, "%s: %s", step, err))
		return nil, false
	}
	return out, true
}

func (el *element) portNames() []string {
	var out []string
	for _, d := range el.specs {
		out = append(out, d.Name)
	}
	return out
}

func (sc *scope) nodeNames() []string {
	var out []string
	for _, e := range sc.order {
		out = append(out, e.name)
	}
	return out
}

// unknown is a complaint at a value that holds more than the wrong word.
func unknown(at Value, word string, want []string, format string, args ...any) *configs.Error {
	e := at.Errorf(nil, format, args...)
	e.Want, e.Nearest = want, configs.Nearest(word, want)
	return e
}
