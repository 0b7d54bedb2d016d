package ranks

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/workloads/player/ranks/collectives"
)

// A lane is one of the interfaces of a rank that carry out sends of collectives
// (nic.interfaces). A send keeps it from its begin to its end; the next one takes the first
// that is free, although pieces of an earlier send may be left in it.
type lane struct {
	busy bool
	send token
	window
}

// line puts a send of a schedule among those that wait for their step or an interface:
// the earlier operation of a collective goes first.
func (c *Comp) line(at token) {
	r := &c.ranks[at.rank]
	i, _ := slices.BinarySearchFunc(r.lined, at, func(a, b token) int {
		return cmp.Or(cmp.Compare(a.inst, b.inst), cmp.Compare(a.op, b.op))
	})
	r.lined = slices.Insert(r.lined, i, at)
	c.beginSends(at.rank)
}

// lines reports whether sends of a collective may have to wait.
func (c *Comp) lines(rank int32, in *collectives.Instance) bool {
	return in.Paced() || len(c.ranks[rank].nic.lanes) > 0
}

// beginSends begins all sends of a rank that may begin.
func (c *Comp) beginSends(rank int32) {
	r := &c.ranks[rank]
	if r.beginning || c.failed(rank) {
		return // who began goes on when a send has ended at once
	}
	r.beginning = true
	defer func() { r.beginning = false }()
	for i := 0; i < len(r.lined); {
		free := int32(-1)
		if len(r.nic.lanes) > 0 {
			if free = int32(slices.IndexFunc(r.nic.lanes, func(l lane) bool { return !l.busy })); free < 0 {
				return
			}
		}
		at := r.lined[i]
		in, m := c.part(at)
		if !in.InTurn(m, at.op) {
			i++
			continue
		}
		r.lined = slices.Delete(r.lined, i, i+1)
		if free >= 0 {
			r.nic.lanes[free].busy, r.nic.lanes[free].send = true, at
		}
		in.Begun(m)
		i = 0 // its step may have been the last to wait for
		c.startSendPart(at, in, m, free)
	}
}

// endSend ends a send of a schedule, and lets others of the rank begin.
func (c *Comp) endSend(at token) {
	in, m := c.part(at)
	if c.lines(at.rank, in) {
		lanes := c.ranks[at.rank].nic.lanes
		if i := slices.IndexFunc(lanes, func(l lane) bool { return l.busy && l.send == at }); i >= 0 {
			lanes[i].busy = false
		}
		in.Ended(m)
	}
	c.donePart(at)
	c.beginSends(at.rank)
}

// startSendPart sends what an operation of a schedule sends, by a lane; -1: by none.
func (c *Comp) startSendPart(at token, in *collectives.Instance, m, by int32) {
	o := in.Part(m, at.op)
	x := c.pool.take()
	x.kind, x.From, x.To, x.Tag, x.Group = part, at.rank, c.joint.Rank(in.Op.Group, o.Peer), int64(o.Tag), -1-at.inst
	x.Bytes, x.TrafficBytes, x.at, x.lane = uint64(o.Bytes), int(o.Bytes), at, by
	x.since, x.cause = c.now, c.tasks.member(in, m)
	if o.Bytes > 0 && c.move(at.rank, c.piece(at, true, false), timer{what: loaded, msg: x}) {
		return
	}
	c.send(x)
}
