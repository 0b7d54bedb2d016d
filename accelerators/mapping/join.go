package mapping

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Join is jobs of one operator, one of each core that works on it, which others wait for
// together. All cores that wait for them have the same Join, so that a program of many cores
// grows by a pointer for each job and not by a token for each pair of cores. A core that waits
// waits for all of them but its own, which come before in its program.
type Join struct{ Members []Token } // ascending by core

// Op is the operator that the jobs are of.
func (j *Join) Op() int { return int(j.Members[0].Op) }

// Others is how many of the jobs are those of other cores than core.
func (j *Join) Others(core int) (n int) {
	n = len(j.Members)
	if _, own := slices.BinarySearchFunc(j.Members, core, Token.compareCore); own {
		n--
	}
	return n
}

func (t Token) compareCore(core int) int { return int(t.Core) - core }

// joins finds out which core waits for whom: a job waits for all shares of the operators that
// made its inputs, other than its own.
type joins struct {
	g     *graph.Graph
	out   []Program
	by    [][]*maker              // of each tensor: the operators that wrote it
	place []int                   // of each draft: the place of its job in the program of its core
	index map[Token]int           // the draft of a job
	sets  map[string]int          // sets of cores, numbered
	cores [][]int32               // of each set, ascending
	lacks map[[2]int]missingCores // of two sets
	known [][]*joined             // by core: what it has waited for
}

// A maker is an operator that wrote a tensor, with its portions.
type maker struct {
	op     int32
	local  bool // its portions read nothing that another part wrote
	pieces []piece
	joins  map[int32]*joined // by part; -1: of all parts
	parts  map[int32][]piece // nil until a part is looked up
}

// A piece is a portion as those see it that wait for it.
type piece struct{ core, part, micro int32 }

// A joined is a Join with what says whether waiting for it is needed.
type joined struct {
	*Join
	drafts      []int // of its members
	set         int   // of their cores
	first, last int   // of drafts
	waiter      int   // the core that waits for it, or
}

// Who waits for a join, if it is not one core.
const (
	noWaiter = -1 - iota
	severalWaiters
)

// missingCores is the number of cores of a set that another set lacks, and the first of them.
type missingCores struct {
	n    int
	core int32
}

func newJoins(g *graph.Graph, out []Program) *joins {
	return &joins{
		g: g, out: out, by: make([][]*maker, len(g.Tensors)), index: map[Token]int{}, sets: map[string]int{},
		lacks: map[[2]int]missingCores{}, known: make([][]*joined, len(out)),
	}
}

// view hands the makers of the operand on to the results.
func (t *joins) view(op *graph.Op) {
	for _, id := range op.Out {
		t.by[id] = append(t.by[id], t.by[op.In[0]]...)
	}
}

// made notes who wrote the results of operator i.
func (t *joins) made(i int, fused []int, portions []portion) {
	if len(t.out) == 1 || len(portions) == 0 {
		return
	}
	m := &maker{op: int32(i), local: portions[0].local, pieces: make([]piece, len(portions)), joins: map[int32]*joined{}}
	for k := range portions {
		q := &portions[k]
		m.pieces[k] = piece{int32(q.core), int32(q.part), int32(q.micro())}
	}
	ids := t.g.Ops[i].Out
	if len(fused) > 0 {
		ids = t.g.Ops[fused[len(fused)-1]].Out
	}
	for _, id := range ids {
		t.by[id] = append(t.by[id], m)
	}
}

// order puts jobs into the programs of their cores, in their order, and finds out which others
// each comes after.
func (t *joins) order(drafts []draft) {
	t.place = make([]int, len(drafts))
	for i := range drafts {
		d := &drafts[i]
		jobs := &t.out[d.q.core].Jobs
		t.place[i] = len(*jobs)
		*jobs = append(*jobs, d.job)
		if len(t.out) > 1 {
			t.index[Token{int32(d.job.Op), int32(d.q.core), d.job.Part}] = i
		}
	}
	if len(t.out) == 1 {
		return
	}
	for i := range drafts {
		d := &drafts[i]
		t.out[d.q.core].Jobs[t.place[i]].After = t.after(inputs(&t.g.Ops[d.job.Op], opsOf(t.g, d.job.Fused)), &d.q)
	}
}

