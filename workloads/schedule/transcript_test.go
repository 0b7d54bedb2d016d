package schedule

import (
	"container/heap"
	"encoding/binary"
	"flag"
	"fmt"
	"hash"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// tick is the unit of times of the random systems.
const tick = units.Microsecond

var update = flag.Bool("update", false, "write testdata/decisions.txt again")

// A log plays random requests under a policy and keeps a digest of every decision: executors work
// in order (or, if concurrent, at once), operators take a little more or less than they cost, and
// messages take a time.
type log struct {
	hash.Hash64
	t      *testing.T
	s      *State
	rng    *rand.Rand
	way    units.Time
	drops  bool
	events happenings
	seq    int
	queue  [][]Ref
	busy   []bool
	flying int // messages and operators
	marks  []Mark

	issues, revoked, dropped, batched, switched, skipped, missed int
	end                                                          units.Time
}

func (l *log) note(values ...any) {
	for _, v := range values {
		if n, ok := v.(int); ok {
			v = int64(n)
		}
		require.NoError(l.t, binary.Write(l, binary.LittleEndian, v))
	}
}

func (l *log) after(t units.Time, f func(now units.Time)) {
	l.seq++
	heap.Push(&l.events, happening{t, l.seq, f})
}

func (l *log) play(arrive []units.Time, model []int) {
	l.queue, l.busy = make([][]Ref, len(l.s.Executors)), make([]bool, len(l.s.Executors))
	for i, at := range arrive {
		l.after(at, func(now units.Time) {
			l.s.Arrive(now, model[i])
			for _, x := range l.s.Revocations() {
				l.after(now+l.way, func(now units.Time) { l.revoke(x, now) })
			}
			l.drop(now)
			l.issue(now)
		})
	}
	for len(l.events) > 0 {
		e := heap.Pop(&l.events).(happening)
		e.f(e.at)
	}
	for id := range int32(l.s.Arrived()) {
		r := l.s.Request(id)
		l.note(r.Begin, r.End, r.Energy, r.Missed(), r.Dropped, r.Begun(), r.Finished(), r.Model, r.Revoked, r.Executor)
		if r.Missed() {
			l.missed++
		}
	}
	for e := range l.s.Executors {
		held, peak := l.s.Held(e)
		l.note(l.s.Executors[e].Busy, held, peak)
	}
	l.note(l.s.Live(), l.s.Open())
	if b := l.s.batches; b != nil {
		require.Empty(l.t, b.flights, "batches that are done are forgotten")
	}
}

func (l *log) drop(now units.Time) {
	if !l.drops {
		return
	}
	gone := l.s.DropLate(now)
	gone = append(gone, l.s.DropHopeless(now)...)
	for _, r := range gone {
		l.note(r.ID)
	}
	l.dropped += len(gone)
}

func (l *log) issue(now units.Time) {
	for {
		x, ok := l.s.Next(now)
		if !ok {
			break
		}
		l.issues++
		members := l.s.Members(x.Ref)
		if len(members) > 1 {
			l.batched++
		}
		if r := members[0]; r.Model != r.Of && x.Op == 0 {
			l.switched++
		}
		ordered, concurrent := l.s.AtWork()
		l.note(x.Request, x.Op, x.Executor, x.Switch, len(members), l.s.Executors[x.Executor].Free, ordered, concurrent, l.s.More())
		l.flying++
		l.after(now+l.way, func(now units.Time) {
			if l.s.Executors[x.Executor].early() {
				l.queue[x.Executor] = append(l.queue[x.Executor], x.Ref)
				l.begin(x.Executor, now)
			} else {
				l.run(x.Ref, x.Executor, now)
			}
		})
	}
	if at, ok := l.s.Due(); ok {
		l.after(at, l.issue)
	}
	l.advance(now)
}

// advance opens the next period where nothing is under way, or skips it.
func (l *log) advance(now units.Time) {
	k, over := l.s.Period()
	if l.flying > 0 || !over || len(l.events) > 0 {
		return
	}
	l.marks = append(l.marks, l.s.Mark())
	if n := len(l.marks); k > 0 && k < 3 && n > 1 && l.rng.IntN(2) == 0 {
		l.skipped += l.s.Skip(now, k+1, k+1)
		l.s.Repeat(l.marks[n-2], l.marks[n-1], 1)
		k++
	}
	l.s.OpenPeriod(k + 1)
	l.note(k)
	l.after(now+tick, l.issue)
}

func (l *log) begin(e int, now units.Time) {
	if l.busy[e] || len(l.queue[e]) == 0 {
		return
	}
	ref := l.queue[e][0]
	l.queue[e], l.busy[e] = l.queue[e][1:], true
	end := l.run(ref, e, now)
	l.after(end, func(now units.Time) {
		l.busy[e] = false
		l.begin(e, now)
	})
}

func (l *log) run(ref Ref, e int, now units.Time) (end units.Time) {
	end = now + l.s.costOf(ref, e).Time + tick*units.Time(l.rng.IntN(3))
	l.after(end+l.way, func(t units.Time) {
		ended, err := l.s.Done(t, ref, now, end)
		require.NoError(l.t, err)
		l.flying--
		for _, r := range ended {
			l.note(r.ID, r.Energy)
		}
		l.end = max(l.end, end)
		l.note(l.s.Executors[e].Busy, l.s.Executors[e].Free)
		l.drop(t)
		l.issue(t)
	})
	return end
}

func (l *log) revoke(x Issue, now units.Time) {
	i := slices.Index(l.queue[x.Executor], x.Ref)
	if i < 0 {
		return
	}
	l.queue[x.Executor] = slices.Delete(l.queue[x.Executor], i, i+1)
	l.revoked++
	l.after(now+l.way, func(t units.Time) {
		l.flying--
		require.NoError(l.t, l.s.Revoked(t, x.Ref))
		l.issue(t)
	})
}

// systems is a kind of random systems.
type systems struct {
	name                          string
	grain                         string
	batching                      Batching
	concurrent, team              bool
	follow, forms, drops, periods bool
	many                          bool // executors, more than a word has bits
	bound                         bool // some models name their executors, and costs for those alone
}

var kinds = []systems{
	{name: "models", grain: ByModel, drops: true},
	{name: "operators", grain: ByOperator},
	{name: "on many executors", grain: ByOperator, many: true},
	{name: "with a network interface", grain: ByOperator, concurrent: true},
	{name: "with a team", grain: ByModel, team: true, bound: true},
	{name: "one after another", grain: ByOperator, follow: true, drops: true},
	{name: "with smaller forms", grain: ByModel, forms: true, drops: true},
	{name: "by period", grain: ByOperator, periods: true},
	{name: "static batches", grain: ByModel, batching: Batching{Rule: StaticBatches, Max: 4, Memory: 90, Wait: 12 * tick}},
	{name: "cascaded batches", grain: ByModel, batching: Batching{Rule: CascadedBatches, Max: 5, Memory: 70}, drops: true},
	{name: "adaptive batches", grain: ByModel, batching: Batching{Rule: AdaptiveBatches, Max: 6, Memory: 80, Wait: 5 * tick}},
	{name: "adaptive batches without an account of memory", grain: ByModel, batching: Batching{Rule: AdaptiveBatches, Max: 3}, bound: true},
}

func (k *systems) models(rng *rand.Rand, executors int) []Model {
	models := make([]Model, 2+rng.IntN(3))
	for i := range models {
		m := &models[i]
		m.Name, m.Deadline, m.Priority = fmt.Sprint("model", i), tick*units.Time(rng.IntN(3)*(20+rng.IntN(80))), rng.IntN(3)
		costs := executors
		if k.bound && executors > 1 && rng.IntN(2) == 0 {
			first := rng.IntN(executors)
			m.Executors, costs = []int{first, (first + 1) % executors}, 2
		}
		held := uint64(0)
		ops, late := 1+rng.IntN(6), rng.IntN(3)
		if k.periods {
			ops = 5
		}
		for j := range ops {
			op := Operator{Name: fmt.Sprint("op", j)}
			for a := range j {
				if k.batching.On() || k.periods {
					if a == j-1 {
						op.After = append(op.After, int32(a))
					}
				} else if rng.IntN(2) == 0 {
					op.After = append(op.After, int32(a))
				}
			}
			if k.periods {
				op.Period = int32(j + late)
			}
			for range costs {
				c := Cost{Can: true, Fetch: tick * units.Time(rng.IntN(8)), Compute: tick * units.Time(1+rng.IntN(12)), Energy: float64(rng.IntN(6))}
				c.Time = max(c.Fetch, c.Compute)
				op.Cost = append(op.Cost, c)
			}
			if k.grain == ByOperator && costs > 1 && rng.IntN(4) == 0 {
				op.Cost[rng.IntN(costs)].Can = false
			}
			for n := 2; n <= k.batching.Max; n++ {
				all := slices.Clone(op.Cost)
				for e := range all {
					all[e].Compute *= units.Time(n)
					all[e].Time = all[e].Fetch + all[e].Compute
					all[e].Energy *= float64(n)
				}
				op.Batch = append(op.Batch, all)
			}
			m.Ops = append(m.Ops, op)
			f := Footprint{Weights: uint64(rng.IntN(20)), Held: held, Need: uint64(rng.IntN(int(40 - held)))}
			if f.Free = min(held+f.Need, uint64(rng.IntN(30))); j == ops-1 || held+f.Need-f.Free > 20 {
				f.Free = held + f.Need
			}
			held += f.Need - f.Free
			m.Feet = append(m.Feet, f)
		}
	}
	if k.follow {
		models[1].After = []int{0}
	}
	if k.forms {
		last := len(models) - 1
		small := models[0]
		small.Name, small.Ops = "small", slices.Clone(small.Ops)
		for j := range small.Ops {
			small.Ops[j].Cost = slices.Clone(small.Ops[j].Cost)
			for e := range small.Ops[j].Cost {
				small.Ops[j].Cost[e].Time = 1 + small.Ops[j].Cost[e].Time/3
			}
		}
		models = append(models, small)
		models[0].Forms, models[0].Deadline = []int{last + 1}, 25*tick
	}
	return models
}

// record plays a number of random systems of a kind under a policy.
func (k *systems) record(t *testing.T, policy string, spec any) string {
	l := log{Hash64: fnv.New64a(), t: t}
	e, _ := Policies.Entry(policy)
	requests := 0
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 77))
		names := []string{"A", "B", "C"}[:1+rng.IntN(3)]
		for k.many && len(names) < 70 {
			names = append(names, fmt.Sprint("E", len(names)))
		}
		s, err := New(k.models(rng, len(names)), names, e.New(spec), Options{Grain: k.grain, Ahead: 1 + rng.IntN(3), Batching: k.batching})
		if err != nil {
			return "" // the policy takes no batches
		}
		s.Executors[len(names)-1].Concurrent = k.concurrent
		s.Executors[len(names)-1].Team = k.team
		if k.periods {
			s.ByPeriod()
		}
		var arrive []units.Time
		var model []int
		at := 0
		for i := range 6 + rng.IntN(20) {
			if !k.periods && (!k.many || i == 5) {
				at += rng.IntN(14)
			}
			m := rng.IntN(len(s.Models))
			for k.forms && m == len(s.Models)-1 {
				m = rng.IntN(len(s.Models))
			}
			arrive, model = append(arrive, tick*units.Time(at)), append(model, m)
		}
		requests += len(arrive)
		l.s, l.rng, l.way, l.drops = s, rng, tick*units.Time(rng.IntN(3)), k.drops
		l.marks, l.flying, l.end = nil, 0, 0
		l.play(arrive, model)
		l.note(l.end)
	}
	return fmt.Sprintf("%s, %s %v: %d requests, %d issues, %d revoked, %d dropped, %d batches, %d smaller forms, %d skipped, %d missed, %016x\n",
		k.name, policy, spec, requests, l.issues, l.revoked, l.dropped, l.batched, l.switched, l.skipped, l.missed, l.Sum64())
}

