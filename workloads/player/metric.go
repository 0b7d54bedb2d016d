package player

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
)

// counters are in requests, bytes and cycles of the memory.
type counters struct {
	reads, writes         uint64 // sent
	readBytes, writeBytes uint64
	answered              uint64
	last                  uint64          // cycle of the last answer, of those that a request can see
	accepted, arrived     stats.Histogram // of reads
	wrote                 waits           // of writes
}

// waits are sums of latencies, from acceptance and from arrival.
type waits struct{ accepted, arrived uint64 }

// accept notes a request whose first part is sent.
func (n *counters) accept(write bool, bytes uint64) {
	if write {
		n.writes++
		n.writeBytes += bytes
	} else {
		n.reads++
		n.readBytes += bytes
	}
}

// answer notes that the last answer of a job left in a memory cycle.
func (n *counters) answer(j *job, cycle uint64) {
	n.answered++
	// The first cycle that can see a request is cycle 1; the run begins there.
	n.last = max(n.last, cycle-min(cycle, 1))
	accepted, arrived := cycle-min(cycle, j.accept), cycle-min(cycle, j.arrival)
	if j.write {
		n.wrote.accepted += accepted
		n.wrote.arrived += arrived
		return
	}
	n.accepted.Add(accepted)
	n.arrived.Add(arrived)
}

// hits notes reads of equal size of which each was accepted trip cycles before its answer, the
// last of which came in a cycle.
func (n *counters) hits(reads, bytes, cycle, trip uint64) {
	n.reads += reads
	n.readBytes += reads * bytes
	n.answered += reads
	n.last = max(n.last, cycle-min(cycle, 1))
	n.accepted.AddMany(trip-min(trip, 1), reads)
}

// more notes that so many more reads are answered.
func (n *counters) more(reads, bytes uint64) {
	n.reads += reads
	n.readBytes += reads * bytes
	n.answered += reads
}

func (c *Comp) newStats() *stats.Group {
	n := &c.count
	g := stats.NewGroup(c.Name())
	g.Before(c.countArrived)
	g.Count("reads", stats.Request, "Reads sent.", &n.reads)
	g.Count("writes", stats.Request, "Writes sent.", &n.writes)
	g.Count("read_bytes", stats.Byte, "Bytes of the reads sent.", &n.readBytes)
	g.Count("write_bytes", stats.Byte, "Bytes of the writes sent.", &n.writeBytes)
	g.Count("requests_done", stats.Request, "Requests answered.", &n.answered)
	g.Value("requests", stats.Request, "Requests sent.", func() (float64, bool) { return float64(n.reads + n.writes), true })
	g.Count("total_cycles", stats.Cycle, "Memory cycles until the last answer.", &n.last)
	g.Value("bandwidth", stats.GBps, "Bytes of all requests over the time of the last answer.", func() (float64, bool) {
		if n.last == 0 {
			return 0, false
		}
		return float64(n.readBytes+n.writeBytes) / c.target.Clock().Nanoseconds(n.last), true
	})
	for _, l := range []struct {
		name, text string
		h          *stats.Histogram
	}{
		{"read_latency_from_accept", "from the first memory cycle that can see a read to its answer", &n.accepted},
		{"read_latency_from_arrival", "from the arrival of a read at the source to its answer", &n.arrived},
	} {
		for _, v := range []struct {
			name, text string
			f          func() float64
		}{
			{"_mean", "Mean", func() float64 { return float64(l.h.Sum()) / float64(l.h.Count()) }},
			{"_min", "Least", func() float64 { return float64(l.h.Min()) }},
			{"_p50", "Median", func() float64 { return float64(l.h.Percentile(50)) }},
			{"_p99", "99th percentile of the", func() float64 { return float64(l.h.Percentile(99)) }},
			{"_max", "Greatest", func() float64 { return float64(l.h.Max()) }},
		} {
			g.Value(l.name+v.name, stats.Cycle, fmt.Sprintf("%s latency %s, in memory cycles.", v.text, l.text), func() (float64, bool) {
				if l.h.Count() == 0 {
					return 0, false
				}
				return v.f(), true
			})
			g.Value(l.name+v.name+"_ns", stats.NS, fmt.Sprintf("%s latency %s.", v.text, l.text), func() (float64, bool) {
				if l.h.Count() == 0 {
					return 0, false
				}
				return v.f() * c.target.Clock().Nanoseconds(1), true
			})
		}
	}
	g.Check("every request is answered", func() error {
		if c.calls.InFlight() > 0 || n.answered != n.reads+n.writes {
			return fmt.Errorf("%d requests, %d answered, %d messages outstanding", n.reads+n.writes, n.answered, c.calls.InFlight())
		}
		return nil
	})
	return g
}

// Waiting implements engine.Waiter.
func (c *Comp) Waiting() []engine.Wait {
	var out []engine.Wait
	if k := c.over.n; k > 0 {
		out = append(out, engine.Wait{Who: c.Name(), For: c.homes.Ranges()[0].Ports[0].Name(), Why: fmt.Sprintf("%d requests are not answered", k)})
	} else if k := c.calls.InFlight(); k > 0 {
		out = append(out, engine.Wait{Who: c.Name(), For: c.calls.Waits().Name(), Why: fmt.Sprintf("%d requests are not answered", k)})
	} else if c.cur >= 0 || c.feed.ok {
		out = append(out, engine.Wait{Who: c.Name(), For: c.Name(), Why: fmt.Sprintf("request %d is not sent", c.sent)})
	}
	return out
}
