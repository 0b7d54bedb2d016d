package ranks

import (
	"errors"
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/player/ranks/collectives"
	"github.com/causeway-sim/causeway/workloads/player/ranks/symmetry"
)

// equal is the ranks that do the same at the same times: one of each set is simulated.
type equal struct {
	group *symmetry.Group // nil: every rank is simulated
}

// bring moves a message that has arrived, of a simulated rank to any, to the simulated rank that
// stands for its receiver.
func (e *equal) bring(m *Message) {
	if e.group == nil || m.kind == joint {
		return
	}
	by := e.group.Of(m.To)
	m.From, m.To = e.group.Back(by, m.From), e.group.Back(by, m.To)
}

// groups is the number of communicators that carry out a collective at the same times as one.
func (e *equal) groups(in *collectives.Instance) uint64 {
	if e.group == nil {
		return 1
	}
	return uint64(e.group.Order()) / uint64(in.Each())
}

// simulated is the rank that stands for rank i.
func (c *Comp) simulated(i int) *rank {
	if c.equal.group != nil {
		i = int(c.equal.group.Rep(int32(i)))
	}
	return &c.ranks[i]
}

// findEqual looks for equal ranks where the network asks for it (skip). It tells the network what
// it has found, or why nothing.
func (c *Comp) findEqual() error {
	if len(c.ranks) == 0 {
		return nil
	}
	if c.port == nil {
		if err := c.settle(); err != nil {
			return err
		}
	}
	net := c.placed(0).Folder
	if net == nil || net.Skip() == network.SkipOff {
		return nil
	}
	if c.whole != "" {
		net.Unfolded(c.whole)
		return nil
	}
	if err := c.foldable(net); err != nil {
		net.Unfolded(err.Error())
		return nil
	}
	p := plans{c: c, all: map[planKey]*symmetry.Plan{}}
	terminals := make([]int32, len(c.ranks))
	for i := range c.ranks {
		at := c.placed(int32(i))
		terminals[i] = int32(at.Terminal)
		at.Limit(c.ranks[i].nic.Rate())
	}
	f, why := symmetry.Find(&symmetry.System{
		Program: c.program, Plan: p.of, Answers: c.spec.NIC.Inject > 0 || c.sends(),
		Terminals: terminals, Channels: net.Numbered(), Route: net.Route, Alike: net.Alike,
	})
	if f == nil {
		net.Unfolded(why)
		return nil
	}
	c.fold(net, f, &p, terminals)
	return nil
}

// fold simulates one rank of each set.
func (c *Comp) fold(net network.Folder, f *symmetry.Fold, p *plans, terminals []int32) {
	c.equal.group, c.count.times = f.Group, uint64(f.Group.Order())
	top := make([]int32, 0, len(c.list))
	for r, t := range terminals {
		for int(t) >= len(top) {
			top = append(top, int32(len(top)))
		}
		top[t] = terminals[f.Group.Rep(int32(r))]
	}
	net.Fold(&network.Fold{Times: f.Group.Order(), Terminal: top, Channel: f.Channel, Element: f.Element, Ordered: f.Ordered})
	each := map[int32]int{}
	c.joint = collectives.New(c.program, p.schedule(f.Group))
	c.joint.Stand(func(group int32) int {
		if n, ok := each[group]; ok {
			return n
		}
		reps := 0
		for _, r := range c.program.Groups[group] {
			if f.Group.Rep(r) == r {
				reps++
			}
		}
		each[group] = len(c.program.Groups[group]) / reps
		return each[group]
	})
}

// foldable returns an error for what makes ranks differ, or is not known to keep them equal.
func (c *Comp) foldable(net network.Folder) error {
	n := &c.spec.NIC
	switch {
	case c.chairs != nil:
		return errors.New("its ranks are nodes of their own")
	case len(c.spec.Stragglers) > 0:
		return errors.New("some ranks are stragglers")
	case n.Interfaces > 0 || n.Window > 0:
		return errors.New("nic.interfaces carry out sends of collectives in turn")
	case len(n.Feed) > 0:
		return errors.New("nic.feed cuts messages into pieces")
	}
	for i := range c.ranks {
		at := c.placed(int32(i))
		if at.Folder != net || at.Terminal < 0 {
			return fmt.Errorf("rank %d is on another network", i)
		}
		if !c.ports[c.port[0]].Alike(c.ports[c.port[i]]) {
			return fmt.Errorf("the link of rank %d is not like that of rank 0", i)
		}
	}
	return net.Foldable(func(p sim.Port) bool {
		_, mine := c.index[p]
		return mine
	})
}

// sends reports whether the program sends messages besides those of collectives.
func (c *Comp) sends() bool {
	for i := range c.ranks {
		for op := range c.ranks[i].program.Len() {
			if c.ranks[i].program.Op(op).Kind == comm.Send {
				return true
			}
		}
	}
	return false
}

// plans are the schedules of a program for the search of equal ranks.
type plans struct {
	c   *Comp
	all map[planKey]*symmetry.Plan
}

// planKey is what makes collectives alike.
type planKey struct {
	coll  comm.Coll
	n     int
	bytes uint64
	root  int
}

// of is symmetry.System.Plan.
func (p *plans) of(o *comm.Op) (*symmetry.Plan, error) {
	if p.c.joint.Empty(o) {
		return nil, nil
	}
	k := planKey{o.Coll, len(p.c.program.Groups[o.Group]), o.Bytes, 0}
	if collectives.Rooted(o.Coll) {
		k.root = int(p.c.joint.Member(o.Group, o.Peer))
	}
	if x := p.all[k]; x != nil {
		return x, nil
	}
	x := &symmetry.Plan{Members: k.n}
	var ok bool
	var err error
	if x.Turning, ok, err = p.c.spec.Collectives.Turning(k.coll, k.n, k.bytes); err == nil && !ok {
		x.Schedule, err = p.c.spec.Collectives.Schedule(k.coll, k.n, k.bytes, k.root)
		if err == nil && !x.Schedule.Number() {
			err = fmt.Errorf("the messages of %s between two ranks come in another order than they go", o)
		}
	}
	if err != nil {
		return nil, err
	}
	p.all[k] = x
	return x, nil
}

// schedule returns the schedules with the operations of simulated ranks alone. Tags number the
// messages from one rank to another, so that they are those of any rank.
func (p *plans) schedule(g *symmetry.Group) collectives.Schedule {
	at := map[int][]int32{} // positions of simulated ranks, by members of a communicator
	for _, members := range p.c.program.Groups {
		for i, r := range members {
			if g.Rep(r) == r {
				at[len(members)] = append(at[len(members)], int32(i))
			}
		}
	}
	return func(coll comm.Coll, n int, bytes uint64, root int) (*collective.Schedule, error) {
		x := p.all[planKey{coll, n, bytes, root}]
		s := &collective.Schedule{Ops: make([][]collective.Op, n)}
		if x.Schedule != nil {
			*s = *x.Schedule
			s.Ops = make([][]collective.Op, n)
		}
		for _, m := range at[n] {
			if s.Ops[m] == nil {
				s.Ops[m] = x.Of(m)
			}
		}
		return s, nil
	}
}
