package ranks

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/engine"
)

// Waiting implements engine.Waiter: for each rank that is not done, the first
// operation that has started and has not ended, and whom it waits for.
func (c *Comp) Waiting() []engine.Wait {
	var out []engine.Wait
	for i := range c.ranks {
		if r := &c.ranks[i]; r.left > 0 {
			out = append(out, c.waits(int32(i)))
		}
	}
	return out
}

func (c *Comp) rankName(i int32) string {
	if i < 0 {
		return c.Name() + " any rank"
	}
	return c.where(i)
}

// waits says what a rank waits for.
func (c *Comp) waits(i int32) engine.Wait {
	w := engine.Wait{Who: c.rankName(i), For: c.Name()}
	if p := c.portOf(i); p >= 0 && c.ranks[i].out.Len() > 0 {
		return engine.Wait{Who: w.Who, For: c.ports[p].Name(), Why: fmt.Sprintf("%d messages find no room on the link", c.ranks[i].out.Len())}
	}
	// Receives first: they name whom they wait for.
	for k := range c.match.receives {
		p := &c.match.receives[k]
		if p.order > 0 && p.to == i && p.at.inst == program && c.open(k) {
			return engine.Wait{Who: w.Who, For: c.rankName(p.from), Why: c.ranks[i].program.Label(int(p.at.op)) + " has no message"}
		}
	}
	for k := range c.meets {
		if m := &c.meets[k]; k > 0 && m.msg.From == i && m.recv == (token{}) && c.announced(int32(k)) {
			return engine.Wait{Who: w.Who, For: c.rankName(m.msg.To), Why: c.ranks[i].program.Label(int(m.send.op)) + " is long and has no receive"}
		}
	}
	for _, in := range c.instances {
		if c.going[turn{in.group, in.turn}] != in {
			continue
		}
		for m, op := range in.member {
			if op < 0 || c.world(in.group, int32(m)) != i || in.left[m] == 0 {
				continue
			}
			for other, there := range in.member {
				if there < 0 {
					return engine.Wait{Who: w.Who, For: c.rankName(c.world(in.group, int32(other))), Why: c.ranks[i].program.Label(int(op)) + " lacks it"}
				}
			}
			w.Why = c.ranks[i].program.Label(int(op)) + " goes on"
			return w
		}
	}
	w.Why = fmt.Sprintf("%d operations are not done", c.ranks[i].left)
	return w
}

func (c *Comp) portOf(i int32) int32 {
	if c.port == nil {
		return -1
	}
	return c.port[i]
}

// open reports whether a receive is among those that are posted.
func (c *Comp) open(k int) bool {
	p := &c.match.receives[k]
	q := c.match.wild[p.to]
	if !p.wild() {
		q = c.match.exact[p.key]
	}
	for i := q.first; i != 0; i = c.match.receives[i].next {
		if int(i) == k {
			return true
		}
	}
	return false
}

// announced reports whether a meeting is under way and waits for its receive.
func (c *Comp) announced(k int32) bool {
	for i := range c.match.of {
		for m := c.match.of[i].first; m != nil; m = m.next {
			if m.kind == request && m.meet == k {
				return true
			}
		}
	}
	return false
}