// after lists what a portion of an operator that reads in waits for and has not waited for
// yet: a core does its jobs in order, so the last job of each other core is enough.
func (t *joins) after(in []graph.TensorID, q *portion) (out []*Join) {
	var need []*joined
	for _, id := range in {
		if id == graph.None {
			continue
		}
		for _, m := range t.by[id] {
			if j := t.of(m, q); j != nil && j.Others(q.core) > 0 && !slices.Contains(need, j) {
				need = append(need, j)
			}
		}
	}
	slices.SortStableFunc(need, func(a, b *joined) int { return b.last - a.last })
	for _, j := range need {
		if t.covered(j, q.core) {
			continue
		}
		t.known[q.core] = append(slices.DeleteFunc(t.known[q.core], func(k *joined) bool { return k.set == j.set && k.last < j.first }), j)
		t.await(j, q.core)
		out = append(out, j.Join)
	}
	slices.Reverse(out)
	return out
}

// of is what a portion needs of an operator's portions: those of its own part, where both are
// local, else all; nil: nothing.
func (t *joins) of(m *maker, q *portion) *joined {
	part := int32(-1)
	if m.local && q.local {
		part = int32(q.part)
	}
	j, ok := m.joins[part]
	if !ok {
		j = t.join(m.op, m.portions(part))
		m.joins[part] = j
	}
	return j
}

// portions are those of a part, or all.
func (m *maker) portions(part int32) []piece {
	if part < 0 {
		return m.pieces
	}
	if m.parts == nil {
		m.parts = map[int32][]piece{}
		for _, p := range m.pieces {
			m.parts[p.part] = append(m.parts[p.part], p)
		}
	}
	return m.parts[part]
}

// join makes the join of some portions of an operator, of each core the last; nil: of none.
func (t *joins) join(op int32, pieces []piece) *joined {
	if len(pieces) == 0 {
		return nil
	}
	pieces = slices.Clone(pieces)
	draft := func(p piece) int { return t.index[Token{op, p.core, p.micro}] }
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Or(cmp.Compare(a.core, b.core), draft(a)-draft(b)) })
	j := &joined{Join: &Join{}, waiter: noWaiter}
	for i, p := range pieces {
		if i+1 < len(pieces) && pieces[i+1].core == p.core {
			continue
		}
		j.Members, j.drafts = append(j.Members, Token{op, p.core, p.micro}), append(j.drafts, draft(p))
	}
	j.first, j.last = slices.Min(j.drafts), slices.Max(j.drafts)
	j.set = t.setOf(j.Members)
	return j
}

// setOf is the number of the set of the cores of some jobs.
func (t *joins) setOf(members []Token) int {
	var key []byte
	for i := range members {
		key = binary.AppendUvarint(key, uint64(members[i].Core))
	}
	n, ok := t.sets[string(key)]
	if !ok {
		n = len(t.cores)
		set := make([]int32, len(members))
		for i := range members {
			set[i] = members[i].Core
		}
		t.sets[string(key)], t.cores = n, append(t.cores, set)
	}
	return n
}

// covered reports whether a core that has waited for what it has waited for knows that all of
// j is done: it has waited for later jobs of the same cores.
func (t *joins) covered(j *joined, core int) bool {
	return slices.ContainsFunc(t.known[core], func(k *joined) bool {
		if k == j {
			return true
		}
		if k.first <= j.last {
			return false
		}
		l := t.missingCores(k.set, j.set)
		return l.n == 0 || l.n == 1 && int(l.core) == core
	})
}

// missingCores returns the cores of set b that set a lacks.
func (t *joins) missingCores(a, b int) missingCores {
	if a == b {
		return missingCores{}
	}
	l, ok := t.lacks[[2]int{a, b}]
	if !ok {
		at := 0
		for _, c := range t.cores[b] {
			for at < len(t.cores[a]) && t.cores[a][at] < c {
				at++
			}
			if at == len(t.cores[a]) || t.cores[a][at] != c {
				if l.n++; l.n == 1 {
					l.core = c
				}
			}
		}
		t.lacks[[2]int{a, b}] = l
	}
	return l
}

// await notes that a core waits for a join, and marks the jobs that a core other than their own
// waits for.
func (t *joins) await(j *joined, core int) {
	if j.waiter == core || j.waiter == severalWaiters {
		return
	}
	if j.waiter != noWaiter {
		core = severalWaiters
	}
	j.waiter = core
	for i, d := range j.drafts {
		if c := int(j.Members[i].Core); c != core {
			t.out[c].Jobs[t.place[d]].Awaited = true
		}
	}
}
