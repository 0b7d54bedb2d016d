package flit

import (
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/noc/network"
)

// Accepts implements network.ByValue: a packet is not split.
func (k *core) Accepts(flits int) bool {
	return (k.packet == 0 || flits <= k.packet) && !k.Fails()
}

// Drive implements network.ByValue.
func (k *core) Drive(s network.Source) (ends []int, lookahead int64) {
	k.source, k.tasks = s, map[int32]task.ID{}
	return k.Network.Drive(s, k, k.proof)
}

// Begin implements fabric.Follower: a packet is reported as the task of a message.
func (k *core) Begin(id, flits int32) {
	if t := k.shell.BeginPacket(k.source.Cause(id), flits); t != 0 {
		k.tasks[id] = t
	}
}

// End implements fabric.Follower.
func (k *core) End(id int32) {
	if t, ok := k.tasks[id]; ok {
		k.shell.EndPacket(t)
		delete(k.tasks, id)
	}
}

// Delivered implements fabric.Follower.
func (k *core) Delivered(terminal int, flits int32, cycle int64) {
	k.shell.Delivered(terminal, flits, cycle)
}

// Run implements network.ByValue. While an observer follows tasks, one worker simulates a cycle at a
// time, so that tasks are reported in their order.
func (k *core) Run(from, to int64, offered bool, workers int) error {
	k.Observe(k.shell.Observes())
	for ; from < to; offered = false {
		if k.shell.Followed() || len(k.tasks)+k.flits.open() > 0 {
			k.follow(from + 1)
			from = k.Followed(from, offered)
		} else {
			from = k.Window(from, to, offered, workers)
		}
	}
	t := k.TakeTally()
	k.shell.Tally(&t, uint64(to))
	if k.Frozen() {
		return &engine.Stuck{Time: instant.Of(k.shell.Clock(), uint64(to)), Reason: "no flit moves in " + k.name, Waits: k.Waiting()}
	}
	return nil
}

// follow prepares a cycle whose tasks are reported.
func (k *core) follow(cycle int64) {
	if k.flits == nil && k.shell.Watched() {
		k.watch(func(id, _ int32) task.ID { return k.tasks[id] })
	}
	k.shell.At(cycle)
}
