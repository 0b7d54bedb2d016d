package schedule

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
)

// declare publishes what does not depend on the workloads.
func (c *Comp) declare() {
	g := c.Group
	g.Count("operators", stats.One, "Operators carried out.", &c.operators)
	g.Count("revoked", stats.One, "Operators taken back before they had begun.", &c.revoked)
	g.Value("total_time", stats.NS, "Time from the start of the run to the end of the last request.", func() (float64, bool) { return ns(c.end), c.end > 0 })
	g.Check("every request is answered once", func() error {
		if c.state == nil {
			return nil
		}
		if n := len(c.arrivals) - c.next; n > 0 || c.state.Live() > 0 {
			return fmt.Errorf("%d requests have not arrived, %d are not done", n, c.state.Live())
		}
		if d, t := c.Progress(); d != t {
			return fmt.Errorf("%d of %d operators are done", d, t)
		}
		return nil
	})
	g.Check("no executor is busy for longer than the run", func() error {
		if c.state == nil {
			return nil
		}
		for i := range c.state.Executors {
			if x := &c.state.Executors[i]; x.Busy > c.end && !x.Concurrent {
				return fmt.Errorf("%s was busy for %s of %s", x.Name, x.Busy, c.end)
			}
		}
		return nil
	})
}

// declareLoads publishes the metrics of all requests, of each workload and of each
// executor.
func (c *Comp) declareLoads() {
	due := slices.ContainsFunc(c.loads, func(w work.Workload) bool { return w.Deadline > 0 })
	c.requests("all", func(s *served) bool { return !c.loads[s.Of].Part }, due)
	for i := range c.loads {
		if c.loads[i].FormOf != "" {
			continue // its requests are those of another
		}
		c.requests("workload:"+c.loads[i].Name, func(s *served) bool { return int(s.Of) == i }, c.loads[i].Deadline > 0)
	}
	c.scores()
	if slices.ContainsFunc(c.loads, func(w work.Workload) bool { return w.FormOf != "" }) {
		c.Group.Value("smaller", stats.Request, "Requests that were carried out as a smaller form of their workload.", func() (float64, bool) {
			n := 0
			for i := range c.served {
				if s := &c.served[i]; s.Model != s.Of {
					n++
				}
			}
			return float64(n), true
		})
	}
	c.Group.Count("switches", stats.One, "Times that an executor left a request in the middle for one of another workload.", &c.switches)
	c.Group.Value("batch_mean", stats.Request, "Requests that an operator is carried out for, the mean of all that were issued.", func() (float64, bool) {
		return float64(c.batched) / float64(c.issues), c.issues > 0
	})
	c.Group.Value("fairness", stats.One, "Jain's index of the workloads' slowdowns (mean latency over the time of all operators where they are fastest): 1 where all are slowed down alike.", c.fairness)
	for e, x := range c.Executors() {
		if _, ok := x.(work.Concurrent); ok {
			continue // it has several operators under way
		}
		c.occupancy(e)
		name := strings.NewReplacer("[", "_", "]", "", ".", "_").Replace(x.Name())
		c.Group.Value("utilization_"+name, stats.Percent, "Share of total_time in which "+x.Name()+" had an operator under way.", func() (float64, bool) {
			if c.state == nil || c.end == 0 {
				return 0, false
			}
			return 100 * float64(c.state.Executors[e].Busy) / float64(c.end), true
		})
	}
}

// occupancy publishes what the memory of an executor holds.
func (c *Comp) occupancy(e int) {
	b := &c.spec.Batching
	if !b.On() || b.Memory == 0 {
		return
	}
	name := strings.NewReplacer("[", "_", "]", "", ".", "_").Replace(c.Executors()[e].Name())
	where := " of the memory of " + c.Executors()[e].Name()
	c.Group.Value("held_"+name, stats.Byte, "Bytes"+where+" that are taken now.", func() (float64, bool) {
		now, _ := c.state.Held(e)
		return float64(now), true
	})
	c.Group.Value("held_peak_"+name, stats.Byte, "Bytes"+where+" that were taken at most.", func() (float64, bool) {
		_, most := c.state.Held(e)
		return float64(most), true
	})
	c.Group.Value("occupancy_"+name, stats.Percent, "Share"+where+" that is taken, the mean over total_time.", func() (float64, bool) {
		return 100 * c.occupied(e) / float64(b.Memory), c.end > 0
	})
}

// fairness is (sum x)^2 / (n sum x^2) of the slowdowns x. Jain, Chiu, Hawe, A quantitative
// measure of fairness, DEC TR-301, 1984.
func (c *Comp) fairness() (float64, bool) {
	if c.state == nil {
		return 0, false
	}
	sum, requests := make([]float64, len(c.loads)), make([]float64, len(c.loads))
	for i := range c.served {
		if s := &c.served[i]; s.Finished() {
			sum[s.Of] += ns(s.End - s.Arrival)
			requests[s.Of]++
		}
	}
	var all, squares float64
	n := 0
	for m := range sum {
		if len(c.loads[m].Times) == 0 {
			continue // by chance, or it is a form of another
		}
		n++
		least := ns(c.state.Models[m].Least())
		if requests[m] == 0 || least == 0 {
			return 0, false
		}
		x := sum[m] / requests[m] / least
		all, squares = all+x, squares+x*x
	}
	if squares == 0 {
		return 0, false
	}
	return all * all / (float64(n) * squares), true
}

