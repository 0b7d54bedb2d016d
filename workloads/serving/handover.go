package serving

import "slices"

// A sequence may begin on one engine and go on on another: prefill and decode apart. The first
// engine has the request with Keep: the blocks stay when it has its tokens (Held) until
// Release. The other one has it with the entries as Cached: Accept reserves their blocks, and
// Ready lets it go on when they have come. Where they are lost before that, Decline frees what
// Accept reserved, and Again lets the first engine compute them once more. Blocks of a request
// that is held stay where they are; once those that move already are there (Settled) the
// entries may be read, or written, where Places says.

// Fits reports whether all blocks of all tiers together are enough for request i.
func (e *Engine) Fits(i int) bool { return e.blocksOf(e.all[i].entries()) <= len(e.pool.blocks) }

// Refuse refuses a request that another engine could not continue.
func (e *Engine) Refuse(i int) { e.all[i].State = Refused }

// Release frees the blocks of a held request.
func (e *Engine) Release(i int) {
	q := &e.all[i]
	if q.State == Held {
		e.drop(q)
		q.State = Done
	}
}

// Accept reserves blocks for the prompt of a request whose entries are being transferred, and
// holds the request. It returns false if there are too few free blocks; by rules under which none
// loses its blocks, too few for all of its tokens and those of the others.
func (e *Engine) Accept(i int) bool {
	q := &e.all[i]
	if q.State != Coming || e.traits.Keeps && e.blocksOf(q.entries())+e.promised(q) > e.pool.free() || !e.room(q, q.Prompt) {
		return false
	}
	e.keep(q)
	return true
}

// Settled reports whether no block of a request is moving.
func (e *Engine) Settled(i int) bool {
	return !slices.ContainsFunc(e.all[i].blocks, func(b int32) bool { return e.pool.blocks[b].busy })
}

// Places appends the locations of the first entries of a held request.
func (e *Engine) Places(dst []Span, i, entries int) []Span {
	return e.spans(dst, e.all[i].blocks, 0, entries)
}

// Decline cancels an Accept whose entries do not arrive.
func (e *Engine) Decline(i int) {
	if q := &e.all[i]; q.State == Held {
		e.unhold(q)
		e.release(q)
		q.State = Coming
	}
}

// Ready continues an accepted request, before requests without blocks.
func (e *Engine) Ready(i int) {
	q := &e.all[i]
	e.unhold(q)
	e.open++
	q.State = Waiting
	q.Computed, q.done, q.high = q.Cached, q.Cached, max(q.high, q.Cached)
	e.front(q)
}

// Again discards the entries of a held request. They are recomputed before those of waiting
// requests, and the request is held again. Its tokens are kept.
func (e *Engine) Again(i int) {
	q := &e.all[i]
	if q.State != Held {
		return
	}
	e.unhold(q)
	e.release(q)
	e.open++
	q.State, q.Computed, q.lost = Waiting, 0, true
	q.Preempted++
	e.Preemptions++
	e.front(q)
}

// front lets a sequence wait before those that have no blocks.
func (e *Engine) front(q *Sequence) { e.waiting = slices.Insert(e.waiting, e.fetched(), q) }

// hold keeps the blocks of a sequence that is computed, until Release.
func (e *Engine) hold(q *Sequence) {
	e.open--
	e.running = slices.DeleteFunc(e.running, func(x *Sequence) bool { return x == q })
	e.keep(q)
}

// keep makes a sequence one that is held, and unhold one that is not any more.
func (e *Engine) keep(q *Sequence) {
	q.State = Held
	e.held = append(e.held, q)
}

func (e *Engine) unhold(q *Sequence) {
	e.held = slices.DeleteFunc(e.held, func(x *Sequence) bool { return x == q })
}

// again reports whether entries of a request that is to be held are all there once more, when
// a step has computed so many.
func (q *Sequence) again(entries int) bool {
	return q.Keep && q.State == Running && q.Got == q.Output && entries == q.known()
}

// fetched is how many of those that wait have their blocks; they are the first.
func (e *Engine) fetched() (n int) {
	for n < len(e.waiting) && len(e.waiting[n].blocks) > 0 {
		n++
	}
	return n
}