// profiles records what operators of real networks need on the chip.
func profiles(t *testing.T) string {
	var text strings.Builder
	for _, name := range []string{"resnet18", "gpt2", "moe_vit_t"} {
		g, err := zoo.Build(name, zoo.Params{})
		require.NoError(t, err)
		jobs := make([][]int, len(g.Ops))
		for i := range jobs {
			jobs[i] = []int{i}
		}
		for _, memory := range []uint64{1 << 16, 1 << 20, 1 << 23} {
			h := fnv.New64a()
			feet, kept := Profile(g, jobs, memory, memory/4)
			sum, stay, alone := Footprint{}, 0, 0
			for _, f := range feet {
				sum.Weights, sum.Held, sum.Need, sum.Free = sum.Weights+f.Weights, sum.Held+f.Held, sum.Need+f.Need, sum.Free+f.Free
				if f.Alone {
					alone++
				}
				fmt.Fprint(h, f, f.Batch(memory))
			}
			for i, k := range kept {
				if k {
					stay++
					fmt.Fprint(h, graph.TensorID(i))
				}
			}
			fmt.Fprintf(&text, "%s in %d bytes: weights %d, held %d, need %d, free %d, %d alone, %d tensors stay, %016x\n", name, memory, sum.Weights, sum.Held, sum.Need, sum.Free, alone, stay, h.Sum64())
		}
	}
	return text.String()
}

