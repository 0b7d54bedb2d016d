package dumpi

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/comm"
)

// A commHow says how a communicator was made.
type commHow uint8

const (
	commWorld  commHow = iota
	commSelf           // the rank alone
	commDup            // the same ranks
	commSplit          // by color and key
	commCreate         // of a group
	commGrid           // the first ranks, as many as the grid has
	commSub            // the grid's lines and planes
	commOther          // in a way that is not read
)

// A communicator is a communicator that a rank made, or helped to make.
type communicator struct {
	how        commHow
	parent     int32
	null       bool // this rank is not in it
	color, key int64
	dims       []int32 // of a grid
	keep       []int32 // dimensions that a sub-grid keeps
	group      group   // of commCreate
	global     int32   // in Program.Groups, when it is known
}

// A group is a list of ranks of a communicator; nil is all of them.
type group struct {
	known bool
	comm  int32
	ranks []int32
}

// null is DUMPI_COMM_NULL.
const null = 1

// defineComm takes the calls that make communicators and groups.
func (d *rank) defineComm(c *call, name string) error {
	a := c.args
	add := func(parent, id int64, m communicator) error {
		p, ok := d.comms[parent]
		if !ok {
			return fmt.Errorf("communicator %d is not known", parent)
		}
		m.parent, m.null = p, id == null
		d.made = append(d.made, m)
		d.expanded = append(d.expanded, 0)
		if !m.null {
			d.comms[id] = int32(len(d.made) - 1)
		}
		return nil
	}
	switch name {
	case "Comm_dup":
		return add(a[0], a[1], communicator{how: commDup})
	case "Comm_split":
		return add(a[0], a[3], communicator{how: commSplit, color: a[1], key: a[2]})
	case "Comm_create":
		return add(a[0], a[2], communicator{how: commCreate, group: d.groups[a[1]]})
	case "Cart_create":
		return add(a[0], a[3], communicator{how: commGrid, dims: slices.Clone(c.lists[0])})
	case "Graph_create":
		return add(a[1], a[4], communicator{how: commGrid, dims: []int32{int32(a[0])}})
	case "Cart_sub":
		return add(a[1], a[2], communicator{how: commSub, keep: slices.Clone(c.lists[0])})
	case "Intercomm_create":
		return add(a[0], a[5], communicator{how: commOther})
	case "Intercomm_merge":
		return add(a[0], a[2], communicator{how: commOther})
	case "Comm_free", "Comm_disconnect":
		delete(d.comms, a[0])
	case "Comm_group":
		if i, ok := d.comms[a[0]]; ok {
			d.groups[a[1]] = group{known: true, comm: i}
		}
	case "Group_incl":
		from := d.groups[a[0]]
		g := group{known: from.known, comm: from.comm, ranks: []int32{}}
		for _, i := range c.lists[0] {
			switch {
			case from.ranks == nil:
				g.ranks = append(g.ranks, i)
			case i < 0 || int(i) >= len(from.ranks):
				return fmt.Errorf("the group has no rank %d", i)
			default:
				g.ranks = append(g.ranks, from.ranks[i])
			}
		}
		d.groups[a[2]] = g
	case "Group_excl", "Group_union", "Group_intersection", "Group_difference", "Group_range_incl", "Group_range_excl":
		delete(d.groups, a[len(a)-1]) // not followed
	}
	return nil
}

// A reader is all ranks of a trace.
type reader struct {
	b     *comm.Builder
	ranks map[int]*rank
}

// Finish finds out which communicators of the ranks are one: those that were
// made from one communicator by as many calls. Then ranks in operations become
// those of the whole program.
func (w *reader) Finish(p *comm.Program) error {
	for n := range p.Ranks {
		d := w.ranks[n]
		d.made[0].global = 0
		p.Groups = append(p.Groups, []int32{int32(n)})
		d.made[1].global = int32(len(p.Groups) - 1)
		if err := w.children(p, d.made[1].global, func(int32) int32 { return 1 }); err != nil {
			return err
		}
	}
	if err := w.children(p, 0, func(int32) int32 { return 0 }); err != nil {
		return err
	}
	for n := range p.Ranks {
		if err := w.ranks[n].translate(p); err != nil {
			return err
		}
	}
	return nil
}

