package serving

import (
	"slices"

	"github.com/causeway-sim/causeway/components/units"
)

// Schedule makes the next step. ok is false if there is nothing to compute now, or the limit of
// steps in progress is reached.
func (e *Engine) Schedule(now units.Time) (s *Step, ok bool) {
	if e.under > e.spec.Ahead {
		return nil, false
	}
	s = &Step{Number: int(e.Steps), Parts: make([]Part, 0, len(e.running)+1)}
	if !e.traits.Polls {
		e.reveal()
	}
	budget, short := e.rules.Compose(e, s, now)
	s.Out, e.wrote = s.Out+e.wrote, 0
	if s.Tokens == 0 {
		e.wrote = s.Out
		return nil, false
	}
	s.Left = e.left(budget, short)
	e.under++
	e.tokens += s.Tokens
	e.Steps++
	e.Tokens += uint64(s.Tokens)
	e.In, e.Out = e.In+uint64(s.In), e.Out+uint64(s.Out)
	e.plan(s)
	return s, true
}

// advance gives running sequences their tokens, in the order in which they began: prompts, those
// that have a token to compute after theirs, or both. It returns how many more tokens the step
// could have, and whether one found no block.
func (e *Engine) advance(s *Step, budget int, prompts, decodes bool) (left int, short bool) {
	for i := 0; i < len(e.running) && budget > 0; {
		q := e.running[i]
		n := min(q.known()-q.Computed, budget)
		if n == 0 || !prompts && q.inPrompt() || !decodes && !q.inPrompt() { // 0: its last token is under way
			i++
			continue
		}
		room := e.room(q, q.Computed+n)
		for !room {
			if e.blocksOf(q.Computed+n)-len(q.blocks) <= e.pool.free()+e.pool.kept {
				short = true // moves under way keep frames that are free when they have ended
				break
			}
			victim := e.running[i+e.yields.Victim(e.running[i:])]
			s.Out += e.preempt(victim, e.yields.Swaps())
			short = true
			if victim == q {
				break
			}
			room = e.room(q, q.Computed+n)
		}
		if !room {
			break
		}
		e.compute(s, q, n)
		budget -= n
		i++
	}
	return budget, short
}

// inPrompt reports whether more than one entry of a sequence is not computed: of its prompt, or
// again.
func (q *Sequence) inPrompt() bool { return q.known()-q.Computed > 1 || q.issued == 0 }

// take admits sequences that wait to a step, as long as there is room, and returns how many more
// tokens the step could have.
func (e *Engine) take(s *Step, budget int, now units.Time) (left int) {
	for e.ready() > 0 && budget > 0 && len(e.running) < e.spec.Sequences {
		i := e.next()
		q := e.waiting[i]
		n, ok := e.admit(s, q, budget)
		if !ok {
			break
		}
		if i == 0 {
			e.waiting = e.waiting[1:]
		} else {
			e.waiting = slices.Delete(e.waiting, i, i+1)
		}
		e.running = append(e.running, q)
		q.State = Running
		if !q.Begun {
			q.Begun, q.Scheduled = true, now
		}
		e.compute(s, q, n)
		budget -= n
	}
	return budget
}

// next is which of those that wait is admitted next. Sequences that have blocks or ran before come
// first, in their order; the policy chooses among the others.
func (e *Engine) next() int {
	if q := e.waiting[0]; q.Begun || q.Preempted > 0 || len(q.blocks) > 0 {
		return 0
	}
	return e.admits.Next(e.waiting[:e.ready()])
}

// reveal lets the scheduler know of requests that arrived Spec.Lag steps ago, or of all while none runs.
func (e *Engine) reveal() {
	for _, q := range e.waiting[e.ready():] {
		if len(e.running) == 0 || e.Steps >= q.step+uint64(e.spec.Lag) {
			q.unseen = false
		}
	}
}

// ready is how many of those that wait the scheduler knows of; the others came last.
func (e *Engine) ready() int {
	n := len(e.waiting)
	for n > 0 && e.waiting[n-1].unseen {
		n--
	}
	return n
}

