package schedule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/units"
)

// Batching says how requests of one model are executed together with shared weights. The zero
// value executes them one by one.
type Batching struct {
	Rule    string      `yaml:"rule" jsonschema:"enum=static,enum=cascaded,enum=adaptive" doc:"static: a batch keeps its size from the first operator to the last; cascaded: each operator takes as many as the free memory holds, and batches are split before it; adaptive: and parts merge where an operator takes more"`
	Max     int         `yaml:"max" jsonschema:"minimum=1,maximum=64" doc:"Requests of one model that are carried out at a time"`
	Memory  units.Bytes `yaml:"memory" doc:"Memory on the chip of each executor, for weights and what operators hand on; left out: it is not accounted, and operators pass results on through the memory below"`
	Weights units.Bytes `yaml:"weights" doc:"Room that the weights of an operator take at most; more pass through in pieces; left out: a quarter of memory"`
	Wait    units.Time  `yaml:"wait" doc:"How long the first request of a batch may wait for more to come"`
}

// The rules of batching.
const (
	StaticBatches   = "static"
	CascadedBatches = "cascaded"
	AdaptiveBatches = "adaptive"
)

// BatchingRules lists the rules of batching.
func BatchingRules() []string { return []string{StaticBatches, CascadedBatches, AdaptiveBatches} }

// DefaultBatching batches up to eight requests.
//
// assumption: servers of image networks batch eight requests; no request waits for a batch.
func DefaultBatching() Batching { return Batching{Max: 8} }

// On reports whether requests are batched.
func (b *Batching) On() bool { return b.Rule != "" }

// Limit is the memory for the weights of one operator, in bytes.
func (b *Batching) Limit() uint64 {
	if b.Weights > 0 {
		return uint64(b.Weights)
	}
	return uint64(b.Memory) / 4
}

// A batch is requests of a model that are at the same operator of an executor. Its
// requests have what they need before operator at in the memory.
type batch struct {
	members []*Request // ascending
	at      int32
}

// A flight is an operator that is issued for several requests.
type flight struct {
	members []*Request
}

// A stack is the batches of one model on one executor, those that are furthest first.
type stack struct{ batches []*batch }

// A batcher keeps the batches and the memory of all executors.
type batcher struct {
	Batching
	s       *State
	stacks  [][]stack // by executor and model
	used    []uint64  // by executor: bytes
	peak    []uint64
	flights map[Ref]*flight
	cap     [][]int    // by model and operator: requests that the whole memory holds
	alone   [][]uint64 // by model and operator: room that one request takes at most from there on
	whole   []int      // by model: requests of a static batch
	stamp   uint64
	picks   map[[2]int]pick // by executor and model, of this stamp
	at      uint64
}

// A pick is what an executor would do next for a model.
type pick struct {
	batch   *batch // nil: of fresh requests
	members []*Request
	op      int32
}

func newBatcher(s *State, b Batching) (*batcher, error) {
	if !slices.Contains(BatchingRules(), b.Rule) {
		return nil, fmt.Errorf("batching by rule %q (want one of: %s)", b.Rule, strings.Join(BatchingRules(), ", "))
	}
	if b.Max < 1 {
		return nil, fmt.Errorf("batches of %d (want 1 or more)", b.Max)
	}
	if s.options.Grain != ByModel {
		return nil, fmt.Errorf("batching with grain %s (want %s: the memory of an executor holds what its operators hand on)", s.options.Grain, ByModel)
	}
	if _, ok := s.policy.(Preemptor); ok {
		return nil, fmt.Errorf("batching with a policy that takes operators back (preempt: true)")
	}
	if _, ok := s.policy.(*greedy); ok {
		return nil, fmt.Errorf("batching with a policy that serves requests one by one")
	}
	n := len(s.Executors)
	p := &batcher{Batching: b, s: s, stacks: make([][]stack, n), used: make([]uint64, n), peak: make([]uint64, n),
		flights: map[Ref]*flight{}, picks: map[[2]int]pick{}, whole: make([]int, len(s.Models))}
	for e := range n {
		p.stacks[e] = make([]stack, len(s.Models))
	}
	for m := range s.Models {
		model := &s.Models[m]
		if b.Memory > 0 && len(model.Feet) != len(model.Ops) {
			return nil, fmt.Errorf("%s: %d footprints of %d operators", model.Name, len(model.Feet), len(model.Ops))
		}
		caps, alone := make([]int, len(model.Ops)), make([]uint64, len(model.Ops))
		p.whole[m] = b.Max
		for i := len(model.Ops) - 1; i >= 0; i-- {
			caps[i] = b.Max
			if b.Memory > 0 {
				f := model.Feet[i]
				caps[i] = min(b.Max, f.Batch(uint64(b.Memory)))
				if caps[i] < 1 {
					return nil, fmt.Errorf("%s: %s takes %s of %s (batching.memory)", model.Name, model.Ops[i].Name, units.Bytes(f.Weights+f.Held+f.Need), b.Memory)
				}
				alone[i] = f.Weights + f.Held + f.Need
				if i+1 < len(alone) {
					alone[i] = max(alone[i], alone[i+1])
				}
			}
			p.whole[m] = min(p.whole[m], caps[i])
		}
		p.cap, p.alone = append(p.cap, caps), append(p.alone, alone)
	}
	return p, nil
}

