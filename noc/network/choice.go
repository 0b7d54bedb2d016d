package network

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A Topology is the value of the key topology: the name of an entry of topology.All with its
// parameters.
type Topology struct {
	Name string
	Spec any // of the entry
	at   configs.Value
	made topology.Topology
}

// String is the name.
func (t Topology) String() string { return t.Name }

// UnmarshalConfig implements configs.Unmarshaler. It also makes the topology, so that errors are
// at the places of parameters.
func (t *Topology) UnmarshalConfig(v configs.Value) error {
	n, err := named.Read(v, "topology", topology.All)
	if err != nil {
		return err
	}
	*t = Topology{n.Name, n.Spec, v, nil}
	if _, ok := names(n.Spec); ok {
		return nil // see Resolve
	}
	if t.made, err = topology.New(n.Name, n.Spec); err != nil {
		return Blame(v, err)
	}
	return nil
}

// Unsaid reports whether a configuration was read that leaves out a parameter.
func (t Topology) Unsaid(key string) bool { return t.at.Exists() && !t.at.Get(key).Exists() }

// Change makes the topology with other parameters.
func (t *Topology) Change(spec any) error {
	made, err := topology.New(t.Name, spec)
	if err != nil {
		return Blame(t.at, err)
	}
	t.Spec, t.made = spec, made
	return nil
}

// Make returns the topology; without a configuration it has the defaults of the name.
func (t Topology) Make() (topology.Topology, error) {
	if t.made != nil {
		return t.made, nil
	}
	return topology.New(t.Name, t.Spec)
}

// A Routing is the value of the key routing: the name of an entry of routing.All with its
// parameters.
type Routing struct {
	Name string // "" for the first of min, dor, nca and up_down that goes with the topology
	Spec any    // of the entry
	at   configs.Value
}

// String is the name.
func (r Routing) String() string { return r.Name }

// UnmarshalConfig implements configs.Unmarshaler.
func (r *Routing) UnmarshalConfig(v configs.Value) error {
	n, err := named.Read(v, "routing algorithm", routing.All)
	if err != nil {
		return err
	}
	*r = Routing{n.Name, n.Spec, v}
	return nil
}

// Default reads the parameters again with other defaults.
func (r *Routing) Default(def any) error {
	spec, err := r.at.Parameters(def)
	if err != nil {
		return err
	}
	r.Spec = spec
	return nil
}

// Make returns the algorithm for a topology. Errors are at the place of the key.
func (r Routing) Make(t topology.Topology) (routing.Algorithm, error) {
	if r.Name != "" {
		a, err := routing.New(r.Name, t, r.Spec)
		if err != nil && r.at.Exists() {
			err = Blame(r.at, err)
		}
		return a, err
	}
	var a routing.Algorithm
	var err error
	for _, name := range []string{"min", "dor", "nca", "up_down"} {
		if a, err = routing.New(name, t, nil); err == nil {
			return a, nil
		}
	}
	return nil, err
}

// Blame returns err at the place of the key that it names, as in "p is 0" or "flow \"x\"", in v,
// or else at v.
func Blame(v configs.Value, err error) error {
	if configs.PosOf(err) != (configs.Pos{}) {
		return err
	}
	text := " " + err.Error()
	for _, k := range v.Keys() {
		for _, form := range []string{" %s is ", " %s \"", " %s ["} {
			if strings.Contains(text, fmt.Sprintf(form, k)) {
				return v.Get(k).Errorf(nil, "%s", err)
			}
		}
	}
	return v.Errorf(nil, "%s", err)
}

func init() {
	schema.RegisterFunc[Topology](func() schema.Schema { return named.Schema("a topology", topology.All) })
	schema.RegisterFunc[Routing](func() schema.Schema { return named.Schema("a routing algorithm", routing.All) })
}
