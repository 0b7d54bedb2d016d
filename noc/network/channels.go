package network

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/stats"
)

// A Use is the use of one direction of a channel.
type Use struct {
	Busy   float64 // cycles in which it carried something
	Flits  uint64  // carried flits
	Stalls float64 // cycles that packets, or flits with a virtual channel, waited for it, summed; below 0: not counted
}

// A Channeled core reports the use of every channel that leaves a router.
type Channeled interface {
	EachChannel(f func(router, port int, use Use))
}

// A StallCounter is a core that can count, per channel, the cycles that flits wait for it.
// CountStalls is called before the run; without it Use.Stalls is negative.
type StallCounter interface{ CountStalls() }

// RecordChannels implements system.Channeled. It is called before the run.
func (c *Comp) RecordChannels() {
	if x, ok := c.core.(StallCounter); ok {
		x.CountStalls()
	}
}

// Channels implements system.Channeled: a row per channel that leaves a router.
func (c *Comp) Channels() *stats.Table {
	x, ok := c.core.(Channeled)
	if !ok {
		return nil
	}
	t := &stats.Table{Columns: []stats.Column{
		{Name: "router", Text: "Router that the channel leaves."},
		{Name: "port", Text: "Its port."},
		{Name: "to", Text: "Router or terminal at the other end."},
		{Name: "class", Text: "terminal, local or global."},
		{Name: "busy", Unit: stats.Cycle, Text: "Cycles in which it carried something."},
		{Name: "flits", Unit: stats.Flit, Text: "Flits that it carried."},
		{Name: "stalls", Unit: stats.Cycle, Text: "Cycles that packets (flit: front flits with a virtual channel) waited for it, summed."},
	}}
	homes := map[[2]int]int{}
	for i := range c.top.Terminals() {
		r, p := c.top.Home(i)
		homes[[2]int{r, p}] = i
	}
	x.EachChannel(func(router, port int, u Use) {
		to := ""
		if i, ok := homes[[2]int{router, port}]; ok {
			to = fmt.Sprintf("terminal %d", i)
		} else if r, _, ok := c.top.Peer(router, port); ok {
			to = fmt.Sprintf("router %d", r)
		}
		stalls := any(nil)
		if u.Stalls >= 0 {
			stalls = u.Stalls
		}
		t.Append(router, port, to, c.top.Class(router, port).String(), u.Busy, u.Flits, stalls)
	})
	return t
}

// flitHops counts the flits that left routers, to a terminal included.
func (c *Comp) flitHops() (n uint64) {
	if x, ok := c.core.(Channeled); ok {
		x.EachChannel(func(_, _ int, u Use) { n += u.Flits })
	}
	return n
}
