package serve

import (
	"fmt"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/serving"
)

// The time of a request is explained only in a run that records explanations of tasks.
// Between its arrival and its last token every instant belongs to a step that it is in, or to
// a reason why it is in none.

// ComputesToken is the cause text of a request's wait for a step that yields its token.
const ComputesToken = "computes a token"

// An explanation is how far the times of requests are explained.
type explanation struct {
	until []units.Time // by request
	last  []task.ID    // by lane: the step that ended last
	alike map[uint64]alike
}

// An alike is a step that was simulated, and stands for others.
type alike struct {
	task      task.ID
	at, until units.Time
}

const (
	likeLayers = "layers that are like those before (simulation.repeat)"
	aLikeStep  = "as a step like it (simulation.repeat)"
)

// explainHeld explains layers that were not simulated: they are like those since like.
func (c *Comp) explainHeld(s *step, like, from, to units.Time) {
	c.Stream.ExplainLike(s.task, c.Stream.What(likeLayers), seconds(from), seconds(to), s.task, seconds(like), seconds(from))
}

// seconds is a time as the stream has it.
func seconds(t units.Time) sim.VTimeInSec {
	return sim.VTimeInSec(float64(t) / float64(units.Second))
}

// explainRequest explains the time of a request up to an instant.
func (c *Comp) explainRequest(i int, to units.Time, why string, by task.ID) {
	x := &c.why
	if from := x.until[i]; to > from {
		c.Stream.Explain(c.tasks[i], c.Stream.What(why), seconds(from), seconds(to), by)
		x.until[i] = to
	}
}

// explainArrival explains why a request was not looked at when it arrived.
func (c *Comp) explainArrival(i, lane int, now units.Time) {
	if !c.Stream.Explains() {
		return
	}
	x := &c.why
	if x.until == nil {
		x.until, x.last = make([]units.Time, len(c.tasks)), make([]task.ID, len(c.lanes))
	}
	x.until[i] = c.service.Requests[i].Arrival
	c.explainRequest(i, now, "waits until the step under way has ended", x.last[lane])
}

// explainStep reports the causes of the time of a lane's step, which has ended, and of the
// requests of its engines up to its end.
func (c *Comp) explainStep(at int, s *step) {
	x := &c.why
	if !c.Stream.Explains() || x.until == nil {
		return
	}
	x.last[at] = s.task
	if c.sample != nil && !s.taken {
		if x.alike == nil {
			x.alike = map[uint64]alike{}
		}
		x.alike[c.sample.step] = alike{s.task, s.at, s.until}
	}
	c.explainTime(at, s)
	l := &c.lanes[at]
	for k, e := range c.of(l) {
		if s.of[k] == nil {
			continue
		}
		for n := range s.of[k].Parts {
			p := &s.of[k].Parts[n]
			i := p.Sequence.Index()
			c.explainRequest(i, s.at, "waits for the next step to begin", 0)
			why := ComputesToken
			if !p.Sample {
				why = "computes a part of its prompt"
			} else if p.Sequence.Got == 0 {
				why = "computes the end of its prompt, and a token"
			}
			c.explainRequest(i, s.until, why, s.task)
		}
		for i := range c.next {
			if q := e.Sequence(i); x.until[i] < s.until && (q.State == serving.Waiting || q.State == serving.Running) {
				c.explainRequest(i, s.until, crowded(s.of[k], q), s.task)
			}
		}
	}
}

// leftWords has the reasons why a step has no part of a waiting request.
var leftWords = [serving.Lefts]string{
	serving.None:      "waits: it came after the step was made",
	serving.ForBlocks: "waits for blocks of keys and values",
	serving.ForTokens: "waits: the step has as many tokens as it may",
	serving.ForPlaces: "waits: as many requests run as may",
}

// crowded is the reason why a step has no part of a request.
func crowded(s *serving.Step, q *serving.Sequence) string {
	switch {
	case q.State == serving.Running:
		return "waits: the step has no part of it"
	case q.Preempted > 0:
		return "was preempted, and " + leftWords[s.Left]
	}
	return leftWords[s.Left]
}

// explainTime explains the time of a step that issued nothing.
func (c *Comp) explainTime(at int, s *step) {
	from, l := s.at, &c.lanes[at]
	tell := func(what string, t units.Time) {
		if to := min(from+t, s.until); to > from {
			c.Stream.Explain(s.task, c.Stream.What(what), seconds(from), seconds(to), 0)
			from = to
		}
	}
	switch {
	case s.taken:
		x := c.why.alike[s.sign]
		c.Stream.ExplainLike(s.task, c.Stream.What(aLikeStep), seconds(s.at), seconds(s.until), x.task, seconds(x.at), seconds(x.until))
	case c.spec.Times == planned:
		if c.service.Portions != nil && s.all != nil {
			for _, p := range c.service.Portions(s.all, l.first) {
				tell(p.What, p.Time)
			}
		}
		tell("exchanges tokens with the experts of other replicas", c.exchange(s.of))
		tell("starts up", s.until-from)
	}
}

// beginTask reports a step that begins.
func (c *Comp) beginTask(s *step, time sim.VTimeInSec) {
	if c.Stream.On() {
		s.task = c.Stream.Begin(time, task.Batch, c.Stream.What(fmt.Sprintf("step %d", s.number)), 0, 0)
	}
}

// laneAt is the number of a lane, laneOf that of an engine.
func (c *Comp) laneAt(l *lane) int {
	return slices.IndexFunc(c.lanes, func(x lane) bool { return x.first == l.first })
}

func (c *Comp) laneOf(engine int) int {
	return slices.IndexFunc(c.lanes, func(x lane) bool { return x.first <= engine && engine < x.first+x.n })
}

// stepOf is the task of the step that a model's operators belong to, 0 for those of a transfer.
func (c *Comp) stepOf(model int32) task.ID {
	p := c.handed.of[model]
	if l := &c.lanes[p.lane]; p.kvTransfer == nil && len(l.steps) > 0 {
		return l.steps[0].task
	}
	return 0
}
