package network

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A Failure names channels between routers that are broken, in both directions:
// that of a port, or all between two routers.
type Failure struct {
	Router int  `yaml:"router" jsonschema:"minimum=0" doc:"Router at one end"`
	Port   *int `yaml:"port" jsonschema:"minimum=0" doc:"Its port, terminals counted first"`
	To     *int `yaml:"to" jsonschema:"minimum=0" doc:"In place of a port: the router at the other end; all channels between the two"`
}

// Resolve finds the files that topology and routing of the node v name; file is
// that of a system.Env. Who makes a Spec without a configuration gives paths and
// does not call it.
func (s *Spec) Resolve(v configs.Value, file func(configs.Value) (string, error)) error {
	s.node = v
	var errs configs.Errors
	spec, err := resolve(s.Topology.Spec, s.Topology.at, file)
	errs.Add(err)
	if err == nil && s.Topology.at.Exists() && s.Topology.made == nil {
		s.Topology.Spec = spec
		if s.Topology.made, err = topology.New(s.Topology.Name, spec); err != nil {
			errs.Add(Blame(s.Topology.at, err))
		}
	}
	s.Routing.Spec, err = resolve(s.Routing.Spec, s.Routing.at, file)
	errs.Add(err)
	return errs.Err()
}

// names reports whether a spec has the key file, and that is set.
func names(spec any) (field reflect.Value, ok bool) {
	v := reflect.Indirect(reflect.ValueOf(spec))
	if v.Kind() != reflect.Struct {
		return v, false
	}
	f := v.FieldByName("File")
	return f, f.IsValid() && f.Kind() == reflect.String && f.String() != ""
}

// resolve is a copy of a spec with the path of its file.
func resolve(spec any, at configs.Value, file func(configs.Value) (string, error)) (any, error) {
	if _, ok := names(spec); !ok || file == nil || !at.Get("file").Exists() {
		return spec, nil
	}
	path, err := file(at.Get("file"))
	if err != nil {
		return spec, err
	}
	p := reflect.New(reflect.Indirect(reflect.ValueOf(spec)).Type())
	p.Elem().Set(reflect.Indirect(reflect.ValueOf(spec)))
	p.Elem().FieldByName("File").SetString(path)
	return p.Elem().Interface(), nil
}

// Plan is the topology without what has failed, and the routing on it.
func (s *Spec) Plan() (topology.Topology, routing.Algorithm, error) {
	t, err := s.Topology.Make()
	if err != nil {
		return nil, nil, err
	}
	if _, err := s.idle(t); err != nil {
		return nil, nil, err
	}
	if len(s.Failed) == 0 {
		a, err := s.Routing.Make(t)
		return t, a, err
	}
	if t, err = s.fail(t, s.node.Get("failed")); err != nil {
		return nil, nil, err
	}
	if s.Routing.Name == "" {
		s.Routing.Name = around[0]
	}
	a, err := s.Routing.Make(t)
	var cut *routing.UnreachableError
	switch {
	case errors.As(err, &cut):
		err = located(s.node.Get("failed"), nil, "no channel is left to router %d", cut.Router)
	case err != nil && !slices.Contains(around, s.Routing.Name):
		err = located(s.Routing.at, around, "routing algorithm %s does not find ways around failed channels", s.Routing.Name)
	}
	return t, a, err
}

// around are the algorithms that know any network, the default first.
var around = []string{"up_down", "shortest", "table"}

func located(v configs.Value, want []string, format string, args ...any) error {
	if v.Exists() {
		return v.Errorf(want, format, args...)
	}
	if want != nil {
		format += " (want one of: " + strings.Join(want, ", ") + ")"
	}
	return fmt.Errorf("network: "+format, args...)
}

// fail takes the failed channels out of a topology.
func (s *Spec) fail(t topology.Topology, v configs.Value) (topology.Topology, error) {
	var errs configs.Errors
	var broken [][2]int
	seen := map[[2]int]int{}
	items := v.Items()
	for i, f := range s.Failed {
		at := configs.Value{}
		if i < len(items) {
			at = items[i]
		}
		bad := func(format string, args ...any) { errs.Add(located(at, nil, format, args...)) }
		var ports []int
		switch {
		case (f.Port == nil) == (f.To == nil):
			bad("a failed channel needs either port, or to: the router at the other end")
			continue
		case f.Router < 0 || f.Router >= t.Routers():
			bad("router is %d (want 0 to %d)", f.Router, t.Routers()-1)
			continue
		case f.To != nil:
			if *f.To < 0 || *f.To >= t.Routers() {
				bad("to is %d (want 0 to %d)", *f.To, t.Routers()-1)
				continue
			}
			if ports = topology.Between(t, f.Router, *f.To); ports == nil {
				bad("no channel joins routers %d and %d", f.Router, *f.To)
				continue
			}
		case *f.Port < 0 || *f.Port >= t.Ports(f.Router):
			bad("port is %d (want 0 to %d)", *f.Port, t.Ports(f.Router)-1)
			continue
		default:
			if c := t.Class(f.Router, *f.Port); c != topology.Local && c != topology.Global {
				bad("port %d of router %d is no channel to another router, but %s", *f.Port, f.Router, c)
				continue
			}
			ports = []int{*f.Port}
		}
		for _, p := range ports {
			end := [2]int{f.Router, p}
			r, q, _ := t.Peer(f.Router, p)
			if first, twice := seen[end]; twice {
				bad("the channel of router %d port %d failed already, in entry %d", f.Router, p, first+1)
				continue
			}
			seen[end], seen[[2]int{r, q}] = i, i
			broken = append(broken, end)
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return topology.Without(t, broken)
}
