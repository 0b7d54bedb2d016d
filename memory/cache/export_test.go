package cache

// Impatient looks up every line that waits in every cycle, and reads as any access.
func (c *Timed) Impatient() { c.patient = false }
