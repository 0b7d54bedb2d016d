package served

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/parallel"
	"github.com/causeway-sim/causeway/workloads/serving"
)

// Keys and values of a server in several tiers: the frame has the memory of each tier, and a
// batch says by blocks where the entries of a group lie.

// inTier is the name of a cache's memory in a tier.
func inTier(cache, tier string) string { return cache + "@" + tier }

// tiersFit checks that the tiers exist, that executors can read pieces, and that nothing else
// says where keys and values lie.
func (s *Served) tiersFit() error {
	tiers := s.server.Tiers()
	if tiers == nil {
		return nil
	}
	var errs configs.Errors
	if !s.memory {
		return tiers[0].At.Errorf(nil, "has no effect: no node that computes reads a memory")
	}
	names := s.a.Sys.Tiers()
	for _, t := range tiers {
		if !slices.Contains(names, t.Name) {
			errs.Add(t.At.Get("tier").Errorf(names, "no tier %q in the memory section", t.Name))
			continue
		}
		errs.Add(s.reach(t))
	}
	for _, k := range slices.Concat(s.idx, s.nics) {
		if _, ok := s.a.Workers[k].(work.Spreader); !ok {
			errs.Add(tiers[0].At.Errorf(nil, "%s reads keys and values in one piece only (want a node of kind systolic, or gpu of fidelity tile)", s.a.Workers[k].Name()))
			break
		}
	}
	for _, r := range s.a.Doc.Root.Get("placement").Get("rules").Items() {
		if text := r.Get("tensor").Text(); text == "kv_cache" || strings.Contains(text, "_cache") {
			errs.Add(r.Errorf(nil, "has no effect: kv_tiers of %s says where keys and values lie", s.server.Name()))
		}
	}
	return errs.Err()
}

// reach reports the first core or interface that reads memory, and that of a tier not.
func (s *Served) reach(t work.Tier) error {
	for _, k := range slices.Concat(s.idx, s.nics) {
		if w := s.a.Workers[k]; s.a.Sys.Reaches(w) && !s.a.Sys.ReachesTier(w, t.Name) {
			return t.At.Get("tier").Errorf(nil, "%s does not reach tier %s", w.Name(), t.Name)
		}
	}
	return nil
}

// rules send the memory of each tier to it.
func (s *Served) rules() (out []memory.Rule) {
	for _, t := range s.server.Tiers() {
		out = append(out, memory.Rule{Tensor: inTier("*", t.Name), Tier: t.Name})
	}
	return out
}

// tierOf points what does not fit into a tier at its entry of kv_tiers.
func (s *Served) tierOf(err error) error {
	var full *memory.PlaceError
	if tiers := s.server.Tiers(); errors.As(err, &full) && full.Rule >= 0 && full.Rule < len(tiers) {
		return tiers[full.Rule].At.Errorf(nil, "%v", full)
	}
	return err
}

// layTiers adds the memory of a cache in all tiers to the frame.
func (s *Served) layTiers(frame *graph.Graph, t graph.Tensor) {
	name := t.Name
	for _, tier := range s.server.Tiers() {
		t.Name, t.Shape = inTier(name, tier.Name), []int{tier.Entries / s.keys(), int(s.each[name])}
		s.tensor[t.Name] = frame.Add(t)
	}
}

// The tensors that a move reads and writes are groups of their own.
const (
	movedFrom = -1
	movedTo   = -2
)

// migrate adds to each layer of a batch what copies its part of the blocks that move.
func (s *Served) migrate(w *plan.Workload, b work.Batch) *plan.Workload {
	entries := 0
	for _, x := range b.From {
		entries += x.N / s.keys()
	}
	g := *w.Graph
	g.Tensors, g.Ops = slices.Clone(g.Tensors), nil
	caches := map[int][]graph.Tensor{}
	one := s.ranks[0].Graph
	for i := range one.Tensors {
		if t := one.Tensors[i]; t.Role == graph.KV {
			l, _ := graph.LayerOf(t.Name)
			caches[l] = append(caches[l], t)
		}
	}
	for i := range w.Graph.Ops {
		g.Ops = append(g.Ops, w.Graph.Ops[i])
		l, in := graph.LayerOf(w.Graph.Ops[i].Name)
		if next, ok := 0, false; in {
			if i+1 < len(w.Graph.Ops) {
				next, ok = graph.LayerOf(w.Graph.Ops[i+1].Name)
			}
			if ok && next == l {
				continue
			}
		} else {
			continue
		}
		for _, t := range caches[l] {
			_, last, _ := strings.Cut(t.Name, ".")
			t.Shape = []int{entries, int(s.each[t.Name])}
			layer := fmt.Sprintf("L%d.", l)
			t.Name = layer + "from." + last
			from := g.Add(t)
			t.Name = layer + "to." + last
			g.Ops = append(g.Ops, graph.Op{Name: layer + last + ".migrate", Kind: graph.Move{Func: "migrate", Elements: t.Elements()}, In: []graph.TensorID{from}, Out: []graph.TensorID{g.Add(t)}})
		}
		delete(caches, l)
	}
	out := *w
	out.Graph = &g
	return &out
}

