package network

import "github.com/sarchlab/akita/v3/sim"

// Carries reports whether a message that f selects is under way in the network, or waits to enter
// it. A message that has come to its terminal and finds no room on the link is not under way: its
// receiver has to act first.
func (c *Comp) Carries(f func(sim.Msg) bool) bool {
	for _, p := range c.ports {
		if m := p.Peek(); m != nil && f(m) {
			return true
		}
	}
	blocked := map[int32]bool{}
	for _, t := range c.stuck {
		for id := c.boxes[t].first; id != 0; id = c.slots[id].next {
			blocked[id] = true
		}
	}
	for id := range c.slots {
		if s := &c.slots[id]; s.msg != nil && !blocked[int32(id)] && f(s.msg) {
			return true
		}
	}
	return false
}
