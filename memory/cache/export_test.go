package cache

// Impatient looks up every line that waits in every cycle, and reads as any access.
func (c *Timed) Impatient() { c.patient = false }

// Looks is the number of lookups kept to be explained.
func (c *Timed) Looks() int { return len(c.looks) }

// Hints is the number of hints kept for requests below.
func (c *Timed) Hints() int { return c.hints.Taken() }
