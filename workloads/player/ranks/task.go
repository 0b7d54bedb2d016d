package ranks

import (
	"strconv"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/workloads/player/ranks/collectives"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// tasks reports a collective as one task per rank, from its entry to the end of its part. Messages
// of the collective belong to it.
type tasks struct {
	task.Source
	of     [][]task.ID              // by instance and member
	posted map[token]sim.VTimeInSec // receives of collectives that wait, for explanations
}

// begin reports that a member enters a collective.
func (t *tasks) begin(at sim.VTimeInSec, in *collectives.Instance, member int32) {
	if !t.On() {
		return
	}
	for len(t.of) <= int(in.Number) {
		t.of = append(t.of, nil)
	}
	if t.of[in.Number] == nil {
		t.of[in.Number] = make([]task.ID, in.Members())
	}
	t.of[in.Number][member] = t.Begin(at, task.Collective, t.What(in.Op.Coll.String()), 0, in.Op.Bytes)
}

// member is the task of a member; 0 without a listener.
func (t *tasks) member(in *collectives.Instance, member int32) task.ID {
	if int(in.Number) >= len(t.of) || t.of[in.Number] == nil {
		return 0
	}
	return t.of[in.Number][member]
}

// post notes a receive of a collective that finds no message.
func (c *Comp) post(at token) {
	c.gantt.post(at, c.now)
	if t := &c.tasks; t.Explains() {
		if t.posted == nil {
			t.posted = map[token]sim.VTimeInSec{}
		}
		t.posted[at] = c.time
	}
}

// explain reports the rank for which a rank has waited in a collective, when the message has
// arrived.
func (c *Comp) explain(at token, m *Message) {
	t := &c.tasks
	from, ok := t.posted[at]
	if !ok {
		return
	}
	delete(t.posted, at)
	by := m.stamp.Task // of the network
	if by == 0 {
		by = m.cause
	}
	in, member := c.part(at)
	t.Explain(t.member(in, member), t.What("waits for rank "+strconv.Itoa(int(m.From))), from, c.time, by)
}

// reporter is the agent of a rank, if it reports tasks and there is a listener.
func (c *Comp) reporter(rank int32) (seat.Reporter, bool) {
	if !c.tasks.On() || c.ranks[rank].agent == nil {
		return nil, false
	}
	r, ok := c.ranks[rank].agent.(seat.Reporter)
	return r, ok
}
