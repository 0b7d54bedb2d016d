package offload

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/registry"
)

// A Program is a sequence of phases, which run one after the other.
type Program []Phase

// A Phase is one kernel: device tasks, their results, and the host tasks that consume them.
// Gather consecutive device tasks form a group, whose results Split host tasks consume together.
type Phase struct {
	Name     string `yaml:"name" jsonschema:"required" doc:"Name of the phase, in layers.csv"`
	Repeat   int    `yaml:"repeat" jsonschema:"minimum=0,maximum=1000000" doc:"How often the kernel is launched, one after the other; 0 is once"`
	Argument uint64 `yaml:"argument" jsonschema:"maximum=1000000000000" doc:"Bytes that the host stores to the device before it launches"`
	Before   Work   `yaml:"before" doc:"Work of the host ahead of each launch"`
	Tasks    int    `yaml:"tasks" jsonschema:"required,minimum=1,maximum=10000000" doc:"Tasks of the device"`
	Task     Cost   `yaml:"task" doc:"What each device task costs"`
	Result   uint64 `yaml:"result" jsonschema:"required,minimum=1,maximum=1000000000" doc:"Bytes that each device task leaves"`
	Gather   int    `yaml:"gather" jsonschema:"minimum=0,maximum=10000000" doc:"Device tasks of a group, whose results are consumed together; 0 is one"`
	Split    int    `yaml:"split" jsonschema:"minimum=0,maximum=1000000" doc:"Host tasks that work on the results of a group; 0 is one"`
	Host     Cost   `yaml:"host" doc:"What each host task costs"`
	Width    int    `yaml:"width" jsonschema:"minimum=0,maximum=1000000" doc:"Host tasks that may run at once; 0 is one per unit"`
	Rounds   int    `yaml:"rounds" jsonschema:"minimum=0,maximum=10000000" doc:"Rounds in which the tasks are dealt to the device's units, a contiguous run each time; 0 is one: a block per unit, as a graph or a table is laid out"`
	// Units, if not nil, adds Units[i] times Unit to the cost of task i; it has one entry per
	// task.
	Units []uint32 `yaml:"-"`
	Unit  Cost     `yaml:"-"`
}

// A Cost is the operations and bytes of one task.
type Cost struct {
	Ops  uint64 `yaml:"ops" jsonschema:"maximum=1000000000000" doc:"Operations"`
	Read uint64 `yaml:"read" jsonschema:"maximum=1000000000000" doc:"Bytes read from the memory of the side that runs it"`
}

// Work is a number of equal tasks.
type Work struct {
	Tasks int `yaml:"tasks" jsonschema:"minimum=0,maximum=10000000" doc:"Number of tasks"`
	Cost  `yaml:",inline"`
}

// Of returns the cost of device task i.
func (p *Phase) Of(i int) Cost {
	c := p.Task
	if p.Units != nil {
		c.Ops += uint64(p.Units[i]) * p.Unit.Ops
		c.Read += uint64(p.Units[i]) * p.Unit.Read
	}
	return c
}

// Group returns the device tasks of a group, at least 1.
func (p *Phase) Group() int { return max(1, p.Gather) }

// Parts returns the host tasks per group, at least 1.
func (p *Phase) Parts() int { return max(1, p.Split) }

// Groups returns the groups of a launch.
func (p *Phase) Groups() int { return (p.Tasks + p.Group() - 1) / p.Group() }

// Launches returns the number of launches, at least 1.
func (p *Phase) Launches() int { return max(1, p.Repeat) }

// Totals returns the operations and bytes read of device and host, and the result bytes, of a
// whole program.
func (p Program) Totals() (device, host Cost, result uint64) {
	for i := range p {
		f := &p[i]
		n := uint64(f.Launches())
		for t := range f.Tasks {
			c := f.Of(t)
			device.Ops, device.Read = device.Ops+n*c.Ops, device.Read+n*c.Read
		}
		g, b := n*uint64(f.Groups()*f.Parts()), n*uint64(f.Before.Tasks)
		host.Ops += g*f.Host.Ops + b*f.Before.Ops
		host.Read += g*f.Host.Read + b*f.Before.Read
		result += n * uint64(f.Tasks) * f.Result
	}
	return device, host, result
}

// A Make makes a program from a Spec of the type of its entry. Equal seeds give equal programs.
type Make func(spec any, seed uint64) (Program, error)

// All holds the programs by name.
var All = registry.New[Make]("offloaded workload")

// New makes the program called name; a nil spec takes the defaults. Errors are an unknown name, a
// spec of another type or with impossible values, and more than MaxTasks tasks.
func New(name string, spec any, seed uint64) (Program, error) {
	e, ok := All.Entry(name)
	if !ok {
		return nil, fmt.Errorf("offload: no workload %q (want one of: %v)", name, All.Names())
	}
	if spec == nil {
		spec = e.Spec
	}
	return e.New(spec, seed)
}

// MaxTasks is the most device tasks of a phase.
const MaxTasks = 10_000_000

// fits returns an error for more than MaxTasks parts.
func fits(tasks, each int) error {
	if each > 0 && tasks > MaxTasks/each {
		return fmt.Errorf("%d tasks of %d parts are more than %d", tasks, each, MaxTasks)
	}
	return nil
}

// register adds a program whose Spec is of type S.
func register[S any](name, doc, source string, def S, f func(s S, seed uint64) (Program, error)) {
	All.Add(registry.Entry[Make]{Name: name, Doc: doc, Source: source, Spec: def, New: func(spec any, seed uint64) (Program, error) {
		s, ok := spec.(S)
		if !ok {
			return nil, fmt.Errorf("offload: %s takes a %T, not a %T", name, def, spec)
		}
		return f(s, seed)
	}})
}

const source = "arXiv 2512.04449, table IV"

// setup is the operations of every device task in addition: addresses, loop, store.
//
// fitted: see KNN.
const setup = 8

// float is the size of a value that is sent back.
//
// assumption: results are fp32.
const float = 4
