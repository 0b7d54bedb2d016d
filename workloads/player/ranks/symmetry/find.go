package symmetry

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/causeway-sim/causeway/workloads/comm"
)

// A System is a program and the network that it runs on.
type System struct {
	Program *comm.Program
	// Plan returns the schedule of a collective, the same for equal ones; nil: it sends nothing.
	Plan func(o *comm.Op) (*Plan, error)
	// Answers: receivers send messages back.
	Answers bool
	// Terminals of the ranks.
	Terminals []int32
	// Channels is the number of channels of the network.
	Channels int
	// Route appends the channels of a message between two terminals. It is an error if they depend
	// on anything else.
	Route func(src, dst int32, out []int32) ([]int32, error)
	// Alike reports whether two channels have the same latency and rate.
	Alike func(a, b int32) bool
}

// A Fold is the symmetry of a System.
type Fold struct {
	Group *Group
	// Channel is what stands for each channel, and Element what moves that to it; -1: no message
	// takes the channel.
	Channel, Element []int32
	// Ordered: terminals have the order of ranks.
	Ordered bool
}

// Find returns the symmetry of a system with the fewest represented ranks that it knows, or why
// there is none.
func Find(s *System) (f *Fold, why string) {
	x := finder{System: s, n: int32(len(s.Program.Ranks)), positions: make([]map[int32]int32, len(s.Program.Groups))}
	g := &Group{}
	f = &Fold{Group: g}
	var moved [][]int32 // channels by each digit
	for _, d := range digits(x.n) {
		if !free(g, d) {
			continue
		}
		to, no := x.keeps(d)
		if x.err != nil {
			return nil, x.err.Error()
		}
		if to == nil {
			why = cmp.Or(why, no)
			continue
		}
		var channel, element []int32
		if no == "" {
			channel, element, no = orbits(append(g.digits, d), append(moved, to))
		}
		if no != "" {
			why = no // the program is the same: this is nearest to an answer
			continue
		}
		g.digits, moved, f.Channel, f.Element = append(g.digits, d), append(moved, to), channel, element
	}
	if len(g.digits) == 0 {
		return nil, cmp.Or(why, "there is one rank")
	}
	if no := x.together(g); no != "" {
		return nil, no
	}
	f.Ordered = true
	for r := 1; r < len(s.Terminals); r++ {
		f.Ordered = f.Ordered && s.Terminals[r] > s.Terminals[r-1]
	}
	return f, ""
}

// free reports whether a digit overlaps none of a group.
func free(g *Group, d Digit) bool {
	for _, o := range g.digits {
		if !d.apart(o) {
			return false
		}
	}
	return true
}

// A finder is the state of a search.
type finder struct {
	*System
	n         int32
	positions []map[int32]int32 // of the ranks in each communicator, made when needed
	a, b      []int32           // routes
	err       error
}

// keeps returns where a digit moves channels, or what it does not keep; nil if that is the program.
func (x *finder) keeps(d Digit) (to []int32, why string) {
	groups := map[int32]int32{}
	for r := range x.n {
		if why := x.sameOps(d, r, groups); why != "" {
			return nil, why
		}
	}
	if why := x.samePlans(d, groups); why != "" {
		return nil, why
	}
	to = make([]int32, x.Channels)
	for i := range to {
		to[i] = -1
	}
	x.pairs(func(src, dst int32) bool {
		why = x.sameRoute(d, src, dst, to)
		return why == "" && x.err == nil
	})
	return to, why
}

// sameOps reports how the operations of a rank differ from those of the rank that it is moved to,
// and notes where communicators are moved.
func (x *finder) sameOps(d Digit, r int32, groups map[int32]int32) string {
	q := d.Turn(r)
	p, o := &x.Program.Ranks[r], &x.Program.Ranks[q]
	if p.Len() != o.Len() {
		return fmt.Sprintf("ranks %d and %d have %d and %d operations", r, q, p.Len(), o.Len())
	}
	for i := range p.Len() {
		a, b := *p.Op(i), *o.Op(i)
		if a.Kind == comm.Send || a.Kind == comm.Recv || a.Kind == comm.Collective {
			if to, ok := groups[a.Group]; ok && to != b.Group {
				return fmt.Sprintf("ranks %d and %d call communicators in different orders", r, q)
			}
			groups[a.Group] = b.Group
			a.Group = b.Group
		}
		if a.Kind == comm.Send || a.Kind == comm.Recv && a.Peer >= 0 {
			a.Peer = d.Turn(a.Peer)
		}
		if !a.Same(&b) || !slices.Equal(p.Deps(i), o.Deps(i)) {
			return fmt.Sprintf("ranks %d and %d differ in operation %d", r, q, i)
		}
		if a.Kind == comm.Recv && a.Peer < 0 {
			return fmt.Sprintf("rank %d receives from any rank, so that the order of arrivals decides", r)
		}
	}
	return ""
}

