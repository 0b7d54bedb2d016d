package communicator

import (
	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/system"
)

// An activity is what a communicator spends an instant on. Of several, the first of this list counts.
type activity int

const (
	betweenDomains activity = iota // bytes move over the interface
	withinDomain                   // bytes move over links of the domain
	latency                        // a transfer has begun and has moved no byte yet
	otherSide                      // a message waits for its sender or its receiver
	activities
)

// activity returns what the node does now; ok is false if it has no transfer.
func (c *Comp) activity() (a activity, ok bool) {
	n := c.shares()
	switch {
	case n[interfaces] > 0:
		return betweenDomains, true
	case n[links] > 0:
		return withinDomain, true
	}
	for _, f := range c.flows {
		if f.begun && !f.sent {
			return latency, true
		}
	}
	return otherSide, len(c.flows)+len(c.waits) > 0
}

// Causes implements system.Causal.
func (c *Comp) Causes() *cause.Tree {
	t := cause.New(c.Name(), cause.Network)
	for a, words := range [activities]struct{ name, words string }{
		betweenDomains: {"interface", "moving bytes between domains"},
		withinDomain:   {"links", "moving bytes over links of its domain"},
		latency:        {"latency", "in the latency of transfers"},
		otherSide:      {"other_side", "waiting for the other side of messages"},
	} {
		t.Add(words.name, words.words, c.clock.Nanoseconds(1)*float64(c.sum.spent[a]))
	}
	return t
}

// levers are what may help a run with such links.
func levers(Spec) []system.Lever {
	return []system.Lever{system.Twice("interface bandwidth", "interface"), system.Twice("link bandwidth", "link"), system.Twice("domain", "domain")}
}
