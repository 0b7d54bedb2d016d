package serve

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/serving"
)

// declare publishes the metrics of the node.
func (c *Comp) declare() {
	g := c.Group
	c.latencies("ttft", "time to the first token", func(i int, q *serving.Sequence) (units.Time, bool) { return q.First - c.since(i), q.Got > 0 })
	c.latencies("tpot", "time for each token after the first", func(i int, q *serving.Sequence) (units.Time, bool) {
		return (q.Last - q.First) / units.Time(max(q.Output-1, 1)), q.State == serving.Done && q.Output > 1
	})
	c.latencies("request_latency", "time to the last token", func(i int, q *serving.Sequence) (units.Time, bool) {
		return q.Last - c.since(i), q.State == serving.Done
	})
	c.over("tokens_per_second", stats.Rate, "Tokens of answers over total_time.", func(q *serving.Sequence) float64 { return float64(q.Got) })
	c.over("goodput", stats.Rate, "Requests that were answered and met the targets (key target) over total_time.", func(q *serving.Sequence) float64 {
		if q.State == serving.Done && c.met(q) {
			return 1
		}
		return 0
	})
	c.sum(serving.TokensAnswered, stats.Token, "Tokens of answers.", func(q *serving.Sequence) float64 { return float64(q.Got) })
	c.sum("requests", stats.Request, "Requests that were answered.", func(q *serving.Sequence) float64 { return is(q.State == serving.Done) })
	c.sum("refused", stats.Request, "Requests that need more blocks than there are.", func(q *serving.Sequence) float64 { return is(q.State == serving.Refused) })
	c.sum("killed", stats.Request, "Requests whose clients went away.", func(q *serving.Sequence) float64 { return is(q.State == serving.Killed) })
	c.sum("preemptions", stats.One, "Times that a sequence lost its blocks to another one.", func(q *serving.Sequence) float64 { return float64(q.Preempted) })
	c.sum("prefix_hits", stats.Token, "Tokens whose keys and values were found.", func(q *serving.Sequence) float64 { return float64(q.Hits) })
	c.Group.Value("prefix_hit_ratio", stats.Percent, "Share of the tokens of sequences that were admitted whose keys and values were found, after preemptions too.", func() (float64, bool) {
		asked := c.each(func(e *serving.Engine) float64 { return float64(e.Asked) })
		return 100 * c.each(func(e *serving.Engine) float64 { return float64(e.Hits) }) / max(asked, 1), asked > 0
	})
	of := func(name string, u stats.Unit, text string, f func() float64) {
		g.Value(name, u, text, func() (float64, bool) {
			if c.engines == nil {
				return 0, false
			}
			return f(), true
		})
	}
	of("kv_blocks_peak", stats.One, "Blocks of keys and values in use at the most.", func() float64 {
		return c.each(func(e *serving.Engine) float64 { _, peak, _ := e.Blocks(); return float64(peak) })
	})
	of("kv_blocks", stats.One, "Blocks of keys and values that there are.", func() float64 {
		return c.each(func(e *serving.Engine) float64 { _, _, all := e.Blocks(); return float64(all) })
	})
	c.declareTiers(of)
	c.declareInstances(of)
	of("tokens_recomputed", stats.Token, "Tokens that were computed again, since their keys and values had been lost.", func() float64 { return c.each(func(e *serving.Engine) float64 { return float64(e.Recomputed) }) })
	of("blocks_swapped", stats.One, "Blocks that went to host memory.", func() float64 { return c.each(func(e *serving.Engine) float64 { return float64(e.Out) }) })
	of("tokens_computed", stats.Token, "Tokens of all steps.", func() float64 { return c.each(func(e *serving.Engine) float64 { return float64(e.Tokens) }) })
	g.Count("steps", stats.One, "Steps that have ended.", &c.counts.steps)
	g.Count("operators", stats.One, "Operators that were issued and carried out.", &c.counts.operators)
	g.Value("step_mean", stats.NS, "Mean time of a step.", func() (float64, bool) {
		return ns(c.busy) / float64(max(c.counts.steps, 1)), c.counts.steps > 0
	})
	g.Value("busy", stats.Percent, "Share of total_time in which a step was under way.", func() (float64, bool) {
		return 100 * float64(c.busy) / float64(max(c.end, 1)), c.end > 0
	})
	g.Value("total_time", stats.NS, "Time from the start of the run to the last token.", func() (float64, bool) { return ns(c.end), c.end > 0 })
	g.Check("every request has its tokens, or was refused or killed", c.answered)
	g.Check("blocks of keys and values are conserved", func() error {
		if c.engines == nil {
			return nil
		}
		for _, e := range c.engines {
			if used, _, _ := e.Blocks(); used != 0 {
				return fmt.Errorf("%d blocks are in use after the end", used)
			}
			if err := e.Check(); err != nil {
				return err
			}
		}
		return nil
	})
}

