package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/seat"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// findServer finds the node that serves requests, if there is one, and checks that the
// workload has some.
func (x *Experiment) findServer(a *assembly) error {
	for _, n := range a.sys.Nodes() {
		s, ok := n.(work.Server)
		if !ok {
			continue
		}
		if a.server != nil {
			return x.doc.Root.Errorf(nil, "%s and %s both are to serve requests (want one node of kind serve)", a.server.Name(), s.Name())
		}
		a.server = s
	}
	var errs configs.Errors
	for _, w := range a.loads {
		v := w.at.Get("requests")
		switch {
		case v.Exists() && a.server == nil:
			errs.Add(v.Errorf(nil, "has no effect: there is no node of kind serve"))
		case v.Exists():
			if w.spec.Ops.Exists() || w.program != nil {
				errs.Add(v.Errorf(nil, "are of a language model (model: or file:)"))
			}
		case a.server != nil:
			errs.Add(w.at.Errorf(nil, "has no requests for %s, as in requests: {count: 8, prompt: 512, output: 32}", a.server.Name()))
		}
	}
	if a.server == nil {
		return errs.Err()
	}
	if len(a.loads) != 1 {
		errs.Add(x.doc.Root.Errorf(nil, "%s serves one model, and there are %d workloads", a.server.Name(), len(a.loads)))
	}
	if a.scheduler != nil {
		errs.Add(x.doc.Root.Errorf(nil, "%s and %s both are to hand out the workloads (want one of them)", a.server.Name(), a.scheduler.Name()))
	}
	if v := x.doc.Root.Get("mapping").Get("split"); v.Exists() {
		errs.Add(v.Errorf(nil, "has no effect: %s gives each operator to one node", a.server.Name()))
	}
	return errs.Err()
}

// sizesOfRequests reports keys that have no effect beside requests, and sets what the graph
// is built of.
func (w *workload) sizesOfRequests() error {
	if !w.at.Get("requests").Exists() {
		return nil
	}
	var errs configs.Errors
	for _, key := range []string{"batch", "sequence", "context", "phase", "arrival", "arrivals", "frames", "deadline", "priority", "after"} {
		if k := w.at.Get(key); k.Exists() {
			errs.Add(k.Errorf(nil, "has no effect: requests says what runs, and when"))
		}
	}
	w.groups = whole
	return errs.Err()
}

// A served is a model whose requests a node serves: it makes the graphs of batches and
// maps them onto executors while the run goes on.
type served struct {
	x      *Experiment
	a      *assembly
	w      *workload // of a batch that takes all weights
	mapper *mapping.Mapper
	idx    []int // executors that compute
	at     configs.Value
	frame  *graph.Graph // weights and the memory for keys and values
	tensor map[string]graph.TensorID
	each   map[string]int64 // elements of an entry, by cache
	memory bool
	nics   []int // network interfaces that the server is linked to
	ranks  []*workload
	prices
}

// serve gives the server its requests.
func (x *Experiment) serve(a *assembly) error {
	w := a.loads[0]
	s := &served{x: x, a: a, w: w, mapper: x.loader.mapper(), at: w.at, memory: a.needMemory(), tensor: map[string]graph.TensorID{}, each: map[string]int64{}}
	if v := x.doc.Root.Get("mapping").Get("cores"); v.Exists() {
		s.at = v
	}
	names := x.mapping.Cores
	if w.spec.Cores != "" {
		s.at, names = w.at.Get("cores"), w.spec.Cores
	}
	linked := func(k int) bool {
		e, ok := a.workers[k].(work.Executor)
		return ok && slices.Contains(a.server.Executors(), e)
	}
	for k, n := range a.workers {
		if _, nic := n.(seat.Agent); nic {
			if linked(k) {
				s.nics = append(s.nics, k)
			}
		} else if names == "" && linked(k) {
			s.idx = append(s.idx, k)
		}
	}
	if names != "" {
		var err error
		if s.idx, err = a.pick(s.at, names); err != nil {
			return err
		}
	}
	for _, k := range s.idx {
		if !linked(k) {
			return s.at.Errorf(nil, "%s is not linked to %s, or carries out no operators", a.workers[k].Name(), a.server.Name())
		}
	}
	if len(s.idx) == 0 {
		return s.at.Errorf(nil, "%s is linked to no node that computes", a.server.Name())
	}
	requests, err := w.spec.Requests.Make(w.at.Get("requests"), x.doc.ResolveFile, (&system.Env{Seed: x.sim.Seed}).Rand("requests of "+w.name()))
	if err != nil {
		return err
	}
	if err := w.fuse(a, s.mapper, s.idx); err != nil {
		return err
	}
	if s.ranks, err = w.ranks(len(s.idx), len(s.nics)); err != nil {
		return err
	}
	entry, one := uint64(0), s.ranks[0].graph
	for i := range one.Tensors {
		if t := &one.Tensors[i]; t.Role == graph.KV {
			n := t.Elements() / int64(t.Shape[0]*t.Shape[2])
			s.each[t.Name] = n
			entry += uint64(t.DType.Bytes(n))
		}
	}
	if entry == 0 {
		return w.at.Errorf(nil, "%s has no keys and values to keep (want a decoder)", w.name())
	}
	if err := a.server.Serve(work.Service{Name: w.name(), Requests: requests, Entry: entry, Token: s.token(), Mixtures: s.mixtures(), Batch: s.batch, Time: s.time}); err != nil {
		return located(w.at.Get("requests"), err)
	}
	if err := s.hold(); err != nil {
		return located(w.at, err)
	}
	return s.lay()
}

