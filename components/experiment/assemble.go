package experiment

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/watch"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// worker is what carries out a workload.
type worker = work.Executor

// An assembly is a built system with its work handed out.
type assembly struct {
	driver   driver
	looking  sync.Mutex // somebody reads nodes while the engine stands still
	sys      *system.System
	workers  []worker         // canonical order
	starters []system.Starter // all that begin by themselves, workers among them; canonical order
	loads    []*workload
	extra    []system.Node // made beside the configuration
	given    []*workload   // of the configuration, but for communication programs
	// jobs hand the workloads out while the run goes on, in the order of their nodes; none: they
	// are loaded before it.
	jobs       []*job
	batches    int64        // multiply-accumulates of the batches that servers made
	agents     []seat.Agent // interfaces that carry out transfers of workloads
	algorithms *seat.Collectives
	shares     []share
	first      []*graph.Graph  // placed before the run: of workloads and scratch memory, no server's
	firstOf    []system.Node   // a node that works on each
	pad        work.Scratchpad // that results of fused operators lie in; nil: there is none
	padBase    uint64
	periods    *work.Periods      // of cores that go through layers that repeat, or nil
	notes      []string           // what was decided before the run, for its warnings
	sampler    *watch.Sampler     // nil without simulation.sample
	company    []system.Companion // that go on until all jobs have ended
	meter      *meter             // nil without simulation.repeat: sampled

	observed *watch.Observed // nil without Options.Observe
	record   *watch.Record   // of simulation.record
}

// assemble builds the system, maps every workload onto its cores, places tensors
// and scratch memory, and loads the cores. The error holds everything that is
// wrong.
func (x *Experiment) assemble() (*assembly, error) {
	d, err := newDriver(x.options.Engine, x.options.Messages)
	if err != nil {
		return nil, err
	}
	var errs configs.Errors
	a := &assembly{driver: d}
	a.sys, err = system.Build(x.doc, &system.Env{Engine: d, Seed: x.sim.Seed, Quantum: x.sim.Quantum})
	errs.Add(err)
	x.workloads, err = workloadsOf(x.doc)
	errs.Add(err)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	if x.sim.Quantum > 0 && a.sys.Borders() == 0 && !a.sys.Shares() {
		return nil, x.doc.Root.Get("simulation").Get("quantum").Errorf(nil, "has no effect: there is no network")
	}
	if a.record, err = watch.NewRecord(a.sys, x.sim.Record, x.doc.Root.Get("simulation").Get("record")); err != nil {
		return nil, err
	}
	if err := x.checkRepeatLimits(a); err != nil {
		return nil, err
	}
	a.findWorkers()
	if err := x.handOver(a); err != nil {
		return nil, err
	}
	if err := x.findJobs(a); err != nil {
		return nil, err
	}
	if err := a.accompany(); err != nil {
		return nil, err
	}
	if err := x.idleMapping(a); err != nil {
		return nil, err
	}
	if len(a.loads) == 0 && len(a.starters) > len(a.workers) {
		return a, x.noRepeat() // players do without
	}
	if len(a.loads) == 0 {
		return nil, x.doc.Root.Errorf(nil, "nothing to do: there is no workload, as in workload: {model: resnet50} or {file: net.onnx}")
	}
	if err := x.aloneForRepeat(a); err != nil {
		return nil, err
	}
	if a.shares, err = x.shares(a); err != nil {
		return nil, err
	}
	if len(a.shares) > 0 {
		if err := x.load(a, a.shares); err != nil {
			return nil, err
		}
	}
	return a, errors.Join(x.serveAll(a), x.repeatOnCores(a))
}

// findWorkers finds the nodes that carry out operators, and those that begin by themselves.
func (a *assembly) findWorkers() {
	for _, n := range a.sys.Nodes() {
		if w, ok := n.(worker); ok {
			a.workers = append(a.workers, w)
		}
		if s, ok := n.(system.Starter); ok {
			a.starters = append(a.starters, s)
		}
	}
}

