package offload

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/registry"
)

// A Program is a sequence of phases; each begins when the one before is done.
type Program []Phase

// A Phase is one kernel: device tasks, their results, host tasks that consume
// them. The result of a task is consumed with those of the other tasks of its
// group, Gather tasks that follow each other, by Split host tasks.
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
	// Units adds an irregular part to each task: so many times Unit.
	Units []uint32 `yaml:"-"`
	Unit  Cost     `yaml:"-"`
}

// A Cost is what a task takes of its unit and of its side's memory.
type Cost struct {
	Ops  uint64 `yaml:"ops" jsonschema:"maximum=1000000000000" doc:"Operations"`
	Read uint64 `yaml:"read" jsonschema:"maximum=1000000000000" doc:"Bytes read from the memory of the side that runs it"`
}

// Work is a number of equal tasks.
type Work struct {
	Tasks int `yaml:"tasks" jsonschema:"minimum=0,maximum=10000000" doc:"Number of tasks"`
	Cost  `yaml:",inline"`
}

// Of is what device task i costs.
func (p *Phase) Of(i int) Cost {
	c := p.Task
	if p.Units != nil {
		c.Ops += uint64(p.Units[i]) * p.Unit.Ops
		c.Read += uint64(p.Units[i]) * p.Unit.Read
	}
	return c
}

// Group is how many tasks make a host task, at least one.
func (p *Phase) Group() int { return max(1, p.Gather) }

// Parts is how many host tasks work on a group, at least one.
func (p *Phase) Parts() int { return max(1, p.Split) }

// Groups is the number of groups of a launch.
func (p *Phase) Groups() int { return (p.Tasks + p.Group() - 1) / p.Group() }

// Launches is how often the kernel runs.
func (p *Phase) Launches() int { return max(1, p.Repeat) }

// Totals adds up a program: operations and bytes of both sides, result bytes.
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

// A Make makes a program from a Spec of its entry; what is random in it comes
// from the seed alone.
type Make func(spec any, seed uint64) (Program, error)

// All holds the programs by name.
var All = registry.New[Make]("offloaded workload")

// New makes the program called name.
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

// MaxTasks is how many device tasks a phase may have.
const MaxTasks = 10_000_000

// fits refuses what would take all memory to write down.
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

// setup is what every device task costs besides: addresses, loop, store.
//
// fitted: see KNN.
const setup = 8

// float is the size of a value that is sent back.
//
// assumption: results are fp32.
const float = 4
