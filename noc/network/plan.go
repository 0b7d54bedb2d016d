package network

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A Failure names channels between routers that have failed, in both directions: that of a port,
// or all between two routers.
type Failure struct {
	Router int  `yaml:"router" jsonschema:"minimum=0" doc:"Router at one end"`
	Port   *int `yaml:"port" jsonschema:"minimum=0" doc:"Its port, terminals counted first"`
	To     *int `yaml:"to" jsonschema:"minimum=0" doc:"In place of a port: the router at the other end; all channels between the two"`
	// At and Until are for a channel that fails during the run.
	At    *units.Latency `yaml:"at" doc:"When the channel fails; left out: it has failed before the run. Fidelities flow and packet: what it carries then, and what waits for it, goes on whole from the router before it another way; what no way is left for waits. Fidelity flit: packets that it carries are lost as a whole, see timeout; others go around"`
	Until *units.Latency `yaml:"until" doc:"When it is up again; left out: never"`
}

// Resolve finds the files that topology and routing of the node v name; file is that of a
// system.Env. It is for configurations; a Spec made in Go has paths.
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

// Plan returns the topology without failed channels, and the routing on it.
func (s *Spec) Plan() (topology.Topology, routing.Algorithm, error) {
	t, err := s.Topology.Make()
	if err != nil {
		return nil, nil, err
	}
	if _, err := s.idle(t); err != nil {
		return nil, nil, err
	}
	if !slices.ContainsFunc(s.Failed, func(f Failure) bool { return f.At == nil }) {
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

// fail takes the channels out of a topology that have failed before the run.
func (s *Spec) fail(t topology.Topology, v configs.Value) (topology.Topology, error) {
	var errs configs.Errors
	var broken [][2]int
	seen := map[[2]int]int{}
	s.gone = nil
	items := v.Items()
	for i, f := range s.Failed {
		if f.At != nil {
			continue // see Outages
		}
		at := configs.Value{}
		if i < len(items) {
			at = items[i]
		}
		ports, err := f.ports(t, at)
		errs.Add(err)
		for _, p := range ports {
			end := [2]int{f.Router, p}
			r, q, _ := t.Peer(f.Router, p)
			if first, twice := seen[end]; twice {
				errs.Add(located(at, nil, "the channel of router %d port %d failed already, by failed[%d]", f.Router, p, first))
				continue
			}
			seen[end], seen[[2]int{r, q}] = i, i
			s.gone = append(s.gone, failedChannel{end, [2]int{r, q}, i})
			broken = append(broken, end)
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return topology.Without(t, broken)
}

// ports are the ports of its router that a failure names; at is where it stands.
func (f *Failure) ports(t topology.Topology, at configs.Value) ([]int, error) {
	bad := func(format string, args ...any) ([]int, error) { return nil, located(at, nil, format, args...) }
	switch {
	case (f.Port == nil) == (f.To == nil):
		return bad("a failed channel needs either port, or to: the router at the other end")
	case f.Router < 0 || f.Router >= t.Routers():
		return bad("router is %d (want 0 to %d)", f.Router, t.Routers()-1)
	case f.To != nil:
		if *f.To < 0 || *f.To >= t.Routers() {
			return bad("to is %d (want 0 to %d)", *f.To, t.Routers()-1)
		}
		ports := topology.Between(t, f.Router, *f.To)
		if ports == nil {
			return bad("no channel joins routers %d and %d", f.Router, *f.To)
		}
		return ports, nil
	case *f.Port < 0 || *f.Port >= t.Ports(f.Router):
		return bad("port is %d (want 0 to %d)", *f.Port, t.Ports(f.Router)-1)
	}
	if c := t.Class(f.Router, *f.Port); c != topology.Local && c != topology.Global {
		return bad("port %d of router %d is no channel to another router, but %s", *f.Port, f.Router, c)
	}
	return []int{*f.Port}, nil
}
