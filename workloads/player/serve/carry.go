package serve

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
)

// With times: issued and network interfaces keys and values go from prefill to decode as
// operators: each chip that prefills sends, and its counterpart that decodes receives.

// A kvTransfer is one such transfer of keys and values.
type kvTransfer struct {
	request  int
	from, to int        // instances
	since    units.Time // the prompt was computed
	begin    units.Time
	begun    bool
	lost     bool // what it carries is not needed any more
	pending  int  // parts that have not ended
}

// carries reports whether interfaces carry keys and values.
func (c *Comp) carries() bool { return c.service.Move != nil }

// depart begins the next transfers: an instance sends or receives one at a time, in the order of
// first tokens, after moves of its blocks between tiers have ended.
func (c *Comp) depart(now units.Time) error {
	for k, x := range c.apart.carried {
		if x.begun || slices.ContainsFunc(c.apart.carried[:k], func(y *kvTransfer) bool { return y.from == x.from || y.to == x.to }) {
			continue
		}
		if !c.engines[x.from].Settled(x.request) || !c.engines[x.to].Settled(x.request) {
			continue // a step that ends turns to it again
		}
		if err := c.load(now, x); err != nil {
			return err
		}
	}
	return nil
}

// load issues the operators of a transfer.
func (c *Comp) load(now units.Time, x *kvTransfer) (err error) {
	entries := c.service.Requests[x.request].Prompt
	at := func(instance int) int {
		return max(min(c.engines[instance].Sequence(x.request).Place()*c.spec.Block, c.entries-entries), 0)
	}
	m := work.Move{From: x.from, To: x.to, Entries: entries, FromAt: at(x.from), ToAt: at(x.to)}
	if len(c.tiers.list) > 0 {
		m.Reads = c.engines[x.from].Places(nil, x.request, entries)
		m.Writes = c.engines[x.to].Places(nil, x.request, entries)
	}
	parts, err := c.service.Move(m)
	if err != nil {
		return err
	}
	x.begun, x.begin = true, now
	x.pending, err = c.hand(now, parts, source{lane: x.from, slot: sending}, x)
	return err
}

// arrived ends a part of a transfer; the last part continues its request.
func (c *Comp) arrived(x *kvTransfer, end units.Time) {
	if x.pending--; x.pending > 0 {
		return
	}
	a := &c.apart
	a.carried = slices.DeleteFunc(a.carried, func(y *kvTransfer) bool { return y == x })
	if !x.lost {
		c.came(x.request, x.since, x.begin, end)
	}
}

// loseCarried discards the transfers in progress and returns their requests. Transfers that have
// begun run to their end without effect.
func (c *Comp) loseCarried() (lost []int) {
	a := &c.apart
	for _, x := range a.carried {
		if !x.lost {
			lost = append(lost, x.request)
		}
		x.lost = true
	}
	a.carried = slices.DeleteFunc(a.carried, func(x *kvTransfer) bool { return !x.begun })
	return lost
}

// instance names an instance.
func (c *Comp) instance(k int) string {
	if n := c.takers(); k >= n {
		return fmt.Sprintf("decode %d", k-n)
	}
	return fmt.Sprintf("prefill %d", k)
}