// requests publishes the metrics of the requests that count; due: they have deadlines.
func (c *Comp) requests(phase string, count func(*served) bool, due bool) {
	g := c.Group
	latencies := func() (out []units.Time) {
		for i := range c.served {
			if s := &c.served[i]; s.Finished() && count(s) {
				out = append(out, s.End-s.Arrival)
			}
		}
		slices.Sort(out)
		return out
	}
	value := func(name string, u stats.Unit, text string, f func(l []units.Time) float64) {
		g.ValueIn(phase, name, u, text, func() (float64, bool) {
			l := latencies()
			if len(l) == 0 {
				return 0, false
			}
			return f(l), true
		})
	}
	value("requests", stats.Request, "Requests served.", func(l []units.Time) float64 { return float64(len(l)) })
	value("latency_mean", stats.NS, "Mean time from the arrival of a request to the end of its last operator.", func(l []units.Time) float64 {
		sum := 0.0
		for _, t := range l {
			sum += ns(t)
		}
		return sum / float64(len(l))
	})
	for _, p := range []struct {
		name, text string
		share      float64
	}{{"latency_p50", "half", 0.5}, {"latency_p99", "99 % of", 0.99}} {
		value(p.name, stats.NS, "Time within which "+p.text+" the requests are served.", func(l []units.Time) float64 { return ns(l[rank(len(l), p.share)]) })
	}
	value("latency_max", stats.NS, "Longest time of a request.", func(l []units.Time) float64 { return ns(l[len(l)-1]) })
	value("throughput", stats.Rate, "Requests served over total_time.", func(l []units.Time) float64 {
		if c.end == 0 {
			return 0
		}
		return float64(len(l)) / ns(c.end) * 1e9
	})
	if c.spec.Drop != dropNone {
		g.ValueIn(phase, "dropped", stats.Request, "Requests given up before they began.", func() (float64, bool) {
			n := 0
			for i := range c.served {
				if s := &c.served[i]; count(s) && s.Dropped {
					n++
				}
			}
			return float64(n), c.state != nil
		})
	}
	if due {
		value("deadline_misses", stats.Request, "Requests that ended after their deadline, or were dropped.", func([]units.Time) float64 {
			n := 0
			for i := range c.served {
				if s := &c.served[i]; count(s) && (s.Finished() || s.Dropped) && s.Missed() {
					n++
				}
			}
			return float64(n)
		})
	}
}

// scores publishes what two papers make of deadlines and energy together.
func (c *Comp) scores() {
	c.Group.ValueIn("all", "score", stats.One, "XRBench's overall score, 0 to 100: per workload the mean of promptness (a sigmoid around the deadline) times thrift (energy left of a limit) times the share that was not dropped; the mean over workloads.", func() (float64, bool) {
		all, ok := c.tallies(c.spec.Score.Until)
		sum := 0.0
		for _, t := range all {
			sum += t.merit / float64(t.requests) * (1 - float64(t.dropped)/float64(t.requests))
		}
		return 100 * sum / float64(max(len(all), 1)), ok
	})
	c.Group.ValueIn("all", "ux_cost", stats.One, "DREAM's UXCost: the sum over workloads of the share of requests that missed their deadline (half a request where none did) times the sum of energies over that of the executor that costs most.", func() (float64, bool) {
		all, ok := c.tallies(0)
		missed, energy := 0.0, 0.0
		for _, t := range all {
			missed += max(float64(t.missed), 0.5) / float64(t.requests)
			if t.worst > 0 {
				energy += t.energy / t.worst
			}
		}
		return missed * energy, ok
	})
}

// rank is the least index so that a share of n sorted values lies at or before it.
func rank(n int, share float64) int {
	return max(int(math.Ceil(float64(n)*share-1e-9))-1, 0)
}

func ns(t units.Time) float64 { return float64(t) / float64(units.Nanosecond) }

// Requests returns a table with a row per request, in the order of arrival.
func (c *Comp) Requests() *stats.Table {
	t := &stats.Table{Columns: []stats.Column{
		{Name: "request", Text: "Number of the request, in the order of arrival."},
		{Name: "workload", Text: "Name of the workload."},
		{Name: "arrival", Unit: stats.NS, Text: "When it arrived, from the start of the run."},
		{Name: "begin", Unit: stats.NS, Text: "When its first operator began."},
		{Name: "end", Unit: stats.NS, Text: "When its last operator ended; empty: it has not."},
		{Name: "latency", Unit: stats.NS, Text: "From arrival to end."},
		{Name: "deadline", Unit: stats.NS, Text: "When it should have ended; empty: whenever."},
		{Name: "missed", Unit: stats.One, Text: "1 where it ended after its deadline or was dropped."},
		{Name: "executor", Text: "Where all of it was carried out; empty: in several places, or it has not begun."},
		{Name: "revoked", Unit: stats.One, Text: "Operators of it that were taken back before they had begun."},
	}}
	for i := range c.served {
		s := &c.served[i]
		var begin, end, latency, deadline, missed any
		if s.Begun() {
			begin = ns(s.Begin)
		}
		if s.Finished() {
			end, latency = ns(s.End), ns(s.End-s.Arrival)
		}
		if s.Deadline > 0 {
			deadline = ns(s.Deadline)
			if s.Finished() || s.Dropped {
				missed = uint64(0)
				if s.Missed() {
					missed = uint64(1)
				}
			}
		}
		where := ""
		if e := s.Executor; e >= 0 {
			where = c.Executors()[e].Name()
		}
		t.Append(int64(s.ID), c.loads[s.Of].Name, ns(s.Arrival), begin, end, latency, deadline, missed, where, uint64(s.Revoked))
	}
	return t
}