// hold tells executors with a memory of their own what will be in it.
func (s *served) hold() error {
	each := len(s.idx) / len(s.ranks)
	for i, k := range s.idx {
		h, ok := s.a.workers[k].(work.Holder)
		if !ok {
			continue
		}
		g := *s.ranks[i/each].graph
		g.Tensors = slices.Clone(g.Tensors)
		for i := range g.Tensors {
			if t := &g.Tensors[i]; t.Role == graph.KV {
				t.Shape = []int{s.a.server.Entries(), int(s.each[t.Name])}
			}
		}
		if err := h.Hold(work.Share{Name: s.w.name(), Graph: &g}); err != nil {
			return err
		}
	}
	return nil
}

// lay makes the frame: every weight of the model, and the caches with room for all
// entries.
func (s *served) lay() error {
	if !s.memory {
		return nil
	}
	s.frame = &graph.Graph{Name: s.w.name()}
	for i := range s.w.graph.Tensors {
		t := s.w.graph.Tensors[i]
		switch t.Role {
		case graph.KV:
			t.Shape = []int{s.a.server.Entries(), int(s.each[t.Name])}
		case graph.Weight:
		default:
			continue
		}
		s.tensor[t.Name] = s.frame.Add(t)
	}
	_, err := s.a.sys.Place(s.frame)
	return err
}

// graphOf is the workload at a batch.
func (s *served) graphOf(b work.Batch) (*workload, error) {
	w := *s.w
	w.groups = b.Groups
	if err := w.build(s.x.doc); err != nil {
		return nil, err
	}
	return &w, w.fuse(s.a, s.mapper, s.idx)
}

// batch implements work.Service.
func (s *served) batch(b work.Batch, slot int) ([]work.Part, error) {
	if len(s.ranks) > 1 {
		return nil, s.w.at.Get("parallel").Errorf(nil, "%s issues operators to one chip (want times: planned)", s.a.server.Name())
	}
	w, err := s.graphOf(b)
	if err != nil {
		return nil, err
	}
	programs, err := s.x.alone(s.a, s.mapper, w, s.idx, s.at)
	if err != nil {
		return nil, err
	}
	base, err := s.place(w, b, programs)
	if err != nil {
		return nil, err
	}
	s.a.batches += w.graph.MACs()
	p := work.Part{Workload: work.Workload{Name: w.name(), ID: int32(slot), Graph: w.graph}}
	for _, j := range programs[0].Jobs {
		p.Jobs = append(p.Jobs, work.Job{Op: j.Op, Fused: j.Fused})
	}
	about := work.Describe(w.graph)
	for i, k := range s.idx {
		place := work.Place{Executor: s.a.workers[k].(work.Executor)}
		for j := range p.Jobs {
			place.Job = append(place.Job, int32(j))
		}
		p.On = append(p.On, place)
		p.Shares = append(p.Shares, work.Share{Name: w.name(), ID: p.ID, Graph: w.graph, Program: programs[i], Tensors: about, Requests: 1, Step: true, Base: base(i)})
	}
	return []work.Part{p}, nil
}

// place is where the tensors of a batch lie for each executor: weights and caches where
// they always do, what is between operators in what is left.
func (s *served) place(w *workload, b work.Batch, programs []mapping.Program) (func(i int) func(graph.TensorID) uint64, error) {
	if !s.memory {
		return func(int) func(graph.TensorID) uint64 { return func(graph.TensorID) uint64 { return 0 } }, nil
	}
	rest := *w.graph
	rest.Tensors = slices.Clone(rest.Tensors)
	lasting := make([]graph.TensorID, len(rest.Tensors)) // of the frame
	offset := make([]uint64, len(rest.Tensors))
	for i := range rest.Tensors {
		t := &rest.Tensors[i]
		lasting[i] = graph.None
		if t.Role != graph.Weight && t.Role != graph.KV {
			continue
		}
		name, group := t.Name, 0
		if t.Role == graph.KV {
			name, group = cacheOf(t.Name)
			offset[i] = uint64(t.DType.Bytes(int64(b.At[group]) * s.each[name]))
		}
		id, ok := s.tensor[name]
		if !ok {
			return nil, fmt.Errorf("%s: %s is not among the weights of the model", w.name(), t.Name)
		}
		lasting[i] = id
		t.Role, t.Shape = graph.Input, []int{1}
	}
	scratch := &graph.Graph{Name: "scratch"}
	own := make([]graph.TensorID, len(programs))
	for i, p := range programs {
		if own[i] = graph.None; p.Scratch > 0 {
			own[i] = scratch.Add(graph.Tensor{Name: "scratch_" + s.a.workers[s.idx[i]].Name(), Shape: []int{int(p.Scratch)}, DType: graph.Int8})
		}
	}
	placed, err := s.a.sys.Place(s.frame, &rest, scratch)
	if err != nil {
		return nil, err
	}
	return func(i int) func(graph.TensorID) uint64 {
		return func(id graph.TensorID) uint64 {
			switch {
			case id == mapping.Scratch:
				return placed.Base(2, own[i])
			case lasting[id] != graph.None:
				return placed.Base(0, lasting[id]) + offset[id]
			}
			return placed.Base(1, id)
		}
	}, nil
}

// cacheOf is the cache that a tensor of a group is a part of: L0.g2.k_cache is L0.k_cache
// of group 2.
func cacheOf(name string) (cache string, group int) {
	head, tail, _ := strings.Cut(name, ".")
	mid, last, two := strings.Cut(tail, ".")
	if two {
		if n, err := fmt.Sscanf(mid, "g%d", &group); n == 1 && err == nil {
			return head + "." + last, group
		}
	}
	return name, 0
}

// whole is a batch that takes all weights of a model, every expert included.
var whole = []zoo.Group{{Requests: 1, Tokens: 512, Context: 512, Sample: true}}
