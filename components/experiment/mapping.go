package experiment

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// mapped returns the nodes that map their own loop nest.
func (a *assembly) mapped() (out []system.Mapped) {
	for _, n := range a.nodes() {
		if m, ok := n.(system.Mapped); ok {
			out = append(out, m)
		}
	}
	return out
}

// namesOf returns the names of nodes that map their own nests.
func namesOf(nodes []system.Mapped) (out []string) {
	for _, n := range nodes {
		out = append(out, n.Name())
	}
	return out
}

// Mapping returns the mapping of every matrix layer, as a configuration for the key extends: with
// it, a run is the same. A loop nest is written in the given form; "" is the form of its input.
func (x *Experiment) Mapping(form string) ([]byte, error) {
	a := x.built
	if a == nil {
		var err error
		if a, err = x.assemble(); err != nil {
			return nil, err
		}
		x.built = a
	}
	if nodes := a.mapped(); len(nodes) == 1 && len(a.Loads) == 0 {
		return nodes[0].Mapping(form)
	} else if len(nodes) > 0 {
		return nil, fmt.Errorf("a mapping is of one node or of one workload; these map nests of their own: %s", strings.Join(namesOf(nodes), ", "))
	}
	if form != "" {
		return nil, fmt.Errorf("the mapping of a workload has one form; %q is of loop nests (kind spatial)", form)
	}
	if i := slices.IndexFunc(a.Jobs, func(j *plan.Job) bool { return j.Scheduler != nil }); i >= 0 {
		return nil, fmt.Errorf("a mapping is of nodes that share a workload, and %s gives each operator to one: map the workload for one node alone", a.Jobs[i].Node.Name())
	}
	if len(a.Loads) != 1 {
		return nil, fmt.Errorf("a mapping is of one workload, and there are %d: name them in configurations of their own", len(a.Loads))
	}
	var programs []mapping.Program
	for _, s := range a.shares {
		programs = append(programs, s.Program)
	}
	if !slices.ContainsFunc(programs, func(p mapping.Program) bool {
		return slices.ContainsFunc(p.Jobs, func(j mapping.Job) bool { return j.Plan != nil })
	}) {
		return nil, fmt.Errorf("no node of this system maps layers onto an array")
	}
	if n := len(a.shares); n > 1 && len(a.nestedLayers()) > 0 {
		return nil, fmt.Errorf("%d nodes share the workload, some of which map it as loop nests: map it for one node alone", n)
	}
	b, err := yaml.Marshal(struct {
		Schema  string         `yaml:"schema"`
		Nodes   []nestedLayers `yaml:"nodes,omitempty"`
		Mapping mapping.Spec   `yaml:"mapping"`
	}{configs.Version, a.nestedLayers(), x.mapping.Chosen(a.Loads[0].Graph, programs)})
	if err != nil {
		return nil, err
	}
	return append([]byte("# The mapping of each layer, in the form that a configuration accepts:\n#   extends: [THE_CONFIGURATION.yaml, THIS_FILE.yaml]\n"), b...), nil
}

// nestedLayers are the mappings of a node that maps products as loop nests, as its key
// layers takes them.
type nestedLayers struct {
	Name   string        `yaml:"name"`
	Layers []nestedLayer `yaml:"layers"`
}

type nestedLayer struct {
	Match   string    `yaml:"match"`
	Mapping yaml.Node `yaml:"mapping"`
}

func (a *assembly) nestedLayers() (out []nestedLayers) {
	for _, s := range a.shares {
		n := nestedLayers{Name: a.Workers[s.Worker].Name()}
		for _, j := range s.Program.Jobs {
			if j.Plan == nil || j.Plan.Own() == nil || j.Plan.Own().Text == "" {
				continue
			}
			l := struct {
				Mapping yaml.Node `yaml:"mapping"`
			}{}
			if err := yaml.Unmarshal([]byte(j.Plan.Own().Text), &l); err != nil {
				panic("experiment: a mapping does not read back: " + err.Error())
			}
			n.Layers = append(n.Layers, nestedLayer{a.Loads[s.Load].Graph.Ops[j.Op].Name, l.Mapping})
		}
		if n.Layers != nil {
			out = append(out, n)
		}
	}
	return out
}
