package serving

// A sequence may begin on one engine and go on on another: prefill and decode apart. The first
// engine has the request with Keep: the blocks stay when it has its tokens (Held) until
// Release. The other one has it with the entries as Cached: Accept reserves their blocks, and
// Ready lets it go on when they have come.

// Fits reports whether the blocks of all tiers are enough for request i.
func (e *Engine) Fits(i int) bool { return e.blocksOf(e.all[i].entries()) <= len(e.pool.blocks) }

// Refuse is Arrive for a request that another engine could not go on with.
func (e *Engine) Refuse(i int) { e.all[i].State = Refused }

// Release frees the blocks of a request that is held.
func (e *Engine) Release(i int) {
	q := &e.all[i]
	if q.State == Held {
		e.drop(q)
		q.State = Done
	}
}

// Accept reserves blocks for the prompt of a request whose entries are under way, and holds
// it; false: there are too few of them now.
func (e *Engine) Accept(i int) bool {
	q := &e.all[i]
	if q.State != Coming || !e.room(q, q.Prompt) {
		return false
	}
	q.State = Held
	return true
}

// Ready lets a request go on that was accepted: before those that have no blocks. Where its
// entries are lost it computes them again.
func (e *Engine) Ready(i int, lost bool) {
	q := &e.all[i]
	q.lost = q.lost || lost
	e.open++
	q.State = Waiting
	if q.Computed = q.Cached; q.lost {
		q.Computed = 0
		e.release(q)
		e.waiting = append(e.waiting, q)
		return
	}
	at := e.fetched()
	e.waiting = append(e.waiting[:at:at], append([]*Sequence{q}, e.waiting[at:]...)...)
}

// fetched is how many of those that wait have their blocks; they are the first.
func (e *Engine) fetched() (n int) {
	for n < len(e.waiting) && len(e.waiting[n].blocks) > 0 {
		n++
	}
	return n
}
