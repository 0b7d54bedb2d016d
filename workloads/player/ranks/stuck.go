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
		if r := &c.ranks[i]; r.depend.Left() > 0 {
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
	if p := c.portOf(i); p >= 0 && c.ranks[i].nic.out.Len() > 0 {
		return engine.Wait{Who: w.Who, For: c.ports[p].Name(), Why: fmt.Sprintf("%d messages find no room on the link", c.ranks[i].nic.out.Len())}
	}
	label := func(op int32) string { return c.ranks[i].program.Label(int(op)) }
	// Receives first: they name whom they wait for.
	for k, at := range c.match.Posted(i) {
		if at.inst == program {
			return engine.Wait{Who: w.Who, For: c.rankName(k.From), Why: label(at.op) + " has no message"}
		}
	}
	for k := 1; k < len(c.meets.all); k++ {
		if m := &c.meets.all[k]; m.msg.From == i && m.recv == (token{}) && c.announced(int32(k), m.msg.To) {
			return engine.Wait{Who: w.Who, For: c.rankName(m.msg.To), Why: label(m.send.op) + " is long and has no receive"}
		}
	}
	if op, lacks, ok := c.joint.Blocked(i); ok {
		if lacks >= 0 {
			return engine.Wait{Who: w.Who, For: c.rankName(lacks), Why: label(op) + " lacks it"}
		}
		w.Why = label(op) + " goes on"
		return w
	}
	w.Why = fmt.Sprintf("%d operations are not done", c.ranks[i].depend.Left())
	return w
}

func (c *Comp) portOf(i int32) int32 {
	if c.port == nil {
		return -1
	}
	return c.port[i]
}

// announced reports whether the request of a meeting waits for its receive.
func (c *Comp) announced(k, to int32) bool {
	for m := range c.match.Messages(to) {
		if m.kind == request && m.meet == k {
			return true
		}
	}
	return false
}
