package served

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/seat"
	"github.com/causeway-sim/causeway/workloads/serving"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// A System is the built system on which requests are served.
type System struct {
	*plan.Assignment
	First      []*graph.Graph // placed before the run: of workloads and scratch memory, not of servers
	FirstOf    []system.Node  // a node that works on each
	Agents     []seat.Agent   // interfaces that carry out transfers of workloads
	Algorithms *seat.Collectives
	MACs       *int64 // multiply-accumulates of the batches that were made
	// Seat seals the program of a job's transfers and makes its player on interfaces.
	Seat func(j *plan.Job, p *comm.Program, seats []seat.Seat) error
	// Idle builds a second, idle system and seats the interfaces of these names.
	Idle func(nics []string, p *comm.Program) (*Fabric, error)
}

// A Served is a served model: it makes the graphs of batches and maps them onto executors during
// the run.
type Served struct {
	a       *System
	server  work.Server
	w       *plan.Workload // of a batch that takes all weights
	mapper  *mapping.Mapper
	idx     []int   // executors that compute
	last    priced  // what time had last
	held    bool    // prices are held at a power limit
	noted   bool    // that its energy is of one replica
	cores   [][]int // of each rank of each instance, one instance after the other
	at      configs.Value
	frames  []*graph.Graph // what is placed before the run: of schedules; of each rank, weights and the memory for keys and values
	of      []system.Node  // that work on frames
	before  int            // frames of schedules
	tensor  map[string]graph.TensorID
	each    map[string]int64 // elements of an entry, by cache
	memory  bool
	nics    []int   // network interfaces that the server is linked to
	idleNet *Fabric // that transfers are timed on; nil: none was
	ranks   []*plan.Workload
	placed  *memory.Placement // of the frames
	serial  int64             // of the last batch or move
	prices
}

// ApartFrom returns an error if two servers keep tensors in one range of memory, because their
// batches would have the same addresses.
func (s *Served) ApartFrom(o *Served) error {
	for _, n := range s.nodes() {
		for _, m := range o.nodes() {
			if tier := s.a.Sys.Common(n, m); tier != "" && s.memory && o.memory {
				return s.a.Doc.Root.Get("nodes").Errorf(nil, "%s and %s both keep tensors in range %s (want chips with memories of their own, or private: true)", o.server.Name(), s.server.Name(), tier)
			}
		}
	}
	return nil
}

// New passes the server of a job its requests (work.Server.Serve). An error has the place of its
// key.
func New(a *System, j *plan.Job) (*Served, error) {
	w := j.Given[0]
	s := &Served{a: a, server: j.Server, w: w, mapper: a.Mappers.Get(), at: w.At, memory: a.MemoryOf(j), tensor: map[string]graph.TensorID{}, each: map[string]int64{}}
	return s, s.begin()
}

