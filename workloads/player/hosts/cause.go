package hosts

import "github.com/causeway-sim/causeway/components/cause"

// What a host does in an instant: the first that holds.
const (
	resting = iota
	signalling
	computing
	accessing
	sending
)

// judge records the activity of a host from a time in ps on.
func (h *host) judge(t int64) {
	to := sending
	switch {
	case h.over && h.all == 0:
		to = resting
	case h.waits != never:
		to = signalling
	case h.at > t:
		to = computing
	case h.all > 0:
		to = accessing
	}
	h.turns.Turn(uint64(t), to)
}

// Causes implements system.Causal: the time of all hosts.
func (c *Comp) Causes() *cause.Tree {
	t, ns := cause.New(c.Name(), cause.Player), fine.Nanoseconds
	if t.Nodes = len(c.hosts); t.Nodes > 1 {
		t.Of("the hosts of " + cause.Base(c.Name()))
	}
	var sum [sending + 1]uint64
	home, last := c.hosts[0].homes.HomeName(), int64(0)
	for i := range c.hosts {
		h := &c.hosts[i]
		for k := range sum {
			sum[k] += h.turns.Sum(k)
		}
		if h.over {
			sum[computing] += uint64(h.program.Tail)
		}
		if h.homes.HomeName() != home {
			home = ""
		}
		last = max(last, h.count.finish)
	}
	t.Until(ns(uint64(last)))
	t.Add("signals", "waiting for data that other hosts write", ns(sum[signalling]))
	t.Add("compute", "computing and in overheads of packets", ns(sum[computing]))
	t.Add("memory", "waiting for packets under way", ns(sum[accessing])).Below(home)
	t.Add("wire", "waiting for room on the wire", ns(sum[sending]))
	return t
}
