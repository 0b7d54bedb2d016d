package experiment

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// worker is what carries out a workload.
type worker = work.Worker

// An assembly is a built system with its work handed out.
type assembly struct {
	driver      driver
	sys         *system.System
	workers     []worker // canonical order
	loads       []*workload
	extra       []system.Node // made beside the configuration
	sampler     *sampler      // nil without simulation.sample
	assumptions []string
}

// assemble builds the system, maps every workload onto its cores, places tensors
// and scratch memory, and loads the cores. The error holds everything that is
// wrong.
func (x *Experiment) assemble() (*assembly, error) {
	d, err := newDriver(x.options.Engine)
	if err != nil {
		return nil, err
	}
	var errs configs.Errors
	a := &assembly{driver: d}
	a.sys, err = system.Build(x.doc, &system.Env{Engine: d.Engine, Seed: x.sim.Seed})
	errs.Add(err)
	x.workloads, err = decodeWorkloads(x.doc)
	errs.Add(err)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	for _, n := range a.sys.Nodes() {
		if w, ok := n.(worker); ok {
			a.workers = append(a.workers, w)
		}
	}
	a.loads = x.workloads
	if len(a.loads) == 0 {
		return nil, x.doc.Root.Errorf(nil, "nothing to do: there is no workload")
	}
	shares, err := x.split(a)
	if err != nil {
		return nil, err
	}
	return a, x.load(a, shares)
}

// A share is what one worker does of one workload.
type share struct {
	worker, load int
	program      mapping.Program
	scratch      int // index in the scratch graph, -1 without
}

// split maps the workloads onto their cores.
func (x *Experiment) split(a *assembly) ([]share, error) {
	var errs configs.Errors
	var out []share
	section := x.doc.Root.Get("mapping")
	for i, w := range a.loads {
		at, names := section.Get("cores"), x.mapping.Cores
		if w.spec.Cores != "" {
			at, names = w.at.Get("cores"), w.spec.Cores
		}
		if !at.Exists() {
			at = w.at
		}
		idx, err := a.pick(at, names)
		if err != nil {
			errs.Add(err)
			continue
		}
		if slices.ContainsFunc(idx, func(k int) bool { _, ok := a.workers[k].(rowLoader); return ok }) {
			if len(idx) > 1 {
				errs.Add(at.Errorf(nil, "timing scalesim is for one core, and %d share the workload", len(idx)))
				continue
			}
			out = append(out, share{worker: idx[0], load: i, scratch: -1}) // it maps by rules of its own
			continue
		}
		cores := make([]mapping.Core, len(idx))
		for j, k := range idx {
			if c, ok := a.workers[k].(mapped); ok {
				cores[j] = c.Core(w.spec.DType.DTypes)
			}
		}
		programs, err := splitTmp(w.graph, cores, x.mapping)
		if err != nil {
			if !section.Exists() {
				section = w.at
			}
			errs.Add(located(section, err))
			continue
		}
		for j, p := range programs {
			out = append(out, share{worker: idx[j], load: i, program: p, scratch: -1})
		}
	}
	return out, errs.Err()
}

// load places tensors and hands the programs to the workers.
func (x *Experiment) load(a *assembly, shares []share) error {
	graphs := make([]*graph.Graph, 0, len(a.loads)+1)
	for _, w := range a.loads {
		graphs = append(graphs, w.graph)
	}
	// Scratch memory is placed like a tensor: one per share that spills.
	scratch := &graph.Graph{Name: "scratch"}
	for i := range shares {
		if n := shares[i].program.Scratch; n > 0 {
			name := fmt.Sprintf("scratch_%s_%s", a.workers[shares[i].worker].Name(), a.loads[shares[i].load].name())
			shares[i].scratch = int(scratch.Add(graph.Tensor{Name: name, Shape: []int{int(n)}, DType: graph.Int8}))
		}
	}
	if len(scratch.Tensors) > 0 {
		graphs = append(graphs, scratch)
	}
	base := func(int, graph.TensorID) uint64 { return 0 }
	if a.needMemory() {
		placed, err := a.sys.Place(graphs...)
		if err != nil {
			return err
		}
		base = placed.Base
	}
	if err := a.sequence(shares); err != nil {
		return err
	}
	var errs configs.Errors
	for _, s := range shares {
		w := a.loads[s.load]
		if done, err := w.loadRows(a.workers[s.worker]); done {
			errs.Add(located(w.at, err))
			continue
		}
		errs.Add(located(w.at, a.workers[s.worker].Load(work.Share{
			Name: w.name(), ID: int32(s.load), Graph: w.graph, Program: s.program, Arrival: w.spec.Arrival,
			Base: func(id graph.TensorID) uint64 {
				if id == mapping.Scratch {
					return base(len(a.loads), graph.TensorID(s.scratch))
				}
				return base(s.load, id)
			},
		})))
	}
	return errs.Err()
}

// needMemory tells whether a worker reads and writes tensors in memory.
func (a *assembly) needMemory() bool {
	for _, w := range a.workers {
		for _, p := range w.PortSpecs() {
			if p.Role == system.Requests && !p.Optional {
				return true
			}
		}
	}
	return false
}

// located points an error that does not say where at v.
func located(v configs.Value, err error) error {
	if err == nil || configs.PosOf(err) != (configs.Pos{}) {
		return err
	}
	return v.Errorf(nil, "%v", err)
}

// mapped is a worker with an array to map onto; others know their time by the
// operator alone.
type mapped interface {
	Core(graph.DTypes) mapping.Core
}