// declareTiers publishes what blocks do in tiers.
func (c *Comp) declareTiers(of func(name string, u stats.Unit, text string, f func() float64)) {
	if len(c.tiers.list) == 0 {
		return
	}
	for k, t := range c.tiers.list {
		of("kv_blocks_"+t.Name, stats.One, "Blocks of keys and values that "+t.Name+" has.", func() float64 {
			return c.each(func(e *serving.Engine) float64 { _, _, all := e.Tier(k); return float64(all) })
		})
		of("kv_blocks_peak_"+t.Name, stats.One, "Blocks of "+t.Name+" in use at the most, those that moves kept free included.", func() float64 {
			return c.each(func(e *serving.Engine) float64 { _, peak, _ := e.Tier(k); return float64(peak) })
		})
		of("kv_share_"+t.Name, stats.Percent, "Share of the keys and values of all steps that were read or written in "+t.Name+".", func() float64 {
			here, sum := uint64(0), uint64(0)
			for _, x := range c.tiers.seen {
				here += x.read[k]
				for _, n := range x.read {
					sum += n
				}
			}
			return 100 * float64(here) / float64(max(sum, 1))
		})
	}
	of("blocks_promoted", stats.One, "Blocks that moved to a tier before theirs in the list.", func() float64 {
		return c.each(func(e *serving.Engine) float64 { return float64(e.Promoted) })
	})
	of("blocks_demoted", stats.One, "Blocks that moved to a tier after theirs in the list.", func() float64 {
		return c.each(func(e *serving.Engine) float64 { return float64(e.Demoted) })
	})
	of("migrated_bytes", stats.Byte, "Bytes of blocks that were copied from tier to tier, of each chip.", func() float64 {
		return float64(c.tiers.moved * c.block())
	})
}

// declareInstances publishes what goes from prefill to decode.
func (c *Comp) declareInstances(of func(name string, u stats.Unit, text string, f func() float64)) {
	if !c.spec.Instances.some() {
		return
	}
	a := &c.apart
	mean := func(t *units.Time) func() float64 {
		return func() float64 { return ns(*t) / float64(max(a.sent, 1)) }
	}
	of("kv_transfers", stats.One, "Requests whose keys and values came from prefill to decode; transfers that a failure cut off do not count.", func() float64 { return float64(a.sent) })
	of("kv_transfer_bytes", stats.Byte, "Bytes of keys and values of those requests, from all chips of an instance.", func() float64 { return float64(a.entries * c.service.Entry) })
	of("kv_transfer_mean", stats.NS, "Mean time of such a transfer.", mean(&a.took))
	of("kv_transfer_wait_mean", stats.NS, "Mean time from the end of the prompt to the begin of the transfer: for room, and for transfers before it.", mean(&a.waited))
	peak := func(from, to int) func() float64 {
		return func() (sum float64) {
			for _, e := range c.engines[from:to] {
				_, p, _ := e.Blocks()
				sum += float64(p)
			}
			return sum
		}
	}
	n, all := c.spec.Instances.Prefill, c.Instances()
	of("kv_blocks_peak_prefill", stats.One, "Blocks in use at the most where prompts are computed.", peak(0, n))
	of("kv_blocks_peak_decode", stats.One, "Blocks in use at the most where tokens after the first are computed.", peak(n, all))
}

// each adds up what the replicas have.
func (c *Comp) each(of func(*serving.Engine) float64) (sum float64) {
	for _, e := range c.engines {
		sum += of(e)
	}
	return sum
}

// answered finds requests that have not ended.
func (c *Comp) answered() error {
	if c.engines == nil {
		return nil
	}
	var errs []error
	for i := range c.service.Requests {
		q := c.sequence(i)
		switch q.State {
		case serving.Done:
			if q.Got != q.Output {
				errs = append(errs, fmt.Errorf("request %d got %d of %d tokens", i, q.Got, q.Output))
			}
		case serving.Refused, serving.Killed:
		default:
			errs = append(errs, fmt.Errorf("request %d is %s", i, q.State))
		}
	}
	return errors.Join(errs...)
}

// since is the time from which the latency of request i counts.
func (c *Comp) since(i int) units.Time {
	if c.spec.From == fromQueued {
		return c.queued[i]
	}
	return c.service.Requests[i].Arrival
}

