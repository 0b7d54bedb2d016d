package schedule

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/units"
)

// What the executors of a node do in an instant, for cause.Turns: 0 is that there is no request.
const (
	allAtWork = iota + 1
	someAtWork
	transferring // interfaces alone
	noneAtWork
	equal // operators are taken as equal to others (simulation.repeat)
)

var doingNames = [equal][2]string{
	allAtWork:    {"executors", "with all executors at work"},
	someAtWork:   {"dependencies", "with some executors at work and no operator that the others may begin"},
	transferring: {"transfers", "waiting for transfers alone"},
	noneAtWork:   {"decisions", "with requests, and no executor at work"},
}

// doing is what the executors do from now on.
func (c *Comp) doing() int {
	ordered, concurrent := c.state.AtWork()
	switch {
	case c.sample != nil && c.sample.Hold() > 0:
		return equal
	case c.state.Live() == 0:
		return 0
	case ordered == c.ordered && ordered > 0:
		return allAtWork
	case ordered > 0:
		return someAtWork
	case concurrent > 0:
		return transferring
	}
	return noneAtWork
}

// Causes implements system.Causal: the activity of the executors while there were requests. The
// time of skipped operators is divided as that of simulated ones.
func (c *Comp) Causes() *cause.Tree {
	t := cause.New(c.Name(), cause.Player)
	all := uint64(0)
	for d := allAtWork; d < equal; d++ {
		all += c.turns.Sum(d)
	}
	if all == 0 {
		return t
	}
	more := 1 + float64(c.turns.Sum(equal))/float64(all)
	for d := allAtWork; d < equal; d++ {
		t.Add(doingNames[d][0], doingNames[d][1], ns(units.Time(c.turns.Sum(d)))*more)
	}
	var says []string
	if s := c.extremes(); s != "" {
		says = append(says, s)
	}
	if s := c.queued(); s != "" {
		says = append(says, s)
	}
	if len(says) > 0 {
		t.Remark("%s", strings.Join(says, "; "))
	}
	return t
}

// extremes names the executors with the longest and the shortest busy time; "" for fewer than two.
func (c *Comp) extremes() string {
	most, least := -1, -1
	for i := range c.state.Executors {
		x := &c.state.Executors[i]
		if x.Concurrent {
			continue
		}
		if most < 0 || x.Busy > c.state.Executors[most].Busy {
			most = i
		}
		if least < 0 || x.Busy < c.state.Executors[least].Busy {
			least = i
		}
	}
	if c.end == 0 || most < 0 || c.ordered < 2 {
		return ""
	}
	share := func(i int) float64 { return 100 * float64(c.state.Executors[i].Busy) / float64(c.end) }
	if c.state.Executors[most].Busy == c.state.Executors[least].Busy {
		return fmt.Sprintf("each executor is at work for %.1f %% of the time", share(most))
	}
	return fmt.Sprintf("%s is at work for %.1f %% of the time, %s for %.1f %%", c.state.Executors[most].Name, share(most), c.state.Executors[least].Name, share(least))
}

// queued describes the share of their time that requests wait until they begin; "" for a single
// request.
func (c *Comp) queued() string {
	wait, all := units.Time(0), units.Time(0)
	n := 0
	for i := range c.served {
		if s := &c.served[i]; s.Finished() && s.Begun() {
			wait += s.Begin - min(s.Begin, s.Arrival)
			all += s.End - min(s.End, s.Arrival)
			n++
		}
	}
	if n < 2 || 100*wait < all { // less than a percent is not worth a clause
		return ""
	}
	return fmt.Sprintf("of the time of a request, %.1f %% is until its first operator", 100*float64(wait)/float64(all))
}