// begin finds the executors of the requests, and passes the requests to the server.
func (s *Served) begin() error {
	a, w := s.a, s.w
	if w.At.Get("deployment").Exists() {
		s.memory = false
		return s.deploy()
	}
	if err := s.findExecutors(); err != nil {
		return err
	}
	requests, err := w.Spec.Requests.Make(w.At.Get("requests"), a.Doc.ResolveFile, (&system.Env{Seed: a.Seed}).Rand("requests of "+w.Name()))
	if err != nil {
		return err
	}
	if err := w.Fuse(a.Assignment, s.mapper, s.idx); err != nil {
		return err
	}
	if s.ranks, err = w.RankLoads(len(s.idx), w.Job.Interfaces(s.nics)); err != nil {
		return err
	}
	if n, ranks := s.server.Instances(), len(s.ranks); len(s.idx)%(n*ranks) != 0 {
		return s.at.Errorf(nil, "%d instances of %d chips each are not shared evenly by the %d nodes that %s is linked to", n, ranks, len(s.idx), s.server.Name())
	}
	if err := s.idle(); err != nil {
		return err
	}
	if s.issues() {
		a.WarnSpread(w, len(s.ranks)*s.server.Instances(), s.idx)
	}
	if err := w.Skipped(a.Assignment, s.idx); err != nil {
		return err
	}
	if err := s.share(); err != nil {
		return err
	}
	if err := s.tiersFit(); err != nil {
		return err
	}
	entry := s.entry()
	if entry == 0 {
		return w.At.Errorf(nil, "%s has no keys and values to keep (want a decoder)", w.Name())
	}
	if err := s.server.Serve(work.Service{Name: w.Name(), Requests: requests, Loop: w.Spec.Requests.Concurrency, Entry: entry, Keys: s.keys(), Chips: len(s.ranks), Layers: s.layers(), Token: s.token(), Mixtures: s.mixtures(), Batch: s.batch, Move: s.mover(), Time: s.time, Charge: s.charge, Portions: s.portions, Reads: s.reads, Send: s.sender()}); err != nil {
		return w.At.Get("requests").Locate(err)
	}
	if err := s.hold(); err != nil {
		return w.At.Locate(err)
	}
	if err := s.lay(); err != nil {
		return err
	}
	if span := w.Spec.Requests.Replaced; span > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("workload.requests.arrivals stands in place of the times of the file, in which requests arrive over %s.", span))
	}
	return s.mappable(requests)
}

// mappable reports what the section mapping says that cannot be of the batch of the first
// request alone, before the run. The mapper remembers what it has found.
func (s *Served) mappable(requests []serving.Request) error {
	if !s.issues() || !s.a.Doc.Root.Get("mapping").Exists() || len(requests) == 0 {
		return nil
	}
	n := min(requests[0].Prompt, longest)
	w, err := s.graphOf(work.Batch{Groups: []zoo.Group{{Requests: 1, Tokens: n, Context: n, Sample: true}}, At: []int{0}})
	if err != nil {
		return err
	}
	_, err = s.a.Programs(s.mapper, w[0], s.cores[0], s.at)
	return err
}

// longest is the tokens of the batch that mappable plans, at most: those of a step by default.
const longest = 2048

// Alike returns the executors of each chip, without interfaces, if all chips have equal operators.
func (s *Served) Alike() (out [][]work.Executor, err error) {
	if s.keys() > 1 {
		return nil, errors.New("chips share keys and values by tokens (workload.parallel.kv), so that their operators differ")
	}
	if s.w.Spec.Parallel.T3 != 0 {
		return nil, errors.New("collectives follow the stages of products on each chip (workload.parallel.t3)")
	}
	for _, idx := range s.cores {
		var chip []work.Executor
		for _, k := range idx {
			chip = append(chip, s.a.Workers[k])
		}
		out = append(out, chip)
	}
	return out, nil
}

// findExecutors finds the executors that compute, and the network interfaces of the ranks.
func (s *Served) findExecutors() (err error) {
	s.at, s.idx, s.nics, err = s.a.CoresOf(s.w, s.w.Spec.Parallel.Ranks()*s.server.Instances())
	return err
}

// entry is the bytes of the keys and values of a token, in all caches of a rank; it keeps the
// elements of each. Views of a cache are no bytes of their own.
func (s *Served) entry() (bytes uint64) {
	one := s.ranks[0].Graph
	for i, at := range one.Storage() {
		if t := &one.Tensors[i]; t.Role == graph.KV {
			n := t.Elements() / int64(t.Shape[0]*t.Shape[2])
			s.each[t.Name] = n
			if at.In == graph.TensorID(i) {
				bytes += uint64(t.DType.Bytes(n))
			}
		}
	}
	return bytes
}

// entries are those that the memory of a rank holds.
func (s *Served) entries() int { return s.server.Entries() / s.keys() }

