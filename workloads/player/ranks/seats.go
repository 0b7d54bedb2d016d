package ranks

import (
	"math/bits"

	"github.com/sarchlab/akita/v3/sim"
)

// seats are the agents to which something has happened, a bit for each rank: others are not
// looked at.
type seats struct {
	of      map[sim.Port]int32 // ranks by the ports of their agents, but for those of the network
	stirred []uint64           // something came to a port of the agent, or there is room again
	asked   []uint64           // as stirred, in this cycle
	moving  []uint64           // a mover has pieces to go on with
	answer  []uint64           // the agent may have something to say
}

// open makes room for the agents, all of which are looked at once.
func (s *seats) open(ranks int) {
	n := (ranks + 63) / 64
	s.of = map[sim.Port]int32{}
	s.stirred, s.asked, s.moving, s.answer = make([]uint64, n), make([]uint64, n), make([]uint64, n), make([]uint64, n)
	for i := range ranks {
		mark(s.stirred, int32(i))
	}
}

func mark(set []uint64, i int32) { set[i>>6] |= 1 << (i & 63) }

// next is the first member of a set from i on, which is no longer one; -1: none.
func next(set []uint64, i int32) int32 {
	for w := int(i >> 6); w < len(set); w++ {
		b := set[w]
		if w == int(i>>6) {
			b &^= 1<<(i&63) - 1
		}
		if b != 0 {
			at := bits.TrailingZeros64(b)
			set[w] &^= 1 << at
			return int32(w<<6 + at)
		}
	}
	return -1
}

// stir receives the messages of agents since the last cycle.
func (c *Comp) stir() {
	c.mu.Lock()
	for w, b := range c.seats.stirred {
		c.seats.stirred[w] = 0
		c.seats.asked[w] |= b
		c.seats.moving[w] |= b
		c.seats.answer[w] |= b
	}
	c.mu.Unlock()
}

// askAgents begins the operations that were issued to agents.
func (c *Comp) askAgents() (err error) {
	if !c.agents {
		return nil
	}
	c.stir()
	for i := next(c.seats.asked, 0); i >= 0; i = next(c.seats.asked, i+1) {
		a := c.ranks[i].agent
		if a == nil {
			continue
		}
		if c.scratch, err = a.Asked(c.time, c.now, c.scratch[:0]); err != nil {
			return err
		}
		if n := c.ranks[i].late(c.scratch); n > 0 {
			c.count.ops += uint64(n)
			c.ranks[i].depend.Asked(n)
		}
		if len(c.scratch) > 0 {
			c.asks(i, len(c.scratch))
		}
		c.queue(i, c.scratch)
	}
	return nil
}

// answerAgents makes agents send their pending messages.
func (c *Comp) answerAgents() {
	for i := next(c.seats.answer, 0); i >= 0; i = next(c.seats.answer, i+1) {
		if a := c.ranks[i].agent; a != nil {
			a.Answer(c.time, c.now)
		}
	}
}
