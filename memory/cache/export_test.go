package cache

// Impatient looks up every line that waits in every cycle.
func (c *Timed) Impatient() { c.patient = false }