// hold passes to executors with private memory the tensors that it will hold.
func (s *Served) hold() error {
	var alike plan.MergedErrors
	instance := len(s.idx) / s.server.Instances()
	each := instance / len(s.ranks)
	for i, k := range s.idx {
		h, ok := s.a.Workers[k].(work.Holder)
		if !ok {
			continue
		}
		g := *s.ranks[i%instance/each].Graph
		g.Tensors = slices.Clone(g.Tensors)
		for i := range g.Tensors {
			if t := &g.Tensors[i]; t.Role == graph.KV {
				t.Shape = []int{s.entries(), int(s.each[t.Name])}
			}
		}
		alike.Add(s.w.At, s.a.Workers[k].Name(), s.w.Name(), h.Hold(work.Share{Name: s.w.Name(), Graph: &g}))
	}
	var errs configs.Errors
	alike.Into(&errs)
	return errs.Err()
}

// lay makes the frame: every weight of the model, and the caches with room for all
// entries.
func (s *Served) lay() error {
	if !s.memory {
		return nil
	}
	frame := &graph.Graph{Name: s.w.Name()}
	one := s.ranks[0].Graph
	for i := range one.Tensors {
		t := one.Tensors[i]
		switch t.Role {
		case graph.KV:
			if s.server.Tiers() != nil {
				s.layTiers(frame, t)
				continue
			}
			t.Shape = []int{s.entries(), int(s.each[t.Name])}
		case graph.Weight:
		default:
			continue
		}
		s.tensor[t.Name] = frame.Add(t)
	}
	for range s.cores {
		s.frames = append(s.frames, frame)
	}
	var err error
	s.frames, s.of = slices.Concat(s.a.First, s.frames), slices.Concat(s.a.FirstOf, s.nodes())
	s.before = len(s.a.First)
	s.placed, err = s.a.Sys.PlaceBy(s.rules(), s.of, s.frames...)
	err = s.tierOf(err)
	return err
}

// graphOf is the workload at a batch, of each rank of an instance.
func (s *Served) graphOf(b work.Batch) ([]*plan.Workload, error) {
	w := *s.w
	w.Groups, w.OfBatch = b.Groups, true
	if err := w.Build(s.a.Doc); err != nil {
		return nil, err
	}
	if err := w.Fuse(s.a.Assignment, s.mapper, s.idx); err != nil {
		return nil, err
	}
	all, err := s.cut(&w)
	for r := 0; err == nil && len(b.From) > 0 && r < len(all); r++ {
		if r > 0 && s.keys() == 1 { // all are one
			all[r] = all[0]
		} else {
			all[r] = s.migrate(all[r], b)
		}
	}
	return all, err
}

// batch implements work.Service: a part for each rank of an instance.
func (s *Served) batch(b work.Batch, instance, slot int) (out []work.Part, err error) {
	all, err := s.graphOf(b)
	if err != nil {
		return nil, err
	}
	first := instance * len(s.ranks)
	programs, of := make([][]mapping.Program, len(s.cores)), make([]*plan.Workload, len(s.ranks))
	for k, w := range all {
		if k > 0 && w == all[k-1] {
			of[k] = of[k-1]
		} else {
			of[k] = s.among(w, instance)
		}
		if programs[first+k], err = s.a.Programs(s.mapper, of[k], s.cores[first+k], s.at); err != nil {
			return nil, err
		}
		*s.a.MACs += w.Graph.MACs()
	}
	where, err := s.place(of[0], b, programs)
	if err != nil {
		return nil, err
	}
	s.serial++
	for k, w := range of {
		out = append(out, s.part(w, first+k, slot, programs[first+k], where))
		out[k].Common = s.common(w.Graph, &b, where.base(first+k, 0))
	}
	return out, nil
}

