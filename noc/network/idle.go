package network

import (
	"fmt"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/noc/topology"
)

// idle finds keys about channels that the topology does not have: global where there
// are no groups, local in a crossbar. Written beside the topology, or given by --set,
// such a key is an error. If the topology was chosen elsewhere, by a --set, an axis
// of a sweep, a file that extends this one or a parameter that one of these sets, the key
// is this file's for other topologies: then it is noted.
func (s *Spec) idle(t topology.Topology) (notes []string, err error) {
	var errs configs.Errors
	for _, x := range []struct {
		key   string
		class topology.Class
	}{{"local", topology.Local}, {"global", topology.Global}} {
		v := s.node.Get(x.key)
		if !v.Exists() || has(t, x.class) {
			continue
		}
		for _, k := range v.Keys() {
			what := fmt.Sprintf("has no effect: topology %s has no %s channels", s.Topology.Name, x.key)
			if at := v.Get(k); at.Pos().File == configs.SetFile || at.Pos().File == s.chosen() {
				errs.Add(at.Errorf(nil, "%s", what))
			} else {
				notes = append(notes, fmt.Sprintf("%s.%s %s", x.key, k, what))
			}
		}
	}
	return notes, errs.Err()
}

// chosen is the file that chooses the topology: that of a parameter that is set elsewhere
// than the topology is written, or that which names it.
func (s *Spec) chosen() string {
	for _, k := range s.Topology.at.Keys() {
		if v := s.Topology.at.Get(k); v.Source().File != v.Pos().File {
			return v.Source().File
		}
	}
	if name := s.Topology.at.Get("name"); name.Exists() {
		return name.Pos().File
	}
	if s.Topology.at.Exists() {
		return s.Topology.at.Pos().File
	}
	return s.node.Pos().File // left out: the default of the node
}

// has reports whether a topology has channels of a class.
func has(t topology.Topology, class topology.Class) bool {
	for r := range t.Routers() {
		for p := range t.Ports(r) {
			if t.Class(r, p) == class {
				return true
			}
		}
	}
	return false
}
