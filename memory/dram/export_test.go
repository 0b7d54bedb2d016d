package dram

// Force notes a command without a check.
func (c *Checker) Force(r Record) { c.note(r); c.open = map[[3]int]uint32{} }

// Add counts a latency.
func (l *Latencies) Add(clocks int64) { l.add(clocks) }
