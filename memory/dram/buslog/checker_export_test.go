package buslog

// Force notes a command without a check.
func (c *Checker) Force(r Record) {
	c.note(r)
	c.open = map[[3]int]uint32{}
	_ = c.power(r)
}
