package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/experiment/evaluation"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/usage"
)

// Limits of the search for a limit of power.
const (
	nearLimit = 0.5 // K below the limit of temperature that end the search
	mostTries = 12
)

// A cooling searches for the limits of power at which no block of section thermal exceeds its limit of temperature.
type cooling struct {
	x        *Experiment
	ctx      context.Context
	progress ProgressFunc
	asked    evaluation.Cooler
	names    []string // of throttled nodes, arrays once
	limits   []float64
	runs     int
	failed   *result.Result // of a trial
}

// A warmth is what a trial found.
type warmth struct {
	share, peak, time float64
	known             bool
}

func (w warmth) said() string {
	if math.IsInf(w.peak, 1) {
		return fmt.Sprintf("with limits of %.3g of the chips' own leakage runs away", w.share)
	}
	return fmt.Sprintf("with limits of %.3g of the chips' own the hottest block has %.1f degrees", w.share, w.peak)
}

// throttles reports whether the run has to be repeated with lower limits of power, until its blocks are cool enough.
func (x *Experiment) throttles() bool {
	return x.options.throttled == nil && len(x.doc.Root.Get("thermal").Get("throttle").Items()) > 0
}

// runThrottled is Run for section thermal with throttle. Trials run without what observes a run; the last run has it.
func (x *Experiment) runThrottled(ctx context.Context, progress ProgressFunc) (*result.Result, result.Process, error) {
	start, cpu := time.Now(), usage.CPUSeconds()
	c := &cooling{x: x, ctx: ctx, progress: progress}
	of, set, err := c.search()
	if err != nil {
		return x.named(c.failed), result.Process{Identity: x.Identity()}, err
	}
	o := x.options
	o.throttled, o.Set = of, slices.Concat(o.Set, set)
	y, err := NewLoader(o).whole(x.read)
	if err != nil {
		return nil, result.Process{Identity: x.Identity()}, err
	}
	r, p, err := y.Run(ctx, progress)
	p.Identity, p.Inputs = x.Identity(), x.inputs
	p.WallSeconds, p.CPUSeconds = time.Since(start).Seconds(), usage.CPUSeconds()-cpu
	return x.named(r), p, err
}

// named gives the result of a run with lower limits the identity of the experiment; r may be nil.
func (x *Experiment) named(r *result.Result) *result.Result {
	if r != nil {
		r.Identity, r.Config = x.Identity(), x.config
	}
	return r
}

// search returns what it found and the settings that limit power.
func (c *cooling) search() (of *evaluation.Throttled, set []string, err error) {
	first, r, err := c.first()
	if err != nil {
		return nil, nil, err
	}
	limit, ambient := c.asked.Cooling()
	of = &evaluation.Throttled{Share: 1, Peak: first.peak}
	if first.peak <= limit {
		of.Runs = c.runs + 1
		return of, nil, nil
	}
	hot, low, guess := first, warmth{}, c.guess(r, first, limit, ambient)
	for range mostTries {
		t, err := c.try(guess)
		switch {
		case err != nil && (low.known || c.failed != nil): // interrupted, or failed with this limit alone
			return nil, nil, err
		case err != nil: // a limit that the chip cannot keep
			low = warmth{share: guess}
			if hot.share-low.share < 1e-3 {
				return nil, nil, fmt.Errorf("thermal.throttle: %s (want a higher thermal.limit or a better sink): %w", hot.said(), err)
			}
		case t.peak <= limit:
			low = t
		default:
			hot = t
		}
		if low.known && low.peak > limit-nearLimit {
			break
		}
		guess = between(low, hot, limit-nearLimit/2, ambient, c.runs)
	}
	if !low.known {
		return nil, nil, fmt.Errorf("thermal.throttle: no limit of power was found at which no block exceeds %g degrees; %s", limit, hot.said())
	}
	*of = evaluation.Throttled{Share: low.share, Peak: low.peak, Slower: low.time/first.time - 1, Runs: c.runs + 1}
	return of, c.set(low.share), nil
}