// samples records what a Sampler simulates of random periods with stores.
func samples() string {
	h := fnv.New64a()
	rng := rand.New(rand.NewPCG(5, 6))
	skipped, doubts := 0, 0
	for range 120 {
		s := NewSampler(0.02)
		size, steps, alike := uint64(50+rng.IntN(400)), 3+rng.IntN(3), rng.IntN(4) > 0
		shapes := make([]Shape, 8+rng.IntN(12))
		for i := range shapes {
			shapes[i] = Shape{Signature: uint64(rng.IntN(2)), Bytes: uint64(100 + rng.IntN(3))}
			if i > 0 && rng.IntN(4) > 0 {
				shapes[i] = shapes[i-1]
			}
		}
		each, whole := 10+rng.IntN(40), s.Whole()
		caches, sizes := make([]lru, 2), []int{int(size), each * len(shapes) * (70 + rng.IntN(80)) / 100}
		for step := range steps {
			s.Begin()
			for k := 0; k < len(shapes); k++ {
				p := Period{Signature: shapes[k].Signature, Took: units.Time(1000 + 100*shapes[k].Signature), Again: step < steps-1}
				p.After, p.Rest = Ahead(shapes, k)
				if !alike || step == 0 && k < 2 {
					p.Took += units.Time(rng.IntN(60))
					p.Difference = Difference{All: float64(rng.IntN(5)) / 100, Node: float64(rng.IntN(60)) / 100}
				}
				for i := range caches {
					came, grown := caches[i].use(k, each+int(shapes[k].Signature), sizes[i])
					p.Stores = append(p.Stores, Store{Where: fmt.Sprint("store ", i), What: "lines", Size: uint64(sizes[i]), Held: uint64(len(caches[i])), Came: uint64(came), Used: uint64(3 * each), Grown: int64(grown)})
				}
				n := s.Ended(p)
				skipped += n
				fmt.Fprint(h, n, s.Took(), s.Fresh(), s.Count)
				k += n
			}
			last := Store{Where: "store 0", What: "lines", Size: size, Held: uint64(len(caches[0])), Came: 5, Grown: int64(rng.IntN(2))}
			p := Period{Signature: 1, Took: units.Time(20000 + rng.IntN(500)), Stores: []Store{last, last}}
			if _, known := whole.Known(1); !known || rng.IntN(3) == 0 {
				whole.Note(p)
			}
			fmt.Fprint(h, whole.Count)
		}
		doubts += len(s.Doubts())
		fmt.Fprint(h, s.Doubts(), whole.Doubts())
	}
	return fmt.Sprintf("sampler: %d skipped, %d doubts, %016x\n", skipped, doubts, h.Sum64())
}

// TestDecisionsAreAsRecorded holds every decision of every policy in random systems. A line of
// testdata/decisions.txt has counts and a digest of all issues, revocations, ends and energies. A
// change of a line changes results: write the file again (-update) only with a reason.
func TestDecisionsAreAsRecorded(t *testing.T) {
	var text strings.Builder
	for i := range kinds {
		for _, e := range Policies.Entries() {
			specs := []any{e.Spec}
			switch e.Spec.(type) {
			case Urgency:
				specs = append(specs, Urgency{Preempt: true})
			case Dream:
				specs = append(specs, Dream{Starvation: 0.25, Energy: 1, Search: true, Window: 3, Switch: true, Drop: true}, Dream{Energy: 0.5, Switch: true})
			case Blocks:
				specs = append(specs, Blocks{Block: 9 * tick})
			case Tokens:
				specs = append(specs, Tokens{Level: 0.9})
			}
			for _, spec := range specs {
				text.WriteString(kinds[i].record(t, e.Name, spec))
			}
		}
	}
	text.WriteString(profiles(t))
	text.WriteString(samples())
	const file = "testdata/decisions.txt"
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), text.String())
}
