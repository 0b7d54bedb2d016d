package cpu

import "github.com/causeway-sim/causeway/components/cause"

// A deed is the activity of a core at an instant: the first of the list that applies.
type activity uint8

const (
	dispatching activity = iota // no access is under way
	loading                     // accesses are under way in memory
	translating                 // and none but those whose pages are looked up
	deeds
)

// A book has the cycles of a core by deed.
type book struct {
	cycles [deeds]uint64
	stood  uint64   // cycle up to which they are booked
	now    activity // from then on
}

// judge determines the activity of the core from a cycle on.
func (c *Comp) judge(cycle uint64) {
	k := &c.book
	k.cycles[k.now] += cycle - k.stood
	k.stood = cycle
	switch {
	case c.loads+c.stores == 0:
		k.now = dispatching
	case c.walking() || c.late.Len() > 0 && c.calls.InFlight() == 0:
		k.now = translating
	default:
		k.now = loading
	}
}

// walking reports whether all that is under way are reads of walks, or the time that walks
// take themselves.
func (c *Comp) walking() bool {
	n := 0
	for i := range c.walks {
		if c.walks[i].busy {
			n++
		}
	}
	return n > 0 && c.calls.InFlight() <= n
}

// Causes implements system.Causal. The cycles are those up to the last answer.
func (c *Comp) Causes() *cause.Tree {
	k, n := &c.book, &c.count
	t := cause.New(c.Name(), cause.Player)
	t.Add("memory", "waiting for loads and stores", c.clock.Nanoseconds(k.cycles[loading])).Below(c.homes.HomeName())
	t.Add("translation", "waiting for translations of pages", c.clock.Nanoseconds(k.cycles[translating]))
	t.Add("dispatch", "with instructions between accesses", c.clock.Nanoseconds(n.last-min(n.last, k.cycles[loading]+k.cycles[translating])))
	if n.latency.Count() > 0 {
		t.Remark("a load takes %.4g ns on average", float64(n.latency.Sum())/float64(n.latency.Count())*c.clock.Nanoseconds(1))
	}
	return t
}
