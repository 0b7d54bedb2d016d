package symmetry

import (
	"slices"

	"github.com/causeway-sim/causeway/noc/collective"
)

// A Plan is the schedule of a collective: Turning, or of all members.
type Plan struct {
	Members int
	Turning []collective.Op // of collective.Turning; nil: Schedule is set
	*collective.Schedule

	peers   [][]int32 // of each member: to whom it sends
	checked bool      // simple has been true
}

// simple reports whether the schedule has only operations whose times follow from messages.
func (p *Plan) simple() bool {
	if p.Turning != nil || p.checked {
		return true
	}
	for _, ops := range p.Ops {
		for i := range ops {
			if ops[i].Kind == collective.Combine {
				return false
			}
		}
	}
	p.checked = p.Steps == collective.StepsFree || p.Steps == ""
	return p.checked
}

// sends calls f for each pair of members of which the first sends to the second.
func (p *Plan) sends(f func(src, dst int32) bool) bool {
	if p.peers == nil {
		p.gather()
	}
	for m := range int32(p.Members) {
		peers := p.peers[min(int(m), len(p.peers)-1)]
		for _, to := range peers {
			if p.Turning != nil {
				to = (to + m) % int32(p.Members)
			}
			if !f(m, to) {
				return false
			}
		}
	}
	return true
}

func (p *Plan) gather() {
	all := [][]collective.Op{p.Turning}
	if p.Turning == nil {
		all = p.Ops
	}
	for _, ops := range all {
		var to []int32
		for i := range ops {
			if ops[i].Kind == collective.Send {
				to = append(to, ops[i].Peer)
			}
		}
		slices.Sort(to)
		p.peers = append(p.peers, slices.Compact(to))
	}
}

// keeps reports whether a permutation of the members keeps the schedule.
func (p *Plan) keeps(to []int32) bool {
	n := int32(p.Members)
	if p.Turning != nil {
		for m := range n {
			if to[m] != (m+to[0])%n {
				return false
			}
		}
		return true
	}
	if identity(to) {
		return true
	}
	var a, b order
	for m, ops := range p.Ops {
		if !equal(ops, p.Ops[to[m]], to, &a, &b) {
			return false
		}
	}
	return true
}

func identity(to []int32) bool {
	for m := range to {
		if to[m] != int32(m) {
			return false
		}
	}
	return true
}

// An order is the operations of a member in the order in which they start at an instant: sends,
// then the others (collective.Tracker).
type order struct {
	ops   []int32
	place []int32 // of each operation in ops
}

func (o *order) of(ops []collective.Op) {
	o.ops, o.place = o.ops[:0], slices.Grow(o.place[:0], len(ops))[:len(ops)]
	for _, send := range []bool{true, false} {
		for i := range ops {
			if ops[i].Kind == collective.Send == send {
				o.place[i] = int32(len(o.ops))
				o.ops = append(o.ops, int32(i))
			}
		}
	}
}

// equal reports whether the operations of a member are those of another one with peers moved, in
// the same order.
func equal(x, y []collective.Op, to []int32, a, b *order) bool {
	if len(x) != len(y) {
		return false
	}
	a.of(x)
	b.of(y)
	for i := range a.ops {
		p, q := &x[a.ops[i]], &y[b.ops[i]]
		if p.Kind != q.Kind || p.Bytes != q.Bytes || len(p.After) != len(q.After) || p.Kind != collective.Copy && to[p.Peer] != q.Peer {
			return false
		}
		for k := range p.After {
			if a.place[p.After[k]] != b.place[q.After[k]] && !sameSet(p.After, q.After, a, b) {
				return false
			}
		}
	}
	return true
}

// sameSet reports whether two operations wait for the same ones, listed in different orders.
func sameSet(x, y []int32, a, b *order) bool {
	places := func(after []int32, o *order) (out []int32) {
		for _, i := range after {
			out = append(out, o.place[i])
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(places(x, a), places(y, b))
}

// Of returns the operations of a member.
func (p *Plan) Of(member int32) []collective.Op {
	if p.Turning == nil {
		return p.Ops[member]
	}
	ops := slices.Clone(p.Turning)
	for i := range ops {
		ops[i].Peer = (ops[i].Peer + member) % int32(p.Members)
	}
	return ops
}
