package system

import (
	"slices"
	"strconv"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/configs"
)

// A NamedPort is one port of a built system.
type NamedPort struct {
	Name string // as in links: "Core[0].mem"
	Node Node
	Spec PortSpec
	Port sim.Port
}

// Ports lists the ports that the text v names in the syntax of links, in canonical order: LLC.top,
// Core.mem for every core, Core[0..3].mem, Net.terminal[2]. The error for an unknown port lists
// the existing ones.
func (s *System) Ports(v Value) ([]NamedPort, error) {
	r, err := parseRef(v.Text())
	if err != nil {
		return nil, v.Errorf(nil, "%s", err)
	}
	nodes, err := s.match(r.nodes, v)
	if err != nil {
		return nil, err
	}
	var out []NamedPort
	var have []string
	for _, n := range nodes {
		for _, d := range n.PortSpecs() {
			have = append(have, n.Name()+"."+d.Name)
			if d.Name != r.port.name {
				continue
			}
			pick := make([]int, len(d.Ports))
			for i := range pick {
				pick[i] = i
			}
			if r.port.some {
				if !d.Array {
					return nil, v.Errorf(nil, "port %s of %s is no array", d.Name, n.Name())
				}
				if pick, err = configs.Indices(r.port.index, len(d.Ports)); err != nil {
					return nil, v.Errorf(nil, "%s: %s", r.port, err)
				}
			}
			for _, i := range pick {
				name := n.Name() + "." + d.Name
				if d.Array {
					name += "[" + strconv.Itoa(i) + "]"
				}
				out = append(out, NamedPort{name, n, d, d.Ports[i]})
			}
		}
	}
	switch {
	case len(out) > 0:
		return out, nil
	case r.port.name == "":
		return nil, unknown(v, v.Text(), have, "%s names no port", v.Text())
	}
	return nil, unknown(v, v.Text(), have, "there is no port %s", v.Text())
}

// match lists the nodes that steps name.
func (s *System) match(steps []refStep, v Value) ([]Node, error) {
	var found []Node
	var have []string
	most := make([]int, len(steps)) // elements of each step's array
	names := map[Node][]refStep{}
	for _, n := range s.nodes {
		have = append(have, n.Name())
		r, err := parseRef(n.Name())
		if err != nil || len(r.nodes) != len(steps) || !slices.EqualFunc(r.nodes, steps, func(a, b refStep) bool { return a.name == b.name }) {
			continue
		}
		found, names[n] = append(found, n), r.nodes
		for i, step := range r.nodes {
			most[i] = max(most[i], step.element()+1)
		}
	}
	if len(found) == 0 {
		return nil, unknown(v, v.Text(), have, "there is no node %s", ref{nodes: steps})
	}
	for i, step := range steps {
		if !step.some {
			continue
		}
		pick, err := configs.Indices(step.index, most[i])
		if err != nil {
			return nil, v.Errorf(nil, "%s: %s", step, err)
		}
		found = slices.DeleteFunc(found, func(n Node) bool { return !slices.Contains(pick, names[n][i].element()) })
	}
	return found, nil
}

// element is the number of a node in its array, 0 without one.
func (s refStep) element() int {
	n, _ := strconv.Atoi(s.index) // of a name that Build made
	return n
}