// changed forgets what was picked.
func (p *batcher) changed() { p.stamp++ }

// pick is what the executor would do next for a model; ok is false for nothing.
func (p *batcher) pick(model int32, e int) (k pick, ok bool) {
	if p.at != p.stamp {
		clear(p.picks)
		p.at = p.stamp
	}
	key := [2]int{e, int(model)}
	k, known := p.picks[key]
	if !known {
		k = p.choose(int(model), e)
		p.picks[key] = k
	}
	return k, len(k.members) > 0
}

func (p *batcher) choose(model, e int) pick {
	if !p.s.Models[model].allowed[e] {
		return pick{}
	}
	st := &p.stacks[e][model]
	if p.Rule == StaticBatches {
		for _, b := range st.batches {
			if p.fits(e, model, b, b.members, b.at) {
				return pick{b, b.members, b.at}
			}
		}
		if fresh := p.fresh(model); len(fresh) >= p.whole[model] || p.waited(fresh) {
			if list := fresh[:min(len(fresh), p.whole[model])]; p.fits(e, model, nil, list, 0) {
				return pick{nil, list, 0}
			}
		}
		return pick{}
	}
	under := 0
	for _, b := range st.batches {
		under += len(b.members)
	}
	// Batches as large as their operator allows continue, the most advanced first.
	for _, b := range st.batches {
		if n := p.cap[model][b.at]; p.Rule == CascadedBatches || len(b.members) >= n {
			if k := p.most(e, model, b, b.members[:min(n, len(b.members))], b.at); len(k.members) > 0 {
				return k
			}
		}
	}
	// Other batches wait for those after them, which continue first.
	if fresh := p.fresh(model); under < p.Max && (len(fresh) >= p.cap[model][0] || p.waited(fresh)) {
		if k := p.most(e, model, nil, fresh[:min(len(fresh), p.cap[model][0], p.Max-under)], 0); len(k.members) > 0 {
			return k
		}
	}
	if !p.dry(e) {
		return pick{}
	}
	for _, b := range slices.Backward(st.batches) {
		if k := p.most(e, model, b, b.members[:min(p.cap[model][b.at], len(b.members))], b.at); len(k.members) > 0 {
			return k
		}
	}
	return pick{}
}

// fresh are the requests of a model that have not begun and may.
func (p *batcher) fresh(model int) []*Request {
	list := p.s.fresh[model]
	for i, r := range list {
		if !p.s.ready(r) {
			return list[:i]
		}
	}
	return list
}

// waited reports whether the first of these requests need not wait for more.
func (p *batcher) waited(list []*Request) bool {
	return len(list) > 0 && list[0].Arrival+p.Wait <= p.s.Now
}

// Due returns when the first request that waits for a batch has waited Batching.Wait; ok is false
// if none waits.
func (s *State) Due() (at units.Time, ok bool) {
	if s.batches == nil {
		return 0, false
	}
	for m := range s.Models {
		if f := s.batches.fresh(m); len(f) > 0 {
			if t := f[0].Arrival + s.batches.Wait; t > s.Now && (!ok || t < at) {
				at, ok = t, true
			}
		}
	}
	return at, ok
}

// most is as many of the requests as fit, or none while the executor has enough to do.
func (p *batcher) most(e, model int, b *batch, list []*Request, op int32) pick {
	for n := len(list); n > 0; n-- {
		if p.fits(e, model, b, list[:n], op) {
			return pick{b, list[:n], op}
		}
		if !p.dry(e) {
			break
		}
	}
	return pick{}
}

// dry reports whether an executor is about to have nothing to do. Until then batches wait
// for the memory that operators under way release, and for parts to merge with.
func (p *batcher) dry(e int) bool { return len(p.s.Executors[e].Queue) <= 1 }

// fits reports whether an operator for these requests has room, and everything that is
// under way can still be brought to its end after it.
func (p *batcher) fits(e, model int, from *batch, list []*Request, op int32) bool {
	if p.Memory == 0 {
		return true
	}
	f := &p.s.Models[model].Feet[op]
	n := uint64(len(list))
	if p.used[e]+f.Weights+n*f.Need > uint64(p.Memory) {
		return false
	}
	return p.safe(e, model, from, list, op)
}

// A claim is what a batch holds, and what it needs besides to come to its end.
type claim struct{ held, need uint64 }

