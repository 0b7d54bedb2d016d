package network

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/noc/topology"
)

// classWords are what a channel of a class does.
var classWords = [topology.Global + 1]string{
	topology.Terminal: "carrying flits to terminals",
	topology.Local:    "carrying flits between routers",
	topology.Global:   "carrying flits between groups",
}

// namedChannels is the most channels of a class that a tree of causes names.
const namedChannels = 3

// Causes implements system.Causal: by class, the mean busy time of channels, and that of the
// busiest ones.
func (c *Comp) Causes() *cause.Tree {
	x, ok := c.core.(Channeled)
	if !ok {
		return nil
	}
	var all [len(classWords)][]channel
	n, sum := 0, 0.0
	x.EachChannel(func(router, port int, u Use) {
		k := channel{router, port, u.Busy}
		class := c.top.Class(router, port)
		all[class] = append(all[class], k)
		n++
		sum += u.Busy
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
		slices.SortStableFunc(ks, byUse)
		for _, k := range ks[:min(len(ks), namedChannels)] {
			p.AddAt("channel", c.channelName(k.router, k.port), "", k.busy*ns/float64(n))
		}
	}
	if sum > 0 && c.count.last > 0 {
		c.busiest(t, slices.Concat(all[:]...))
	}
	return t
}

// A channel of a router, and the cycles in which it carried something.
type channel struct {
	router, port int
	busy         float64
}

func byUse(a, b channel) int { return cmp.Compare(b.busy, a.busy) }

// busiest names the channels that carried something for longest.
func (c *Comp) busiest(t *cause.Tree, all []channel) {
	slices.SortStableFunc(all, byUse)
	share := func(busy float64) float64 { return busy / float64(c.count.last) }
	t.Busiest(c.channelName(all[0].router, all[0].port), share(all[0].busy))
	var names []string
	for _, k := range all[:min(len(all), namedChannels)] {
		if k.busy > 0 {
			names = append(names, fmt.Sprintf("%s (%.1f %%)", c.channelName(k.router, k.port), 100*share(k.busy)))
		}
	}
	t.Remark("busiest of its channels: %s", strings.Join(names, ", "))
}

// channelName is where a channel leads: Net.r3->r7, or Net.r3->t5 to a terminal. Parallel
// channels have their port, too.
func (c *Comp) channelName(router, port int) string {
	if to, _, ok := c.top.Peer(router, port); ok {
		name := fmt.Sprintf("%s.r%d->r%d", c.Name(), router, to)
		for p := range c.top.Ports(router) {
			if o, _, ok := c.top.Peer(router, p); ok && o == to && p != port {
				return fmt.Sprintf("%s[%d]", name, port)
			}
		}
		return name
	}
	for i := range c.top.Terminals() {
		if r, p := c.top.Home(i); r == router && p == port {
			return fmt.Sprintf("%s.r%d->t%d", c.Name(), router, i)
		}
	}
	return fmt.Sprintf("%s.r%d, port %d", c.Name(), router, port)
}
