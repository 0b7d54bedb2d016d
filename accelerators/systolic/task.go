package systolic

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/task"
)

// The tasks of a core of fidelity tile: a layer; below it a tile per step, from its
// first load to the end of its computing; below that the computing itself and every
// burst. Stores of a step leave after its computing and still belong to its tile.

// transfers are the texts of bursts, by direction and buffer.
type transfers [2][buffers]task.What

func (k *core) transfers() (out transfers) {
	for b := range buffers {
		out[0][b] = k.tasks.What("load " + dma.Buffer(b).String())
		out[1][b] = k.tasks.What("store " + dma.Buffer(b).String())
	}
	return out
}

// tile is the task of a step, which begins now at the latest.
func (t *Tile) tile(g *stage, now sim.VTimeInSec) task.ID {
	if g.tile == 0 {
		g.tile = t.tasks.Begin(now, task.Tile, 0, t.task, 0)
	}
	return g.tile
}

// beginBurst reports the burst of a slot that has been sent, and passes its task on.
func (t *Tile) beginBurst(s *slot, now sim.VTimeInSec) {
	if !t.tasks.On() {
		return
	}
	if t.queue.beyond() { // a task of the core: the layer that it is for has not begun
		s.task = t.tasks.Begin(now, task.Burst, t.bursts[0][s.buf], 0, t.next.Size)
		s.hint.Task = s.task
		return
	}
	step, direction := t.queue.at, 0
	if s.store {
		step, direction = step-2, 1
	}
	s.task = t.tasks.Begin(now, task.Burst, t.bursts[direction][s.buf], t.tile(t.queue.of(step), now), t.next.Size)
	s.hint.Task = s.task
}

// beginCompute reports that the array begins with a step.
func (t *Tile) beginCompute(g *stage, cycle uint64) {
	if t.tasks.On() {
		now := instant.Of(t.clock, cycle)
		g.compute = t.tasks.Begin(now, task.Compute, 0, t.tile(g, now), 0)
	}
}

// Waits of a layer are explained as they are booked: the same cycles, cause by cause.

// causeWords are the texts of causes.
var causeWords = [causes]string{"computes", "waits for input data", "waits for weights", "waits for partial sums", "stores results", "waits for another core"}

// explain reports what cycles of the layer went to, and the burst that held them up.
func (k *core) explain(c cause, from, to uint64, by task.ID) {
	if from < to && k.tasks.Explains() {
		k.tasks.Explain(k.task, k.tasks.What(causeWords[c]), instant.Of(k.clock, from), instant.Of(k.clock, to), by)
	}
}

// explainWait explains the idle cycles before a step that begins to compute now.
func (t *Tile) explainWait(g *stage, now uint64) {
	if !t.tasks.Explains() {
		return
	}
	for from := t.computed; from < now; {
		c, at := held(from, now, &g.ready)
		by := t.stored
		if c != storing {
			by = g.last[c-waitIfmap]
		}
		t.explain(c, from, at, by)
		from = at
	}
	t.explain(compute, now, now+g.cycles, 0)
}

// explainAwait explains the cycles in which the layer could not begin, and names what it
// waited for.
func (k *core) explainAwait(j *job, from, to uint64) {
	if from >= to || !k.tasks.Explains() {
		return
	}
	what := causeWords[dependency]
	if t, ok := k.ops.Last(j.share.ID, j.After); ok {
		what = fmt.Sprintf("waits for layer %s of core %d", j.share.Graph.Ops[t.Op].Name, t.Core)
	}
	k.tasks.Explain(k.task, k.tasks.What(what), instant.Of(k.clock, from), instant.Of(k.clock, to), 0)
}

// endStep reports that a step has been computed.
func (t *Tile) endStep(g *stage, cycle uint64) {
	if g.tile != 0 {
		now := instant.Of(t.clock, cycle)
		t.tasks.End(now, g.compute)
		t.tasks.End(now, g.tile)
	}
}