// position is the place of a rank in a communicator.
func (x *finder) position(group, rank int32) (int32, bool) {
	if group == 0 {
		return rank, true
	}
	if x.positions[group] == nil {
		x.positions[group] = map[int32]int32{}
		for i, r := range x.Program.Groups[group] {
			x.positions[group][r] = int32(i)
		}
	}
	i, ok := x.positions[group][rank]
	return i, ok
}

// samePlans reports which communicator, or schedule of its collectives, a digit does not keep.
func (x *finder) samePlans(d Digit, groups map[int32]int32) (why string) {
	type use struct {
		p     *Plan
		group int32
	}
	seen := map[use]bool{}
	to := map[int32][]int32{}
	for _, from := range slices.Sorted(maps.Keys(groups)) {
		group := groups[from]
		members := x.Program.Groups[from]
		if len(members) != len(x.Program.Groups[group]) {
			return fmt.Sprintf("communicators %d and %d have %d and %d ranks", from, group, len(members), len(x.Program.Groups[group]))
		}
		for _, r := range members {
			i, ok := x.position(group, d.Turn(r))
			if !ok {
				return fmt.Sprintf("rank %d is in communicator %d, but rank %d is not in %d", r, from, d.Turn(r), group)
			}
			to[from] = append(to[from], i)
		}
	}
	x.collectives(func(_ int32, o *comm.Op, p *Plan) bool {
		if k := (use{p, o.Group}); !seen[k] {
			seen[k] = true
			if !p.keeps(to[o.Group]) {
				why = fmt.Sprintf("the schedule of %s is not the same for rank %d and the rank %d further", o, x.Program.Groups[o.Group][0], d.Unit)
			}
		}
		return why == ""
	})
	return why
}

// collectives calls f for each collective of each rank that sends something.
func (x *finder) collectives(f func(rank int32, o *comm.Op, p *Plan) bool) {
	for r := range x.n {
		ops := &x.Program.Ranks[r]
		for i := range ops.Len() {
			o := ops.Op(i)
			if o.Kind != comm.Collective {
				continue
			}
			p, err := x.Plan(o)
			if err != nil {
				x.err = err
				return
			}
			if p == nil {
				continue
			}
			if !p.simple() {
				x.err = fmt.Errorf("%s has sums in routers, or steps that its sends keep to", o)
				return
			}
			if !f(r, o, p) {
				return
			}
		}
	}
}

// pairs calls f for ranks of which the first sends to the second.
func (x *finder) pairs(f func(src, dst int32) bool) {
	both := func(src, dst int32) bool {
		return src == dst || f(src, dst) && (!x.Answers || f(dst, src))
	}
	more := true
	for r := range x.n {
		p := &x.Program.Ranks[r]
		for i := 0; i < p.Len() && more; i++ {
			if o := p.Op(i); o.Kind == comm.Send {
				more = both(r, o.Peer)
			}
		}
	}
	type use struct {
		p     *Plan
		group int32
	}
	seen := map[use]bool{}
	if more {
		x.collectives(func(_ int32, o *comm.Op, p *Plan) bool {
			if k := (use{p, o.Group}); !seen[k] {
				seen[k] = true
				members := x.Program.Groups[o.Group]
				more = p.sends(func(src, dst int32) bool { return both(members[src], members[dst]) })
			}
			return more
		})
	}
}

// sameRoute notes where a digit moves the channels of a message, and reports what contradicts it.
func (x *finder) sameRoute(d Digit, src, dst int32, to []int32) string {
	t := x.Terminals
	if x.a, x.err = x.Route(t[src], t[dst], x.a[:0]); x.err != nil {
		return ""
	}
	if x.b, x.err = x.Route(t[d.Turn(src)], t[d.Turn(dst)], x.b[:0]); x.err != nil {
		return ""
	}
	if len(x.a) != len(x.b) {
		return fmt.Sprintf("messages take %d channels from rank %d to %d, and %d from %d to %d", len(x.a), src, dst, len(x.b), d.Turn(src), d.Turn(dst))
	}
	for i, c := range x.a {
		switch {
		case to[c] >= 0 && to[c] != x.b[i], !x.Alike(c, x.b[i]):
			return fmt.Sprintf("the way of messages from rank %d to %d is unlike that from %d to %d", src, dst, d.Turn(src), d.Turn(dst))
		}
		to[c] = x.b[i]
	}
	return ""
}

// together reports a communicator with represented ranks that has other ranks, too, for which ranks
// of other communicators stand.
func (x *finder) together(g *Group) string {
	has := map[int32]bool{} // communicators with represented ranks
	for r := range x.n {
		for i := 0; g.Rep(r) == r && i < x.Program.Ranks[r].Len(); i++ {
			has[x.Program.Ranks[r].Op(i).Group] = true
		}
	}
	for r := range x.n {
		p, rep := &x.Program.Ranks[r], &x.Program.Ranks[g.Rep(r)]
		for i := range p.Len() {
			if o := p.Op(i); has[o.Group] && rep.Op(i).Group != o.Group {
				return fmt.Sprintf("rank %d stands for rank %d, but calls other communicators", g.Rep(r), r)
			}
		}
	}
	return ""
}
