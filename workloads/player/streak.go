package player

import (
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/block"
)

// streak is sprint for a closed loop until a cycle before which no answer comes but those
// whose cycles are known. It ends after so many cycles that interruptions are seen, and
// returns the last one in which the driver has acted.
func (c *Comp) streak(cycle, end uint64) (uint64, error) {
	end = min(end, cycle+1<<16)
	defer c.late.settle(&c.count.arrived)
	defer c.waited.settle(&c.count.accepted)
	for c.feed.ok {
		next := cycle + 1
		if c.sent == c.arrived && c.arrived-c.done >= c.spec.Mode.N { // an answer lets a request arrive
			next = max(next, c.over.next())
		}
		if next >= end {
			break
		}
		cycle = next
		c.acted = cycle + 1
		c.arrive(cycle)
		if c.sent == c.arrived {
			continue
		}
		if last, ok, err := c.round(cycle, end); ok {
			cycle = last
			if err != nil {
				return cycle, err
			}
			continue
		}
		last, hits, err := c.volley(cycle, end)
		if err != nil {
			return last, err
		}
		if hits {
			cycle = last
			continue
		}
		if cycle < c.anyUntil {
			done, err := c.quick(*c.arrivalOf(c.sent), cycle)
			if done && err == nil {
				continue
			}
			if err != nil {
				return cycle, err
			}
		}
		return cycle, c.act(cycle, 0) // it takes the usual way
	}
	return cycle, nil
}

// arrivalOf is the cycle in which a request of the closed loop arrived.
func (c *Comp) arrivalOf(request uint64) *uint64 {
	return &c.arrivals[request&uint64(len(c.arrivals)-1)]
}

// arrive takes the answers of a cycle, and lets requests arrive for them.
func (c *Comp) arrive(cycle uint64) {
	if n, waited := c.over.pop(cycle); n > 0 {
		c.open -= n
		c.done += waited
	}
	for c.arrived-c.done < c.spec.Mode.N {
		*c.arrivalOf(c.arrived) = cycle
		c.arrived++
	}
}

// volley sends reads that hit, the first of them in this cycle, as far as it is certain that
// all are sent before the end. It returns the cycle of the last one.
func (c *Comp) volley(cycle, end uint64) (last uint64, hits bool, err error) {
	l := c.near()
	if l == nil {
		return cycle, false, nil
	}
	most := uint64(1)
	if c.only.Holds(c.feed.lot.Least, c.feed.lot.Greatest, c.feed.size) {
		most += (end - 1 - cycle) / max(l.Trip(), 1) // the answer of one lets the next be sent
	}
	r := &c.run
	c.feed.reads(most, r)
	n := l.Hits(r)
	if n == 0 {
		return cycle, false, nil
	}
	first, trip := cycle, l.Trip()
	c.open += n
	c.sendHit(cycle, trip)
	for k := 1; k < n; k++ {
		if k, cycle = c.steady(k, n, cycle, trip); k == n {
			break
		}
		cycle++
		c.arrive(cycle)
		for c.sent == c.arrived {
			cycle = c.over.next()
			c.arrive(cycle)
		}
		c.sendHit(cycle, trip)
	}
	l.Sent(n, first, cycle)
	c.count.hits(uint64(n), r.Bytes, cycle+trip, trip)
	c.acted = cycle + 1
	return cycle, true, c.skip(n)
}

// sendHit notes a request that is sent in a cycle and answered trip cycles later.
func (c *Comp) sendHit(cycle, trip uint64) {
	c.late.add(cycle+trip-1-*c.arrivalOf(c.sent), &c.count.arrived)
	c.over.push(cycle+trip, true)
	c.sent++
}

// steady is volley from its k-th request on, sent in the cycle after this one, as long as in
// each cycle the request of the one before is answered and nothing else, and lets another
// arrive. It returns the first request that it did not send, and the cycle of the last that
// it did.
func (c *Comp) steady(k, n int, cycle, trip uint64) (int, uint64) {
	if trip != 1 || c.arrived-c.done != c.spec.Mode.N {
		return k, cycle
	}
	quiet := int(min(c.over.quiet(), 1<<20)) // cycles
	if quiet = min(quiet, n-k); quiet <= 0 {
		return k, cycle
	}
	mask := uint64(len(c.arrivals) - 1)
	arrived, sent, list := c.arrived, c.sent, c.arrivals
	for range quiet {
		cycle++
		list[arrived&mask] = cycle
		arrived++
		c.late.add(cycle-list[sent&mask], &c.count.arrived)
		sent++
	}
	c.arrived, c.sent, c.done = arrived, sent, c.done+uint64(quiet)
	c.open -= quiet
	c.over.pass(uint64(quiet))
	return k + quiet, cycle
}

// near is the link that the next request takes if it may be one of Hits; else nil.
func (c *Comp) near() *block.Link {
	if c.feed.size > memory.MaxBurst || c.future.line > 0 {
		return nil
	}
	return c.only.Find(c.feed.rec.Addr, c.feed.size, c.homes, c.block.Out())
}

// hasten sends the next request, which arrived in a cycle, if its answer is known at once
// and comes in time.
func (c *Comp) hasten(arrival, cycle uint64) (done bool, err error) {
	if cycle < c.anyUntil {
		return c.quick(arrival, cycle)
	}
	l := c.near()
	if l == nil {
		return false, nil
	}
	r := &c.run
	if c.feed.reads(1, r); l.Hits(r) == 0 {
		return false, nil
	}
	at := cycle + l.Trip()
	l.Sent(1, cycle, cycle)
	c.count.arrived.Add(at - c.seen(arrival))
	c.count.hits(1, r.Bytes, at, l.Trip())
	c.open++
	c.over.push(at, true)
	c.sent++
	return true, c.skip(1)
}

// skip advances by n requests.
func (c *Comp) skip(n int) error {
	c.feed.skip(n - 1)
	return c.fed()
}