// safe is the banker's question: is there an order in which all batches come to their end,
// one after the other, once what is issued is done? Batches that may be split go one
// request at a time. Dijkstra, Een algorithme ter voorkoming van de dodelijke omarming,
// EWD108.
func (p *batcher) safe(e, model int, from *batch, list []*Request, op int32) bool {
	var claims []claim
	total := uint64(0)
	add := func(m int, at int32, n uint64) {
		if n == 0 || int(at) >= len(p.s.Models[m].Ops) {
			return
		}
		c := p.claim(m, at, n)
		total += c.held
		claims = append(claims, c)
	}
	for m := range p.stacks[e] {
		for _, b := range p.stacks[e][m].batches {
			n := len(b.members)
			if b == from {
				n -= len(list)
			}
			add(m, b.at, uint64(n))
		}
	}
	add(model, op+1, uint64(len(list)))
	if total > uint64(p.Memory) {
		return false
	}
	free := uint64(p.Memory) - total
	for len(claims) > 0 {
		i := slices.IndexFunc(claims, func(c claim) bool { return c.need <= free })
		if i < 0 {
			return false
		}
		free += claims[i].held
		claims = slices.Delete(claims, i, i+1)
	}
	return true
}

func (p *batcher) claim(m int, at int32, n uint64) claim {
	feet := p.s.Models[m].Feet
	held := feet[at].Held
	if p.Rule != StaticBatches {
		return claim{n * held, p.alone[m][at] - held}
	}
	most := uint64(0)
	for _, f := range feet[at:] {
		most = max(most, f.Weights+n*(f.Held+f.Need))
	}
	return claim{n * held, most - n*held}
}

// take issues what was picked: the requests leave their batch, and are one at the next
// operator.
func (p *batcher) take(k pick, model int32, e int) []*Request {
	st := &p.stacks[e][model]
	if p.Memory > 0 {
		f := &p.s.Models[model].Feet[k.op]
		p.used[e] += f.Weights + uint64(len(k.members))*f.Need
		if p.used[e] > uint64(p.Memory) {
			panic(fmt.Sprintf("schedule: %d bytes on %s, which has %d", p.used[e], p.s.Executors[e].Name, p.Memory))
		}
		p.peak[e] = max(p.peak[e], p.used[e])
	}
	members := slices.Clone(k.members)
	if k.batch != nil {
		k.batch.members = slices.DeleteFunc(slices.Clone(k.batch.members), func(r *Request) bool { return slices.Contains(members, r) })
		if len(k.batch.members) == 0 {
			st.batches = slices.DeleteFunc(st.batches, func(b *batch) bool { return b == k.batch })
		}
	}
	p.flights[Ref{members[0].ID, k.op}] = &flight{members}
	next := k.op + 1
	if int(next) == len(p.s.Models[model].Ops) {
		return members
	}
	at := slices.IndexFunc(st.batches, func(b *batch) bool { return b.at <= next })
	if at < 0 {
		at = len(st.batches)
	}
	if at < len(st.batches) && st.batches[at].at == next && p.Rule == AdaptiveBatches {
		b := st.batches[at]
		b.members = slices.Concat(b.members, members)
		slices.SortFunc(b.members, byArrival)
		return members
	}
	for at < len(st.batches) && st.batches[at].at == next {
		at++ // the older goes first
	}
	st.batches = slices.Insert(st.batches, at, &batch{members, next})
	return members
}

// done releases what an operator held.
func (p *batcher) done(ref Ref, model int32, e int) []*Request {
	x := p.flights[ref]
	delete(p.flights, ref)
	if p.Memory > 0 {
		f := &p.s.Models[model].Feet[ref.Op]
		p.used[e] -= f.Weights + uint64(len(x.members))*f.Free
	}
	return x.members
}

// Members returns the requests of an issued operator's batch, that of its Ref first.
func (s *State) Members(ref Ref) []*Request {
	if s.batches == nil {
		return []*Request{s.requests[ref.Request]}
	}
	return s.batches.flights[ref].members
}

// together is how many Members there are.
func (s *State) together(ref Ref) int {
	if s.batches == nil {
		return 1
	}
	return len(s.batches.flights[ref].members)
}

// Held returns the bytes of memory of executor e in use, and their maximum so far.
func (s *State) Held(e int) (now, most uint64) {
	if s.batches == nil {
		return 0, 0
	}
	return s.batches.used[e], s.batches.peak[e]
}

// costOf is that of an operator on an executor, for as many requests as it is issued for or
// would be issued for now.
func (s *State) costOf(ref Ref, e int) Cost {
	m, n := s.requests[ref.Request].Model, 1
	if s.batches != nil {
		if x := s.batches.flights[ref]; x != nil {
			n = len(x.members)
		} else if k, ok := s.batches.pick(m, e); ok && k.op == ref.Op {
			n = len(k.members)
		}
	}
	return s.Models[m].cost(ref.Op, e, n)
}

// cost is the cost of an operator for a number of requests.
func (m *Model) cost(op int32, e, n int) Cost {
	if n <= 1 {
		return m.at(op, e)
	}
	if k := m.lane[e]; k >= 0 {
		return m.Ops[op].Batch[n-2][k]
	}
	return Cost{}
}