// met reports whether a request that was answered met the targets.
func (c *Comp) met(q *serving.Sequence) bool {
	t := c.spec.Target
	if t.TTFT > 0 && q.First-c.since(q.Index()) > t.TTFT {
		return false
	}
	return t.TPOT == 0 || q.Output < 2 || (q.Last-q.First)/units.Time(q.Output-1) <= t.TPOT
}

// latencies publishes the mean and percentiles of a time of requests.
func (c *Comp) latencies(name, what string, of func(i int, q *serving.Sequence) (units.Time, bool)) {
	all := func() (out []units.Time) {
		if c.engines == nil {
			return nil
		}
		for i := range c.service.Requests {
			if t, ok := of(i, c.sequence(i)); ok {
				out = append(out, t)
			}
		}
		slices.Sort(out)
		return out
	}
	c.Group.Value(name+"_mean", stats.NS, "Mean "+what+".", func() (float64, bool) {
		l := all()
		sum := 0.0
		for _, t := range l {
			sum += ns(t)
		}
		return sum / float64(max(len(l), 1)), len(l) > 0
	})
	for _, p := range []struct {
		name, text string
		share      float64
	}{{"_p50", "Median of the ", 0.5}, {"_median", "The same, by the name that benchmarks give it: median of the ", 0.5}, {"_p90", "90th percentile of the ", 0.9}, {"_p95", "95th percentile of the ", 0.95}, {"_p99", "99th percentile of the ", 0.99}} {
		c.Group.Value(name+p.name, stats.NS, p.text+what+", between neighbours linear.", func() (float64, bool) {
			l := all()
			if len(l) == 0 {
				return 0, false
			}
			return percentile(l, p.share), true
		})
	}
}

// percentile is the value below which a share of sorted times lies, linear between two.
func percentile(l []units.Time, share float64) float64 {
	at := share * float64(len(l)-1)
	i := int(math.Floor(at))
	j := min(i+1, len(l)-1)
	return ns(l[i]) + (at-float64(i))*(ns(l[j])-ns(l[i]))
}

// sum publishes a sum over all requests, and over the same over the time of the run.
func (c *Comp) sum(name string, u stats.Unit, text string, of func(q *serving.Sequence) float64) {
	c.Group.Value(name, u, text, func() (float64, bool) { return c.add(of), c.engines != nil })
}

func (c *Comp) over(name string, u stats.Unit, text string, of func(q *serving.Sequence) float64) {
	c.Group.Value(name, u, text, func() (float64, bool) {
		if c.engines == nil || c.end == 0 {
			return 0, false
		}
		return c.add(of) / ns(c.end) * 1e9, true
	})
}

func (c *Comp) add(of func(q *serving.Sequence) float64) (sum float64) {
	if c.engines == nil {
		return 0
	}
	for i := range c.service.Requests {
		sum += of(c.sequence(i))
	}
	return sum
}

func is(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func ns(t units.Time) float64 { return float64(t) / float64(units.Nanosecond) }

// Requests returns a table with a row per request, in the order of arrival.
func (c *Comp) Requests() *stats.Table {
	t := &stats.Table{Columns: []stats.Column{
		{Name: "request", Text: "Number of the request, in the order of arrival."},
		{Name: "name", Text: "Its name in the file that it is from."},
		{Name: "prompt", Unit: stats.Token, Text: "Tokens of the prompt."},
		{Name: "output", Unit: stats.Token, Text: "Tokens of the answer that came."},
		{Name: "arrival", Unit: stats.NS, Text: "When it arrived, from the start of the run."},
		{Name: "queued", Unit: stats.NS, Text: "When the server took it in, between two steps."},
		{Name: "scheduled", Unit: stats.NS, Text: "When it was first chosen for a step; empty: never."},
		{Name: "first_token", Unit: stats.NS, Text: "When its first token came; empty: none did."},
		{Name: "last_token", Unit: stats.NS, Text: "When its last token came."},
		{Name: "preemptions", Unit: stats.One, Text: "Times that it lost its blocks to another sequence."},
		{Name: "prefix_hits", Unit: stats.Token, Text: "Tokens whose keys and values were found."},
		{Name: "state", Text: "What became of it: done, refused, killed; or where it was when the run ended."},
	}}
	if c.engines == nil {
		return t
	}
	for i := range c.service.Requests {
		q := c.sequence(i)
		var queued, scheduled, first, last any
		if q.State != serving.Coming {
			queued = ns(c.queued[i])
		}
		if q.Begun {
			scheduled = ns(q.Scheduled)
		}
		if q.Got > 0 {
			first, last = ns(q.First), ns(q.Last)
		}
		t.Append(int64(i), q.Name, int64(q.Prompt), int64(q.Got), ns(q.Arrival), queued, scheduled, first, last, int64(q.Preempted), int64(q.Hits), q.State.String())
	}
	return t
}