// spread finds where the keys and values of a batch lie, by rank and tensor.
func (s *Served) spread(w *plan.Workload, b work.Batch) func(rank int) func(graph.TensorID) *memory.Spread {
	pieces := func(rank, group int) []memory.Piece {
		switch group {
		case movedFrom:
			return s.piecesOf(b.From, rank)
		case movedTo:
			return s.piecesOf(b.To, rank)
		}
		return s.piecesOf(b.Spans[group], rank)
	}
	type cache struct {
		name  string
		group int
	}
	of := map[graph.TensorID]cache{}
	for i := range w.Graph.Tensors {
		if t := &w.Graph.Tensors[i]; t.Role == graph.KV {
			name, group := cacheOf(t.Name)
			of[graph.TensorID(i)] = cache{name, group}
		}
	}
	return func(rank int) func(graph.TensorID) *memory.Spread {
		known := map[int][]memory.Piece{}
		return func(id graph.TensorID) *memory.Spread {
			c, ok := of[id]
			if !ok {
				return nil
			}
			if known[c.group] == nil {
				known[c.group] = pieces(rank, c.group)
			}
			return s.inTiers(rank, c.name, known[c.group])
		}
	}
}

// cacheIn finds where a tensor lies that is a rank's part of the cache of, in spans.
func (s *Served) cacheIn(rank int, of []string, spans []serving.Span) func(graph.TensorID) *memory.Spread {
	pieces := s.piecesOf(spans, rank)
	return func(id graph.TensorID) *memory.Spread { return s.inTiers(rank, of[id], pieces) }
}

// inTiers is where pieces of a rank's cache lie.
func (s *Served) inTiers(rank int, cache string, pieces []memory.Piece) *memory.Spread {
	x := &memory.Spread{Pieces: pieces}
	for _, t := range s.server.Tiers() {
		id := s.tensor[inTier(cache, t.Name)]
		x.Entry = uint64(s.frames[s.before+rank].Tensor(id).DType.Bytes(s.each[cache]))
		x.Base = append(x.Base, s.placed.Base(s.before+rank, id))
	}
	return x
}

// piecesOf are the entries of spans that a rank has, one after the other: of those that share
// keys each has every so many, since blocks begin with a multiple of them. One that has none has
// the place of the first.
func (s *Served) piecesOf(spans []serving.Span, rank int) (out []memory.Piece) {
	from, n := uint64(0), s.keys()
	for _, x := range spans {
		at, to := parallel.Own(x.At, n, rank), parallel.Own(x.At+x.N, n, rank)
		if to == at {
			continue
		}
		out = append(out, memory.Piece{From: from, N: uint64(to - at), At: uint64(at), Tier: x.Tier})
		from += uint64(to - at)
	}
	if len(out) == 0 {
		out = []memory.Piece{{N: 1, At: uint64(spans[0].At / n), Tier: spans[0].Tier}}
	}
	return out
}

// reads is how many reads of a tier the executors of an instance have measured, and what they
// took.
func (s *Served) reads(instance, tier int) (n uint64, took units.Time) {
	name := s.server.Tiers()[tier].Name
	for id := range s.frames[s.before].Tensors {
		t := &s.frames[s.before].Tensors[id]
		if !strings.HasSuffix(t.Name, inTier("", name)) {
			continue
		}
		for _, r := range s.members(instance).All(len(s.cores)) {
			for _, k := range s.cores[r] {
				if g, ok := s.a.Workers[k].(work.ReadTimer); ok {
					m, cycles := g.Reads(s.placed.Base(s.before+int(r), graph.TensorID(id)))
					n += m
					took += units.Time(g.Clock().Nanoseconds(cycles) * float64(units.Nanosecond))
				}
			}
		}
		return n, took
	}
	return 0, 0
}
