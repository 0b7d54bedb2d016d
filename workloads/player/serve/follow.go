package serve

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/player/issue"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// following is the state of chips that follow one (simulation.chips: follow).
type following struct {
	*issue.Following
	counts work.Chips
	err    error
	on     bool // in the step under way
	// Steps in which chips follow, and in which every chip is simulated.
	followed, each int
}

// begin begins a step. Chips follow if nothing of it lies in a memory that they share.
func (f *following) begin(parts []work.Part) {
	f.Begin()
	f.on = true
	for i := range parts {
		f.on = f.on && !parts[i].Common && parts[i].Graph == parts[0].Graph
	}
	if f.on {
		f.followed++
	} else {
		f.each++
	}
}

// Follow implements work.Leader.
func (c *Comp) Follow(executors [][]work.Executor, counts work.Chips) {
	chip := make([]int, len(c.Executors()))
	for e, x := range c.Executors() {
		chip[e] = -1
		for k, all := range executors {
			for _, y := range all {
				if x == y {
					chip[e] = k
				}
			}
		}
	}
	f := &following{Following: issue.NewFollowing(chip), counts: counts}
	c.follow = f
	c.sample.Edge = f.edge
}

// edge settles the counters at the end of an interval, or begins the next one.
func (f *following) edge(end bool) {
	if !f.on {
		return
	}
	if !end {
		f.counts.Open()
		return
	}
	bytes, apart, err := f.counts.Settle()
	if f.err == nil {
		f.err = err
	}
	f.Settle(bytes, apart)
}

// issueOne issues an operator, unless its chip follows another.
func (c *Comp) issueOne(now units.Time, x schedule.Issue) {
	if f := c.follow; f != nil && f.on && f.Issue(now, x) {
		return
	}
	r := c.state.Request(x.Request)
	c.Dispatcher.Issue(r.Model, x, 1, r.Nth, c.stepOf(r.Model), 0)
}

// followers ends the operators of chips that follow another.
func (c *Comp) followers(time sim.VTimeInSec, now units.Time) error {
	if c.follow == nil {
		return nil
	}
	for _, x := range c.follow.Due(now) {
		if err := c.carriedOut(time, now, x.Ref, x.Begin, x.End); err != nil {
			return err
		}
	}
	if c.follow.err != nil {
		return fmt.Errorf("%s: %w", c.Name(), c.follow.err)
	}
	return nil
}

// said says what follows, and how far the last chip is from the first.
func (f *following) said(name string) string {
	text := fmt.Sprintf("%s: of the steps simulated, chips follow the first one in %d, and all are simulated in %d", name, f.followed, f.each)
	if f.followed == 0 {
		return text + ", because chips share memory that they use (simulation.chips)."
	}
	s := &f.Sum
	time, bytes := s.Differ()
	return text + fmt.Sprintf(" (%d operators took the times of the first chip and ended up to %.4g ns later than by them; the last chip, simulated besides, took %.2f %% more or less, up to %.2f %% in a part of a step, and moved %.2f %% more or less). Of a chip that follows, latencies, greatest values and contents of nodes are those of its transfers alone, and timelines lack its operators (simulation.chips).",
		s.Taken, ns(s.Late), 100*time, 100*s.Part, 100*bytes)
}

// doubts are warnings: the last chip is too far from the first.
func (f *following) doubts(name string) []string {
	time, bytes := f.Sum.Differ()
	if max(time, bytes) <= issue.Error {
		return nil
	}
	return []string{fmt.Sprintf("%s: chips that follow the first are not equal to it: the last one, simulated besides, took %.3g %% more or less, and moved %.3g %% more or less (want at most %g %%; simulation.chips: each simulates all).", name, 100*time, 100*bytes, 100*issue.Error)}
}
