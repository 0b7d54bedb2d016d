package systolic

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/systolic/burst"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory"
)

// A recurrence computes when the bursts of the schedule are issued and
// answered, one after the other, without events. It is the analytic fidelity's
// model of the DMA engine and of the memory below the port: for burst k
//
//	issue(k)  = max(issue(k-1)+1, gate, first cycle with fewer than W in flight)
//	arrive(k) = issue(k) + link + queue for the bandwidth + latency + link
//
// Everything is a maximum of sums, so no later input makes an output earlier.
type recurrence struct {
	cut   burst.Cutter
	lanes []lane
	next  uint64 // first cycle in which the DMA engine may issue again
	gate  uint64 // first cycle at which the transfers being walked may be issued
	last  uint64 // latest answer to anything issued so far

	// Answers under way, ascending: window in a ring. len(flight) is the number
	// of bursts that may be in flight.
	flight     []uint64
	head, size int

	carried int                         // of how many of the first steps the job before has fetched the weights
	came    [aheadSteps][buffers]uint64 // when their last answer came

	of      *core // the core whose time series are recorded; nil records none
	write   bool  // the transfers being walked are stores
	snap    snapshot
	plod    bool   // never skip; for tests
	skipped uint64 // bursts that were not walked
}

// A lane is one memory below the port.
type lane struct {
	there, back clock.Crossing
	path        memory.Path
	channel     memory.Serializer
	latest      uint64 // answer to the last burst
	sent        memory.Traffic
	pace        stats.Pace // of what is watched
}

func newRecurrence(r *burst.Routes, core clock.Clock, align uint64, window int) *recurrence {
	rec := &recurrence{
		cut:    burst.Cutter{Routes: r, Align: align},
		flight: make([]uint64, window),
	}
	for _, t := range r.Targets {
		p := t.Path
		rec.lanes = append(rec.lanes, lane{
			there: clock.NewCrossing(core, p.Clock), back: clock.NewCrossing(p.Clock, core),
			path: p, channel: memory.NewSerializer(p.Bandwidth, p.Clock), pace: stats.Pace{Peak: float64(p.Bandwidth) / 8e9},
		})
	}
	rec.snap.flight = make([]uint64, window)
	return rec
}

// issue sends one burst as early as may be and returns when its answer is here.
func (r *recurrence) issue(b burst.Burst) (arrive uint64) {
	at := max(r.next, r.gate)
	if r.size == len(r.flight) {
		at = max(at, r.flight[r.head])
		if r.head++; r.head == len(r.flight) {
			r.head = 0
		}
		r.size--
	}
	r.next = at + 1
	l := &r.lanes[b.Target]
	in := l.there.After(at) + l.path.Request - 1
	passed := l.channel.Transfer(in, b.Size)
	if r.of != nil && r.of.moved != nil {
		r.of.moved.Through(&l.pace, float64(b.Size), l.path.Clock.Nanoseconds(passed))
	}
	out := passed + l.path.Latency
	arrive = l.back.After(out) + l.path.Response - 1
	l.latest = arrive
	l.sent.Count(memory.Request{Bytes: b.Size, Write: r.write})
	r.last = max(r.last, arrive)
	r.insert(arrive)
	return arrive
}

// reckon counts the n bytes at addr as requests, although no transfer moves them.
func (r *recurrence) reckon(addr, n uint64, write bool) {
	if n == 0 {
		return
	}
	rg, port, _, ok := r.cut.Routes.Map.Find(addr)
	if !ok {
		return
	}
	t := memory.Traffic{}
	t.Count(memory.Request{Bytes: n, Write: write})
	if more := (n+r.cut.Align-1)/r.cut.Align - 1; write {
		t.Writes += more
	} else {
		t.Reads += more
	}
	r.lanes[r.cut.Routes.TargetOf(rg, port)].sent.Add(t)
}

// insert keeps the ring ascending. From one memory answers come in order, so
// that this is an append.
func (r *recurrence) insert(at uint64) {
	w := len(r.flight)
	i := r.head + r.size
	if i >= w {
		i -= w
	}
	for n := r.size; n > 0; n-- {
		before := i - 1
		if before < 0 {
			before = w - 1
		}
		if r.flight[before] <= at {
			break
		}
		r.flight[i] = r.flight[before]
		i = before
	}
	r.flight[i] = at
	r.size++
}

// transfer sends all bursts of t and returns when the last answer is here.
func (r *recurrence) transfer(t *dma.Transfer, base uint64, in *memory.Spread) (arrive uint64) {
	r.cut.Begin(t, base, in)
	for {
		if !r.plod {
			if at, ok := r.rows(); ok {
				arrive = max(arrive, at)
			}
			if n := r.cut.Uniform(); n >= leastSkip {
				arrive = max(arrive, r.uniform(n))
				continue
			}
		}
		b, ok := r.cut.Next()
		if !ok {
			return arrive
		}
		arrive = max(arrive, r.issue(b))
	}
}

// A walker yields the steps of a job; mapping.Walker is the one that is used.
type walker interface{ Next(*dma.Step) bool }

// job walks the steps of one job that begins at cycle from, and returns the
// cycle at which it ends: nothing computes and every request is answered, but for
// weights of the next job.
func (r *recurrence) job(steps walker, of *share, from uint64, book *stalls, next *lookahead) (end uint64) {
	var (
		s        dma.Step
		stores   [2][]dma.Transfer // of steps i-2 and i-1, by i%2
		done     = [2]uint64{from, from}
		previous = from // end of compute of step i-1
		own      = from // latest answer to a store
		i        int
		last     uint64 // cycles of the step before
		at       = of.base
	)
	flush := func() {
		r.gate, r.write = done[i%2], true
		for j := range stores[i%2] {
			t := &stores[i%2][j]
			own = max(own, r.transfer(t, at.of(t.Tensor), of.over(t.Tensor)))
		}
		stores[i%2], r.write = stores[i%2][:0], false
	}
	for ; steps.Next(&s); i++ {
		flush()
		var ready [buffers]uint64
		start := previous
		here := i < r.carried
		if here {
			ready = r.came[i]
		}
		issued := false
		for j := range s.Loads {
			t := &s.Loads[j]
			if here && fetchedAhead(t, of.roles) {
				continue
			}
			issued = true
			ready[t.Buffer] = max(ready[t.Buffer], r.transfer(t, at.of(t.Tensor), of.over(t.Tensor)))
		}
		if !issued {
			// Nothing to wait for but the half buffer that step i-2 filled.
			start = max(start, r.next)
		}
		start = max(start, ready[0], ready[1], ready[2])
		book.wait(previous, start, &ready)
		book[compute] += uint64(s.Cycles)
		last = uint64(s.Cycles)
		previous = start + last
		if r.of != nil && r.of.did != nil {
			c := r.of.clock
			r.of.did.Add(float64(s.MACs), c.Nanoseconds(start), c.Nanoseconds(previous))
		}
		done[i%2] = previous
		stores[i%2] = append(stores[i%2], s.Stores...)
	}
	end = previous
	next = next.after(last)
	r.carried = 0
	if next != nil {
		r.carried = next.steps
	}
	for p := range aheadSteps {
		flush()
		i++
		if next == nil {
			continue
		}
		r.came[p] = [buffers]uint64{}
		for j := range next.loads[p] {
			t := &next.loads[p][j]
			r.came[p][t.Buffer] = max(r.came[p][t.Buffer], r.transfer(t, next.base.of(t.Tensor), nil))
			end = max(end, r.next)
		}
	}
	end = max(end, own)
	book[storing] += end - previous
	return end
}
