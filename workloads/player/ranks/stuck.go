package ranks

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/engine"
)

// posted is the first receive of a rank's program that waits, and the first of its long
// messages that lacks its receive.
type posted struct {
	receive bool
	from    int32 // of the receive
	op      int32
	long    int32 // 0: none
}

// Waiting implements engine.Waiter: for each unfinished rank the first operation that has started
// and not ended, and the rank that it waits for.
func (c *Comp) Waiting() []engine.Wait {
	all := make([]posted, len(c.ranks))
	for k, at := range c.match.Posted() {
		if p := &all[at.rank]; at.inst == program && !p.receive {
			p.receive, p.from, p.op = true, k.From, at.op
		}
	}
	for k := 1; k < len(c.meets.all); k++ {
		m := &c.meets.all[k]
		if p := &all[m.msg.From]; p.long == 0 && m.recv == (token{}) && c.announced(int32(k), m.msg.To) {
			p.long = int32(k)
		}
	}
	var out []engine.Wait
	for i := range c.ranks {
		if c.simulated(i).depend.Left() > 0 {
			out = append(out, c.waits(int32(i), all[i]))
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

// waits describes what a rank waits for.
func (c *Comp) waits(i int32, on posted) engine.Wait {
	w := engine.Wait{Who: c.rankName(i), For: c.Name()}
	if c.failed(i) {
		w.Why = fmt.Sprintf("it has failed: it begins nothing from cycle %d on", c.ranks[i].slowdown.fails)
		return w
	}
	if p := c.portOf(i); p >= 0 && c.ranks[i].nic.out.Len() > 0 {
		return engine.Wait{Who: w.Who, For: c.ports[p].Name(), Why: fmt.Sprintf("%d messages find no room on the link", c.ranks[i].nic.out.Len())}
	}
	label := func(op int32) string { return c.ranks[i].program.Label(int(op)) }
	// Receives first, because they name the rank that they wait for.
	if on.receive {
		return engine.Wait{Who: w.Who, For: c.rankName(on.from), Why: label(on.op) + " has no message"}
	}
	if m := &c.meets.all[on.long]; on.long > 0 {
		return engine.Wait{Who: w.Who, For: c.rankName(m.msg.To), Why: label(m.send.op) + " is long and has no receive"}
	}
	if op, lacks, ok := c.joint.Blocked(i); ok {
		if lacks >= 0 {
			return engine.Wait{Who: w.Who, For: c.rankName(lacks), Why: label(op) + " lacks it"}
		}
		w.Why = label(op) + " goes on"
		if gone, ok := c.lost(c.ranks[i].program.Op(int(op)).Group); ok {
			w.For, w.Why = c.rankName(gone), label(op)+" lacks its part"
		}
		return w
	}
	w.Why = fmt.Sprintf("%d operations are not done", c.ranks[i].depend.Left())
	return w
}

// lost is the first rank of a group that has failed: one of the stragglers.
func (c *Comp) lost(group int32) (first int32, ok bool) {
	for _, s := range c.spec.Stragglers {
		if i := int32(s.Rank); c.failed(i) && c.joint.Has(group, i) && (!ok || i < first) {
			first, ok = i, true
		}
	}
	return first, ok
}

func (c *Comp) portOf(i int32) int32 {
	if c.port == nil {
		return -1
	}
	return c.port[i]
}

// announced reports whether the request of a rendezvous waits for its receive.
func (c *Comp) announced(k, to int32) bool {
	for m := range c.match.Messages(to) {
		if m.kind == request && m.meet == k {
			return true
		}
	}
	return false
}