// compute adds n tokens of a sequence, which has the blocks for them, to a step.
func (e *Engine) compute(s *Step, q *Sequence, n int) {
	s.prompts = s.prompts || q.inPrompt()
	p := Part{Sequence: q, Tokens: n, Entries: q.Computed}
	q.Computed += n
	if q.Computed == q.Prompt+q.issued && q.issued < q.Output {
		p.Sample = true
		q.issued++
	}
	held := e.blocksOf(q.Computed)
	p.Blocks = q.blocks[:held:held]
	e.touch(p.Blocks)
	s.Parts = append(s.Parts, p)
	s.Tokens += n
	for full := q.Computed / e.spec.Block; q.named < full; q.named++ {
		e.pool.name(q.blocks[q.named], e.hash(q, q.named))
	}
}

// room allocates the blocks that a sequence lacks for a number of entries, all or none.
func (e *Engine) room(q *Sequence, entries int) bool {
	n := e.blocksOf(entries) - len(q.blocks)
	if n > e.pool.free() {
		return false
	}
	for range n {
		b := e.pool.take(e.tier())
		e.mover.fresh(b)
		q.blocks = append(q.blocks, b)
	}
	return true
}

// admit allocates the blocks of a waiting sequence and returns the number of tokens to compute.
func (e *Engine) admit(s *Step, q *Sequence, budget int) (n int, ok bool) {
	known := q.known()
	var hit []int32
	if q.Computed == 0 { // at least one token is computed
		hit = e.pool.find(e.hashesOf(q, (known-1)/e.spec.Block))
	}
	start := max(q.Computed, len(hit)*e.spec.Block)
	if q.Preempted == 0 && !q.lost {
		start = max(start, q.Cached)
	}
	n = known - start
	if n > budget && !e.spec.Chunked && n <= e.spec.Tokens { // what is computed again may be longer than a step
		return 0, false
	}
	n = min(n, budget)
	need := start + n
	if e.spec.Whole {
		need = known
	}
	idle := 0 // found, and free: they are no longer then
	for _, b := range hit {
		if e.pool.blocks[b].users == 0 {
			idle++
		}
	}
	promised := 0
	if e.traits.Keeps {
		need, promised = q.entries(), e.promised(q)
	}
	if e.blocksOf(need)-len(q.blocks)-len(hit)+idle+promised > e.pool.free() {
		return 0, false
	}
	for _, b := range hit {
		e.pool.join(b)
	}
	q.blocks = append(q.blocks, hit...)
	q.named = max(q.named, len(hit))
	if q.Computed == 0 {
		q.Hits += start
		e.Hits += uint64(start)
		e.Asked += uint64(known)
	}
	q.Computed, q.done = start, start
	if !e.room(q, start+n) {
		panic("serving: blocks that were counted are gone")
	}
	s.In += q.swapped
	e.host -= q.swapped
	q.swapped = 0
	return n, true
}

// promised is the blocks that other sequences with blocks lack for all of their tokens: those that
// run, are held, or wait to go on.
func (e *Engine) promised(but *Sequence) (n int) {
	for _, of := range [][]*Sequence{e.running, e.held, e.waiting[:e.fetched()]} {
		for _, q := range of {
			if q != but {
				n += e.blocksOf(q.entries()) - len(q.blocks)
			}
		}
	}
	return n
}

// preempt frees the blocks of a running sequence and queues it before all others. It returns the
// number of blocks written to host memory.
func (e *Engine) preempt(q *Sequence, swap bool) (out int) {
	e.running = slices.DeleteFunc(e.running, func(x *Sequence) bool { return x == q })
	e.front(q)
	q.State = Waiting
	q.Preempted++
	e.Preemptions++
	last := q.Keep && q.issued == q.Output // nothing is left to compute for one that comes back from the host
	if n := e.blocksOf(q.Computed); swap && !last && n <= e.spec.Host-e.host {
		e.host += n
		q.swapped, out = n, n
	} else {
		q.Computed, q.done = 0, 0
	}
	e.release(q)
	return out
}
