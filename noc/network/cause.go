package network

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/noc/topology"
)

// classWords are what a channel of a class does.
var classWords = [topology.Global + 1]string{
	topology.Terminal: "carrying flits to terminals",
	topology.Local:    "carrying flits between routers",
	topology.Global:   "carrying flits between groups",
}

// named bounds the channels of a class that a tree of causes names.
const named = 3

// Causes implements system.Causal: the mean over channels of the time in which they carried
// something, by class, and of that what the busiest channels of a class have.
func (c *Comp) Causes() *cause.Tree {
	x, ok := c.core.(Channeled)
	if !ok {
		return nil
	}
	type channel struct {
		router, port int
		busy         float64
	}
	var all [len(classWords)][]channel
	n, sum := 0, 0.0
	most := channel{busy: -1}
	x.EachChannel(func(router, port int, u Use) {
		k := channel{router, port, u.Busy}
		class := c.top.Class(router, port)
		all[class] = append(all[class], k)
		n++
		sum += u.Busy
		if k.busy > most.busy {
			most = k
		}
	})
	t := cause.New(c.Name(), cause.Network).Of("channels of " + c.Name())
	ns := c.Clock().Nanoseconds(1)
	t.Until(float64(c.count.last) * ns)
	for class, ks := range all {
		busy := 0.0
		for _, k := range ks {
			busy += k.busy
		}
		name := topology.Class(class).String()
		p := t.Add(name, classWords[class], busy*ns/float64(n))
		slices.SortStableFunc(ks, func(a, b channel) int { return cmp.Compare(b.busy, a.busy) })
		for _, k := range ks[:min(len(ks), named)] {
			p.AddAt("channel", c.channelName(k.router, k.port), "", k.busy*ns/float64(n))
		}
	}
	if sum > 0 && c.count.last > 0 {
		t.Remark("the busiest channel is %s, busy %.1f %% of the time and %.1f times the mean", c.channelName(most.router, most.port), 100*most.busy/float64(c.count.last), most.busy*float64(n)/sum)
	}
	return t
}

// channelName says where a channel leads.
func (c *Comp) channelName(router, port int) string {
	if r, _, ok := c.top.Peer(router, port); ok {
		return fmt.Sprintf("router %d to router %d", router, r)
	}
	for i := range c.top.Terminals() {
		if r, p := c.top.Home(i); r == router && p == port {
			return fmt.Sprintf("router %d to terminal %d", router, i)
		}
	}
	return fmt.Sprintf("router %d, port %d", router, port)
}