// common reports whether a tensor of a batch may lie in a memory that several chips reach.
func (s *Served) common(g *graph.Graph, b *work.Batch, base func(graph.TensorID) uint64) bool {
	if !s.memory {
		return false
	}
	tiers := s.server.Tiers()
	for _, spans := range slices.Concat(b.Spans, [][]serving.Span{b.From, b.To}) {
		for _, x := range spans {
			if !s.a.Sys.PrivateRange(tiers[x.Tier].Name) {
				return true
			}
		}
	}
	for i := range g.Tensors {
		if t := &g.Tensors[i]; (t.Role != graph.KV || tiers == nil) && !s.a.Sys.PrivateAddress(base(graph.TensorID(i))) {
			return true
		}
	}
	return false
}

// place is where the tensors of a batch lie for executor i of a rank: weights and caches
// where they always do, what is between operators in what is left. Graphs of ranks differ in no
// tensor but for the entries of caches: w is that of one.
func (s *Served) place(w *plan.Workload, b work.Batch, programs [][]mapping.Program) (out places, err error) {
	if !s.memory {
		out.base = func(int, int) func(graph.TensorID) uint64 { return func(graph.TensorID) uint64 { return 0 } }
		return out, nil
	}
	tiers := s.server.Tiers() != nil
	rest := *w.Graph
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
			if tiers { // it is in pieces
				t.Role, t.Shape = graph.Input, []int{1}
				continue
			}
			name, group = cacheOf(t.Name)
			offset[i] = uint64(t.DType.Bytes(int64(b.At[group]/s.keys()) * s.each[name]))
		}
		id, ok := s.tensor[name]
		if !ok {
			return out, fmt.Errorf("%s: %s is not among the weights of the model", w.Name(), t.Name)
		}
		lasting[i] = id
		t.Role, t.Shape = graph.Input, []int{1}
	}
	n := len(s.cores)
	graphs, of := slices.Clone(s.frames), slices.Concat(s.of, s.nodes(), s.nodes())
	for range n {
		graphs = append(graphs, &rest)
	}
	own := make([][]graph.TensorID, n)
	for r := range n {
		scratch := &graph.Graph{Name: "scratch"}
		own[r] = make([]graph.TensorID, len(programs[r]))
		for i, p := range programs[r] {
			if own[r][i] = graph.None; p.Scratch > 0 {
				own[r][i] = scratch.Add(graph.Tensor{Name: "scratch_" + s.a.Workers[s.cores[r][i]].Name(), Shape: []int{int(p.Scratch)}, DType: graph.Int8})
			}
		}
		graphs = append(graphs, scratch)
	}
	placed, err := s.a.Sys.PlaceBy(s.rules(), of, graphs...)
	if err != nil {
		return out, err
	}
	if tiers {
		out.spread = s.spread(w, b)
	}
	out.base = func(r, i int) func(graph.TensorID) uint64 {
		return func(id graph.TensorID) uint64 {
			switch {
			case id == dma.Scratch:
				return placed.Base(s.before+2*n+r, own[r][i])
			case lasting[id] != graph.None:
				return placed.Base(s.before+r, lasting[id]) + offset[id]
			}
			return placed.Base(s.before+n+r, id)
		}
	}
	return out, nil
}

// places are where the tensors of a batch lie, for executor i of a rank, and those of a rank
// that are in pieces; spread may be nil.
type places struct {
	base   func(rank, i int) func(graph.TensorID) uint64
	spread func(rank int) func(graph.TensorID) *memory.Spread
}

// cacheOf is the cache that a tensor of a group is a part of: L0.g2.k_cache is L0.k_cache
// of group 2. What moves reads from and writes to is from and to.
func cacheOf(name string) (cache string, group int) {
	head, tail, _ := strings.Cut(name, ".")
	mid, last, two := strings.Cut(tail, ".")
	switch {
	case !two:
		return name, 0
	case mid == "from":
		return head + "." + last, movedFrom
	case mid == "to":
		return head + "." + last, movedTo
	}
	if n, err := fmt.Sscanf(mid, "g%d", &group); n == 1 && err == nil {
		return head + "." + last, group
	}
	return name, 0
}
