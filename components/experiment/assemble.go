package experiment

import (
	"errors"
	"fmt"
	"sync"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/evaluation"
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/components/experiment/watch"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// An assembly is a built system whose work is assigned.
type assembly struct {
	*plan.Assignment
	driver     driver
	looking    sync.Mutex       // held while nodes are read and the engine stands still
	starters   []system.Starter // all that begin by themselves, workers among them; canonical order
	extra      []system.Node    // not of the configuration: the run adds them
	batches    int64            // multiply-accumulates of the batches that servers made
	agents     []seat.Agent     // interfaces that carry out transfers of workloads
	algorithms *seat.Collectives
	shares     []plan.Share
	first      []*graph.Graph      // placed before the run: of workloads and scratch memory, no server's
	firstOf    []system.Node       // a node that works on each
	periods    *work.Periods       // of cores that go through layers that repeat, or nil
	sampler    *watch.Sampler      // nil without simulation.sample
	company    []system.Background // that go on until all jobs have ended
	meter      *meter              // nil without simulation.repeat: sampled
	said       []string            // assumptions that no node makes
	asked      evaluation.All      // sections that are evaluated after the run

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
	a := &assembly{driver: d, Assignment: x.unassigned()}
	a.Sys, err = system.Build(x.doc, &system.Env{Engine: d, Seed: x.sim.Seed, Quantum: x.sim.Quantum, Whole: x.undivided()})
	errs.Add(err)
	x.workloads, err = plan.Decode(x.doc)
	errs.Add(err)
	if a.Sys != nil {
		a.asked, err = evaluation.Read(x.doc, a.names())
		errs.Add(err)
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	if x.sim.Quantum > 0 && a.Sys.Borders() == 0 && !a.Sys.Shares() {
		return nil, x.doc.Root.Get("simulation").Get("quantum").Errorf(nil, "has no effect: there is no network")
	}
	if a.record, err = watch.NewRecord(a.Sys, x.sim.Record, x.doc.Root.Get("simulation").Get("record")); err != nil {
		return nil, err
	}
	if err := x.checkRepeatLimits(a); err != nil {
		return nil, err
	}
	a.findWorkers()
	if err := x.handOver(a); err != nil {
		return nil, err
	}
	if err := a.FindJobs(); err != nil {
		return nil, err
	}
	if err := a.accompany(); err != nil {
		return nil, err
	}
	if err := a.CheckMapping(); err != nil {
		return nil, err
	}
	if len(a.Loads) == 0 && len(a.starters) > len(a.Workers) {
		return a, x.noRepeat() // players do without
	}
	if len(a.Loads) == 0 {
		return nil, x.doc.Root.Errorf(nil, "nothing to do: there is no workload, as in workload: {model: resnet50} or {file: net.onnx}")
	}
	if err := x.aloneForRepeat(a); err != nil {
		return nil, err
	}
	if a.shares, err = a.Shares(); err != nil {
		return nil, err
	}
	if len(a.shares) > 0 {
		if err := x.load(a, a.shares); err != nil {
			return nil, err
		}
	}
	return a, errors.Join(x.serveAll(a), x.repeatOnCores(a))
}

// names lists the nodes in canonical order.
func (a *assembly) names() (out []string) {
	for _, n := range a.Sys.Made() {
		out = append(out, n.Name())
	}
	return out
}

// unassigned is an assignment of nothing yet.
func (x *Experiment) unassigned() *plan.Assignment {
	return &plan.Assignment{Doc: x.doc, Spec: x.mapping, Seed: x.sim.Seed, Mappers: &x.loader.mappers}
}

// findWorkers finds the nodes that carry out operators, and those that begin by themselves.
func (a *assembly) findWorkers() {
	for _, n := range a.Sys.Nodes() {
		if w, ok := n.(work.Executor); ok {
			a.Workers = append(a.Workers, w)
		}
		if s, ok := n.(system.Starter); ok {
			a.starters = append(a.starters, s)
		}
	}
}

// load places tensors and passes the programs to the workers.
func (x *Experiment) load(a *assembly, shares []plan.Share) error {
	graphs, of := make([]*graph.Graph, 0, len(a.Loads)+1), make([]system.Node, len(a.Loads), len(a.Loads)+1)
	for _, w := range a.Loads {
		if w.Job != nil && !a.MemoryOf(w.Job) {
			graphs = append(graphs, &graph.Graph{Name: w.Name()})
			continue
		}
		graphs = append(graphs, w.Placed())
	}
	graphs, of = a.addScratch(shares, graphs, of)
	base := func(int, graph.TensorID) uint64 { return 0 }
	if a.NeedsMemory() {
		placed, err := a.Sys.PlaceFor(of, graphs...)
		if err != nil {
			return err
		}
		base = placed.Base
		a.first, a.firstOf = graphs, append(of, make([]system.Node, len(graphs)-len(of))...)
	}
	if err := a.depend(shares); err != nil {
		return err
	}
	extends := len(a.Jobs) > 0 && x.sim.Repeat == sampled
	if extends {
		if err := x.connectAll(a, shares); err != nil {
			return err
		}
	}
	if err := a.prepare(shares, base); err != nil || len(a.Jobs) == 0 {
		return err
	}
	if !extends {
		if err := x.connectAll(a, shares); err != nil {
			return err
		}
	}
	for _, j := range a.Jobs {
		if j.Scheduler == nil {
			continue
		}
		loads, err := a.Schedule(j, shares)
		if err != nil {
			return err
		}
		if err := x.repeatScheduled(a, j, loads); err != nil {
			return err
		}
	}
	return nil
}

// addScratch adds a graph with scratch memory for each share that spills, so that it is placed
// like a tensor. of has the worker of each graph.
func (a *assembly) addScratch(shares []plan.Share, graphs []*graph.Graph, of []system.Node) ([]*graph.Graph, []system.Node) {
	for i := range shares {
		s := &shares[i]
		if w := a.Workers[s.Worker]; of[s.Load] == nil && a.Sys.Reaches(w) {
			of[s.Load] = w
		}
		if n := s.Program.Scratch; n > 0 {
			name := fmt.Sprintf("scratch_%s_%s", a.Workers[s.Worker].Name(), a.Loads[s.Load].Name())
			scratch := &graph.Graph{Name: "scratch"}
			scratch.Add(graph.Tensor{Name: name, Shape: []int{int(n)}, DType: graph.Int8})
			s.Scratch, graphs, of = len(graphs), append(graphs, scratch), append(of, a.Workers[s.Worker])
		}
	}
	return graphs, of
}

// prepare passes shares to their executors; base has the addresses of the tensors of each workload
// and of scratch memory.
func (a *assembly) prepare(shares []plan.Share, base func(int, graph.TensorID) uint64) error {
	var errs configs.Errors
	var alike plan.MergedErrors
	about := make([]*work.Tensors, len(a.Loads))
	for i, w := range a.Loads {
		about[i] = work.Describe(w.Graph)
	}
	for _, s := range shares {
		w, to := a.Loads[s.Load], a.Workers[s.Worker]
		x := work.Share{
			Name: w.Name(), ID: int32(s.Load), Graph: w.Graph, Program: s.Program, Ahead: !s.Late, Arrival: w.Spec.Arrival, Issuer: s.Issuer,
			Tensors: about[s.Load], Requests: w.Requests, Kept: w.Kept, Activations: w.Activations, Batch: w.Batch,
			Base: func(id graph.TensorID) uint64 {
				if id == dma.Scratch {
					return base(s.Scratch, 0)
				}
				return w.Address(a.Assignment, id, func(id graph.TensorID) uint64 { return base(s.Load, id) })
			},
		}
		var err error
		if s.Late { // who will load what is not known
			x.Tensors = work.Describe(w.Graph)
		} else if x.Rows, err = w.Topology(to); err != nil {
			errs.Add(w.At.Locate(err))
			continue
		}
		alike.Add(w.At, to.Name(), w.Name(), to.Prepare(x))
	}
	alike.Into(&errs)
	for i, w := range a.Workers {
		if l, ok := w.(system.Nester); ok && !a.OfServer(i) { // all its operators are known
			errs.Add(l.Loaded())
		}
	}
	return errs.Err()
}