// first is the run with the chips' own limits.
func (c *cooling) first() (warmth, *result.Result, error) {
	r, a, err := c.run(nil)
	if err != nil {
		return warmth{}, r, err
	}
	for _, e := range a.asked {
		if h, ok := e.(evaluation.Cooler); ok {
			c.asked = h
		}
	}
	for _, v := range c.x.doc.Root.Get("thermal").Get("throttle").Items() {
		limit := 0.0
		for _, m := range r.Metrics {
			if m.Name == "power_limit" && m.Phase == "all" && cause.Base(m.Where) == cause.Base(v.Text()) {
				limit = m.Value
			}
		}
		if limit == 0 {
			return warmth{}, nil, v.Errorf(nil, "%s has no power_limit to lower (want a node of kind gpu with power.process and power_limit)", v.Text())
		}
		c.names, c.limits = append(c.names, cause.Base(v.Text())), append(c.limits, limit)
	}
	w, err := c.warmth(r, 1)
	return w, r, err
}

// guess is the share of their limits that the chips took, less what the package does not carry.
func (c *cooling) guess(r *result.Result, first warmth, limit, ambient float64) float64 {
	took, own := 0.0, 0.0
	for _, m := range r.Metrics {
		i := slices.Index(c.names, cause.Base(m.Where))
		switch {
		case i < 0 || m.Phase != "all":
		case m.Name == "power_mean":
			took += m.Value
		case m.Name == "power_limit":
			own += m.Value
		}
	}
	return min(0.99, took/own*rises(limit, first.peak, ambient))
}

// rises is the share of the rise over the ambient that a limit leaves. At a peak without end it is a half.
func rises(limit, peak, ambient float64) float64 {
	if math.IsInf(peak, 1) {
		return 0.5
	}
	return (limit - ambient) / (peak - ambient)
}

// between is the next share to try: on the line through the two points nearest to the limit, or, each third time, in
// the middle, since limits that no kernel reaches change no temperature.
func between(low, hot warmth, limit, ambient float64, runs int) float64 {
	middle := (low.share + hot.share) / 2
	switch {
	case !low.known && low.share == 0:
		return hot.share * rises(limit, hot.peak, ambient)
	case !low.known || math.IsInf(hot.peak, 1) || runs%3 == 0:
		return middle
	}
	return low.share + (hot.share-low.share)*(limit-low.peak)/(hot.peak-low.peak)
}

// set is the settings for a share of the chips' own limits.
func (c *cooling) set(share float64) (out []string) {
	for i, n := range c.names {
		out = append(out, fmt.Sprintf("%s.power_limit=%.2fW", n, share*c.limits[i]))
		if c.auto(n) {
			out = append(out, n+".load=steady")
		}
	}
	return out
}

// auto reports whether the configuration leaves the load of a node to how long it works. A temperature is that of a
// workload that repeats for long.
func (c *cooling) auto(node string) bool {
	for _, v := range c.x.doc.Root.Get("nodes").Items() {
		if v.Get("name").Text() == node {
			return !v.Get("load").Exists() || v.Get("load").Text() == "auto"
		}
	}
	return true
}

func (c *cooling) try(share float64) (warmth, error) {
	r, _, err := c.run(c.set(share))
	if err != nil {
		return warmth{}, err
	}
	return c.warmth(r, share)
}

// warmth is the highest temperature of a run; that of blocks whose leakage runs away has no end.
func (c *cooling) warmth(r *result.Result, share float64) (warmth, error) {
	run := evaluation.Run{Metrics: r.Metrics}
	run.Time, _ = run.Value("", system.TotalTime)
	peak, err := c.asked.Hottest(&run)
	return warmth{share, peak, run.Time, true}, err
}

// run is a trial. Its sections are not evaluated.
func (c *cooling) run(set []string) (*result.Result, *assembly, error) {
	o := c.x.options
	o.Tasks, o.Observe, o.Live, o.Scaling, o.Note = nil, false, nil, false, nil
	o.Set = slices.Concat(o.Set, set)
	o.throttled = &evaluation.Throttled{Trial: true}
	y, err := NewLoader(o).whole(c.x.read)
	if err != nil {
		return nil, nil, err
	}
	a := y.built
	r, _, err := y.Run(c.ctx, c.progress)
	c.runs++
	if err != nil {
		c.failed = r
	}
	return r, a, err
}