// children settles the communicators made from group g; local is its number at
// each of its ranks.
func (w *reader) children(p *comm.Program, g int32, local func(rank int32) int32) error {
	members := p.Groups[g]
	all := make([][]int32, len(members)) // of each member: its children of g
	for i, m := range members {
		for k, c := range w.ranks[int(m)].made {
			if k > 1 && c.parent == local(m) {
				all[i] = append(all[i], int32(k))
			}
		}
		if len(all[i]) != len(all[0]) {
			return comm.Errorf(w.ranks[int(m)].file.in.Name, "rank %d makes %d communicators where rank %d makes %d", m, len(all[i]), members[0], len(all[0]))
		}
	}
	for k := range all[0] {
		made := make([]*communicator, len(members))
		for i, m := range members {
			made[i] = &w.ranks[int(m)].made[all[i][k]]
			if made[i].how != made[0].how {
				return comm.Errorf(w.ranks[int(m)].file.in.Name, "ranks %d and %d make a communicator in different ways", m, members[0])
			}
		}
		for _, list := range w.parts(p, local, members, made) {
			world := make([]int32, len(list))
			at := map[int32]int32{}
			for i, j := range list {
				world[i] = members[j]
				at[members[j]] = all[j][k]
			}
			p.Groups = append(p.Groups, world)
			id := int32(len(p.Groups) - 1)
			for _, j := range list {
				made[j].global = id
			}
			if err := w.children(p, id, func(r int32) int32 { return at[r] }); err != nil {
				return err
			}
		}
	}
	return nil
}

// parts lists the new communicators as indices of the old one's members.
func (w *reader) parts(p *comm.Program, local func(int32) int32, members []int32, made []*communicator) [][]int {
	every := make([]int, len(members))
	for i := range every {
		every[i] = i
	}
	first := made[0]
	switch first.how {
	case commDup:
		return [][]int{every}
	case commGrid:
		n := 1
		for _, d := range first.dims {
			n *= max(0, min(int(d), comm.MaxRanks))
			n = min(n, comm.MaxRanks)
		}
		return [][]int{every[:min(n, len(every))]}
	case commCreate:
		if !first.group.known {
			for _, m := range made {
				m.how = commOther
			}
			return nil
		}
		var list []int
		from := p.Groups[w.ranks[int(members[0])].made[first.group.comm].global]
		for _, i := range first.group.ranks {
			if int(i) < len(from) {
				if j := slices.Index(members, from[i]); j >= 0 {
					list = append(list, j)
				}
			}
		}
		return [][]int{list}
	case commSplit:
		return partition(every, func(i int) (int64, bool) { return made[i].color, !made[i].null }, func(i int) int64 { return made[i].key })
	case commSub:
		grid := w.ranks[int(members[0])].made[local(members[0])].dims
		return partition(every, func(i int) (int64, bool) { return dropped(grid, first.keep, i), !made[i].null }, func(int) int64 { return 0 })
	}
	return nil
}

// dropped numbers the coordinates of a grid's member that a sub-grid loses. The
// last dimension is the fastest.
func dropped(dims, keep []int32, i int) int64 {
	out, unit := int64(0), int64(1)
	for d := len(dims) - 1; d >= 0; d-- {
		n := max(1, int(dims[d]))
		if d >= len(keep) || keep[d] == 0 {
			out += int64(i%n) * unit
			unit *= int64(n)
		}
		i /= n
	}
	return out
}

// partition groups members by color and sorts each group by key, then by rank.
func partition(all []int, color func(int) (int64, bool), key func(int) int64) [][]int {
	by := map[int64][]int{}
	var order []int64
	for _, i := range all {
		c, in := color(i)
		if !in {
			continue
		}
		if by[c] == nil {
			order = append(order, c)
		}
		by[c] = append(by[c], i)
	}
	slices.Sort(order)
	var out [][]int
	for _, c := range order {
		slices.SortStableFunc(by[c], func(i, j int) int { return cmp.Compare(key(i), key(j)) })
		out = append(out, by[c])
	}
	return out
}

// translate makes ranks and groups those of the program.
func (d *rank) translate(p *comm.Program) error {
	for _, i := range d.spread {
		o := d.Rank.Op(i)
		o.Bytes *= uint64(len(p.Groups[d.made[o.Group].global]))
	}
	for i := range d.Rank.Len() {
		o := d.Rank.Op(i)
		if o.Kind != comm.Send && o.Kind != comm.Recv && o.Kind != comm.Collective {
			continue
		}
		m := &d.made[o.Group]
		if m.how == commOther {
			return comm.Errorf(d.file.in.Name, "operation %d uses a communicator that was made in a way that is not read", i)
		}
		o.Group = m.global
		g := p.Groups[o.Group]
		switch {
		case o.Peer == peerBefore || o.Peer == peerBehind:
			to := slices.Index(g, int32(d.number)) - 1
			if o.Peer == peerBehind {
				to += 2
			}
			if to < 0 || to >= len(g) {
				*o = comm.Op{Kind: comm.Join}
				continue
			}
			o.Peer = g[to]
		case o.Peer >= 0:
			if int(o.Peer) >= len(g) {
				return comm.Errorf(d.file.in.Name, "operation %d: the communicator has %d ranks and no rank %d", i, len(g), o.Peer)
			}
			o.Peer = g[o.Peer]
			if int(o.Peer) == d.number && o.Tag >= comm.ExpandedTag {
				*o = comm.Op{Kind: comm.Join} // its own part of a collective
			}
		}
	}
	return nil
}
