package serve

// balance lets prompts wait until each engine of a lane has one, where the rules say so: an engine
// whose step has a prompt holds up all others, which step with it. They wait no longer than the steps
// of the rules, and not while an engine has no other sequence to go on with.
func (c *Comp) balance(l *lane) {
	if c.traits.Balance == 0 || l.n == 1 {
		return
	}
	prompts, busy := 0, 0
	for _, e := range c.of(l) {
		has, decodes := e.Waits()
		if has {
			prompts++
		}
		if decodes {
			busy++
		}
	}
	l.held++
	hold := prompts < l.n && busy == l.n && l.held < c.traits.Balance
	if !hold {
		l.held = 0
	}
	for _, e := range c.of(l) {
		e.Hold(hold)
	}
}
