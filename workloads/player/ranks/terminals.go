package ranks

import (
	"fmt"
	"math/rand/v2"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/player/ranks/placement"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// SetPeers implements system.Neighbour: it finds the terminal of each port.
func (c *Comp) SetPeers(port string, peers []system.Peer) error {
	var i int
	if _, err := fmt.Sscanf(port, "nic[%d]", &i); err != nil || i >= len(c.list) {
		return fmt.Errorf("no port %q", port)
	}
	for len(c.places) < len(c.list) {
		c.places = append(c.places, placement.Port{Terminal: -1})
	}
	c.place(i, placement.Of(peers))
	if c.program != nil && c.seated() {
		return c.settle()
	}
	return nil
}

// place notes where a port is, one of those known or the next.
func (c *Comp) place(i int, at placement.Port) {
	if i == len(c.places) {
		c.places = append(c.places, placement.Port{})
	}
	if c.places[i].Linked {
		c.links--
	}
	if c.places[i] = at; at.Linked {
		c.links++
	}
}

// seated reports whether all ports are linked and known.
func (c *Comp) seated() bool { return len(c.places) > 0 && c.links == len(c.places) }

// linked lists the ports at terminals; fewer than there are ranks are an error.
func (c *Comp) linked() (list []int32, err error) {
	if c.places == nil { // outside of a system all ports are taken as they are
		for i := range c.list {
			list = append(list, int32(i))
		}
	}
	for i, s := range c.places {
		if s.Linked {
			list = append(list, int32(i))
		}
	}
	if len(list) < len(c.ranks) {
		return nil, c.fail("there are %d ranks and %d ports linked to terminals", len(c.ranks), len(list))
	}
	return list, nil
}

// settle gives each rank its port, and prepares what the network adds up for them.
func (c *Comp) settle() error {
	list, err := c.linked()
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(0, 0))
	if c.random != nil {
		rng = c.random()
	}
	list, err = placement.Arrange(c.spec.Placement, list, c.places, rng)
	if err != nil {
		return c.fail("%v", err)
	}
	c.port = list[:len(c.ranks)]
	c.rankAt = make([]int32, len(c.list))
	for i := range c.rankAt {
		c.rankAt[i] = -1
	}
	for rank, p := range c.port {
		c.rankAt[p] = int32(rank)
	}
	if err := c.sit(); err != nil {
		return err
	}
	if err := c.spray(); err != nil {
		return err
	}
	return c.plant()
}

// spray tells the network on how many paths packets of each rank go.
func (c *Comp) spray() error {
	for i := range c.ranks {
		paths := c.ranks[i].nic.Spray
		if paths <= 1 {
			continue
		}
		p := c.placed(int32(i))
		if p.Sprayer == nil {
			return c.fail("nic.spray is %d, but rank %d is at no network whose endpoints control congestion (want fidelity packet with congestion: nscc or swift)", paths, i)
		}
		if err := p.Sprayer.Spray(p.Terminal, paths); err != nil {
			return c.fail("nic.spray is %d, but %v", paths, err)
		}
	}
	return nil
}

// sit gives ranks to their seats.
func (c *Comp) sit() error {
	if c.chairs == nil {
		return nil
	}
	var errs configs.Errors
	c.seats.open(len(c.ranks))
	for i := range c.ranks {
		s := c.chairs[c.port[i]]
		_, nic := s.Interface()
		c.ranks[i].seat = s
		c.ranks[i].agent, _ = s.(seat.Agent)
		c.ranks[i].book.rests = c.ranks[i].agent != nil
		if c.agents = c.agents || c.ranks[i].agent != nil; c.ranks[i].agent != nil {
			for _, p := range s.(sim.Component).Ports() {
				c.seats.of[p] = int32(i)
			}
		}
		if m, ok := s.(seat.Mover); ok && m.Moves() {
			c.ranks[i].mover = m
		}
		c.ranks[i].nic = newNIC(nic, c.Clock())
		c.ranks[i].executor, _ = s.(work.Direct)
		errs.Add(s.Sit(c))
	}
	return errs.Err()
}
