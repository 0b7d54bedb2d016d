package cache

import "github.com/causeway-sim/causeway/components/cause"

// A deed is what a cache with time does in an instant: the first of the list that holds.
type activity uint8

const (
	resting    activity = iota // no request is open
	lacksMSHR                  // a bank waits for a free MSHR
	lacksRoom                  // a bank waits for room in the write buffer
	lacksMerge                 // a bank waits since too many wait for its line
	queueing                   // lines wait for banks that are taken
	awaiting                   // lines are under way from below
	finding                    // hits, and answers on their way
	deeds
)

var deedNames = [deeds][2]string{
	lacksMSHR:  {"mshrs_full", "with misses that wait for a free MSHR"},
	lacksRoom:  {"write_buffer_full", "with accesses that wait for room in the write buffer"},
	lacksMerge: {"merges_full", "with accesses to a line that no more may wait for"},
	queueing:   {"bank_conflicts", "with lines that wait for their bank"},
	awaiting:   {"below", "waiting for lines from below"},
	finding:    {"lookup", "with hits and answers"},
}

// A book has the cycles of a cache by deed.
type book struct {
	cycles [deeds]uint64
	stood  uint64        // cycle up to which they are booked
	now    activity      // from then on
	stuck  [deeds]uint32 // banks that wait, by what for
	waits  waits
}

// waits counts lookups that had to wait, by what for.
type waits struct{ mshr, merge, buffer uint64 }

// turn books the cycles up to one.
func (k *book) turn(cycle uint64) {
	k.cycles[k.now] += cycle - k.stood
	k.stood = cycle
}

// blocked notes what a bank waits for, and what it has waited for so far.
func (k *book) blocked(was, is *uint64) {
	if was != nil {
		k.stuck[k.lacks(was)]--
	}
	if is != nil {
		k.stuck[k.lacks(is)]++
	}
}

// lacks is the deed of a counter of waits; of none, queueing.
func (k *book) lacks(why *uint64) activity {
	switch why {
	case nil:
		return queueing
	case &k.waits.mshr:
		return lacksMSHR
	case &k.waits.buffer:
		return lacksRoom
	}
	return lacksMerge
}

// judge finds what the cache does from a cycle on.
func (c *Timed) judge(cycle uint64) {
	k := &c.book
	k.turn(cycle)
	switch {
	case c.open() == 0:
		k.now = resting
	case k.stuck[lacksMSHR] > 0:
		k.now = lacksMSHR
	case k.stuck[lacksRoom] > 0:
		k.now = lacksRoom
	case k.stuck[lacksMerge] > 0:
		k.now = lacksMerge
	case c.waiting > 0:
		k.now = queueing
	case c.mshrs.Open() > 0:
		k.now = awaiting
	default:
		k.now = finding
	}
}

// Causes implements system.Causal.
func (c *Timed) Causes() *cause.Tree {
	t := cause.New(c.Name(), cause.Cache)
	for d, name := range deedNames {
		if name[0] == "" {
			continue
		}
		p := t.Add(name[0], name[1], c.clock.Nanoseconds(c.book.cycles[d]))
		if activity(d) == awaiting || activity(d) == lacksMSHR {
			p.Below(c.below.Homes.HomeName())
		}
	}
	c.misses(t)
	return t
}

// Causes implements system.Causal. A functional cache takes no time itself: what its requests
// take is that of what is below. Requests overlap, so the time is at most that from the first
// to the last of them.
func (c *Functional) Causes() *cause.Tree {
	t := cause.New(c.Name(), cause.Cache)
	n := &c.count
	if n.last > n.first {
		t.Add("below", "waiting for lines from below", c.clock.Nanoseconds(min(n.latency, n.last-n.first))).Below(c.below.Homes.HomeName())
	}
	c.misses(t)
	return t
}

// misses remarks how many accesses miss.
func (b *base) misses(t *cause.Tree) {
	k := &b.core.Count
	if k.Accesses > 0 {
		t.Remark("%.1f %% of the accesses to lines of %s miss", 100*float64(k.Misses)/float64(k.Accesses), cause.Base(b.Name()))
	}
}
