package player

// round sends reads of a closed loop, the first of them in this cycle. Whether they hit does
// not depend on when they are sent. So the memories do all of them first, and round computes
// their cycles afterwards. All are sent before the end. It returns the cycle of the last
// one; false if the requests are not of that kind, and nothing has happened.
func (c *Comp) round(cycle, end uint64) (last uint64, ok bool, err error) {
	n := c.spec.Mode.N
	if c.spec.Posted || c.calls.InFlight() > 0 || c.arrived-c.done != n || cycle >= c.anyUntil {
		return cycle, false, nil
	}
	// Of n requests side by side the last is sent at most so long after the first: by then
	// those before are answered, and one leaves in a cycle.
	turn := c.worst + n
	most := (min(end, c.anyUntil) - 1 - cycle) / turn * n
	if most < fewest {
		return cycle, false, nil
	}
	l := c.near()
	if l == nil || l.Trip() == 0 || !c.only.Holds(c.feed.lot.Least, c.feed.lot.Greatest, c.feed.size) {
		return cycle, false, nil
	}
	r := &c.run
	c.feed.reads(most, r)
	if len(r.Addr) < fewest || l.Reads(r) == 0 {
		return cycle, false, nil
	}
	r.First = cycle
	answered := c.reckon(cycle, l.Trip())
	last = r.Last
	l.Seen(r, answered)
	c.count.hits(uint64(r.N-len(r.Waits)), r.Bytes, answered, l.Trip())
	c.count.more(uint64(len(r.Waits)), r.Bytes)
	c.acted = last + 1
	return last, true, c.skip(r.N)
}

// fewest is how many requests a round pays from.
const fewest = 8

// reckon finds the cycles of the requests of run, each of which is sent in the first cycle
// after the one before in which one of the slots is free, and returns that of the last answer.
func (c *Comp) reckon(cycle, trip uint64) (answered uint64) {
	r, s := &c.run, &c.slots
	s.begin(c.arrivals, c.sent, c.arrived)
	s.list = c.over.take(s.list[:0])
	for _, at := range s.list {
		s.late.push(at)
	}
	now, from := cycle-1, 0
	for w, i := range r.Waits {
		if hits := int(i) - from; hits > 0 {
			now = c.hitsFrom(now, trip, hits)
			answered = max(answered, now+trip)
		}
		arrival := s.take()
		now = max(now+1, arrival)
		at := now + trip + r.Late[w]
		s.late.push(at)
		r.At = append(r.At, now)
		c.late.add(at-1-arrival, &c.count.arrived)
		c.waited.add(trip+r.Late[w]-1, &c.count.accepted)
		answered = max(answered, at)
		from = int(i) + 1
	}
	if hits := r.N - from; hits > 0 {
		now = c.hitsFrom(now, trip, hits)
		answered = max(answered, now+trip)
	}
	r.Last = now
	c.sent += uint64(r.N)
	c.land(now)
	return answered
}

// hitsFrom sends a number of reads that hit, after a cycle, and returns the cycle of the last one.
func (c *Comp) hitsFrom(now, trip uint64, hits int) uint64 {
	s, count := &c.slots, &c.late
	late := s.lateFirst()
	soon, mask := s.soon, len(s.soon)-1
	from, to := s.from, s.to
	for range hits {
		arrival := late
		if from != to && soon[from&mask] <= late {
			arrival = soon[from&mask]
			from++
		} else {
			s.late.drop()
			late = s.lateFirst()
		}
		now = max(now+1, arrival)
		soon[to&mask] = now + trip
		to++
		if v := now + trip - 1 - arrival; v < uint64(len(count.n)) {
			count.n[v]++
			count.most = max(count.most, v)
		} else {
			c.count.arrived.Add(v)
		}
	}
	s.from, s.to = from, to
	return now
}

// land lets requests arrive for all answers until a cycle, and leaves the others to come.
func (c *Comp) land(now uint64) {
	s, n := &c.slots, c.spec.Mode.N
	c.arrived = c.sent
	for s.first() <= now {
		*c.arrivalOf(c.arrived) = s.take()
		c.arrived++
	}
	c.done = c.arrived - n
	c.over.looked = now
	c.open = 0
	for at := s.first(); at != never; at = s.first() {
		c.over.push(s.take(), true)
		c.open++
	}
}

// slots are what the requests of a closed loop take one of: the cycles from which each is
// free, in two queues in ascending order. Together they are as many as the loop has requests
// under way.
type slots struct {
	soon     []uint64 // a ring of those of requests that hit, and of those free already
	from, to int      // without end
	late     times
	list     []uint64
}

// begin makes the slots those of requests that have arrived and are not sent.
func (s *slots) begin(arrivals []uint64, from, to uint64) {
	if s.soon == nil {
		s.soon = make([]uint64, len(arrivals))
	}
	s.from, s.to, s.late.first, s.late.n = 0, 0, 0, 0
	for i := from; i < to; i++ {
		s.soon[s.to] = arrivals[i&uint64(len(arrivals)-1)]
		s.to++
	}
}

// lateFirst is the first of late, never if there is none.
func (s *slots) lateFirst() uint64 {
	if s.late.n == 0 {
		return never
	}
	return *s.late.at(0)
}

// first is the cycle of the slot that is free first, never if there is none.
func (s *slots) first() uint64 {
	first := s.lateFirst()
	if s.from != s.to {
		first = min(first, s.soon[s.from&(len(s.soon)-1)])
	}
	return first
}

// take takes that slot. There must be one.
func (s *slots) take() uint64 {
	late := s.lateFirst()
	if s.from != s.to {
		if at := s.soon[s.from&(len(s.soon)-1)]; at <= late {
			s.from++
			return at
		}
	}
	s.late.drop()
	return late
}
