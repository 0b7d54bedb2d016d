package cache

import "github.com/causeway-sim/causeway/memory/cache/tagstore"

// Impatient looks up every line that waits in every cycle, and reads as any access.
func (c *Timed) Impatient() { c.patient = false }

// Looks is the number of lookups kept to be explained.
func (c *Timed) Looks() int { return len(c.looks) }

// Hints is the number of hints kept for requests below.
func (c *Timed) Hints() int { return c.hints.Taken() }

// LinesAhead is 1 if a line of a cache was prefetched and not accessed yet, else 0.
func LinesAhead(c any, line uint64) float64 {
	var core *tagstore.Store
	switch c := c.(type) {
	case *Timed:
		core = c.core
	case *Functional:
		core = c.core
	}
	if set := core.Set(line); core.Has(line) && core.Ahead(set, core.Way(set, line)) {
		return 1
	}
	return 0
}