// load places tensors and hands the programs to the workers.
func (x *Experiment) load(a *assembly, shares []share) error {
	graphs, of := make([]*graph.Graph, 0, len(a.loads)+1), make([]system.Node, len(a.loads), len(a.loads)+1)
	for _, w := range a.loads {
		if w.job != nil && !a.memoryOf(w.job) {
			graphs = append(graphs, &graph.Graph{Name: w.Name()})
			continue
		}
		graphs = append(graphs, w.Placed())
	}
	// Scratch memory is placed like a tensor: one per share that spills.
	for i := range shares {
		s := &shares[i]
		if w := a.workers[s.worker]; of[s.load] == nil && a.sys.Reaches(w) {
			of[s.load] = w
		}
		if n := s.program.Scratch; n > 0 {
			name := fmt.Sprintf("scratch_%s_%s", a.workers[s.worker].Name(), a.loads[s.load].Name())
			scratch := &graph.Graph{Name: "scratch"}
			scratch.Add(graph.Tensor{Name: name, Shape: []int{int(n)}, DType: graph.Int8})
			s.scratch, graphs, of = len(graphs), append(graphs, scratch), append(of, a.workers[s.worker])
		}
	}
	base := func(int, graph.TensorID) uint64 { return 0 }
	if a.needMemory() {
		placed, err := a.sys.PlaceFor(of, graphs...)
		if err != nil {
			return err
		}
		base = placed.Base
		a.first, a.firstOf = graphs, append(of, make([]system.Node, len(graphs)-len(of))...)
	}
	if err := a.depend(shares); err != nil {
		return err
	}
	extends := len(a.jobs) > 0 && x.sim.Repeat == sampled
	if extends {
		if err := x.connectAll(a, shares); err != nil {
			return err
		}
	}
	if err := a.prepare(shares, base); err != nil || len(a.jobs) == 0 {
		return err
	}
	if !extends {
		if err := x.connectAll(a, shares); err != nil {
			return err
		}
	}
	for _, j := range a.jobs {
		if j.scheduler == nil {
			continue
		}
		if err := x.schedule(a, j, shares); err != nil {
			return err
		}
	}
	return nil
}

// prepare hands shares to their executors; base is where the tensors of each workload, and
// scratch memory, lie.
func (a *assembly) prepare(shares []share, base func(int, graph.TensorID) uint64) error {
	var errs configs.Errors
	var alike mergedErrors
	about := make([]*work.Tensors, len(a.loads))
	for i, w := range a.loads {
		about[i] = work.Describe(w.Graph)
	}
	for _, s := range shares {
		w, to := a.loads[s.load], a.workers[s.worker]
		x := work.Share{
			Name: w.Name(), ID: int32(s.load), Graph: w.Graph, Program: s.program, Ahead: !s.late, Arrival: w.Spec.Arrival, Issuer: s.issuer,
			Tensors: about[s.load], Requests: w.Requests, Kept: w.kept, Activations: w.Activations, Batch: w.batch,
			Base: func(id graph.TensorID) uint64 {
				if id == mapping.Scratch {
					return base(s.scratch, 0)
				}
				return w.address(a, id, func(id graph.TensorID) uint64 { return base(s.load, id) })
			},
		}
		var err error
		if s.late { // who will load what is not known
			x.Tensors = work.Describe(w.Graph)
		} else if x.Rows, err = w.topology(to); err != nil {
			errs.Add(w.At.Locate(err))
			continue
		}
		alike.add(w.At, to.Name(), w.Name(), to.Prepare(x))
	}
	alike.into(&errs)
	for i, w := range a.workers {
		if l, ok := w.(system.Nester); ok && !a.ofServer(i) { // all its operators are known
			errs.Add(l.Loaded())
		}
	}
	return errs.Err()
}

// ofServer reports whether a server gives a worker its operators.
func (a *assembly) ofServer(k int) bool {
	return slices.ContainsFunc(a.jobs, func(j *job) bool { return j.server != nil && slices.Contains(j.compute, k) })
}

// needMemory reports whether a worker reads and writes tensors in memory.
func (a *assembly) needMemory() bool {
	return slices.ContainsFunc(a.workers, needsMemory)
}

// needsMemory reports whether a worker reads and writes tensors in memory.
func needsMemory(w worker) bool {
	if m, ok := w.(seat.Mover); ok && m.Moves() {
		return true
	}
	return slices.ContainsFunc(w.PortSpecs(), func(p system.PortSpec) bool { return p.Role == system.Requests && !p.Optional })
}
