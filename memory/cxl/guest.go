package cxl

import (
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/setting"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// A guest is the requester of a root that acts in the loop of its fabric.
type guest struct {
	port *block.GuestPort
	root *Root
}

// receive gives a guest of a root its port. Nothing has been sent.
func (c *carrier) receive(g block.Guest, r *Root) *block.GuestPort {
	k := len(c.guests)
	port := block.NewGuestPort(g, func(first uint64) {
		c.turns.Set(k, int64(min(first, link.Never)))
		if !c.running {
			c.fabric.ticker.WakeAt(first)
		}
	})
	c.guests = append(c.guests, guest{port, r})
	c.turns = transit.NewMinTree(len(c.guests))
	for i, x := range c.guests {
		c.turns.Set(i, int64(min(x.port.First(), link.Never)))
	}
	c.ports = c.needsPorts()
	return port
}

// needsPorts reports whether messages need ports: a root has no guest, or a local memory, or a
// device has a port.
func (c *carrier) needsPorts() bool {
	hosts := 0
	for _, n := range c.fabric.nodes {
		switch p := n.(type) {
		case *Root:
			if p.homes != nil {
				return true
			}
			hosts++
		case *Type3:
			if p.dev != nil {
				return true
			}
		}
	}
	return hosts > len(c.guests)
}

// turn has a guest act at t, if the loop may go as far.
func (c *carrier) turn(s *span, t int64) (more bool, err error) {
	if t > s.sure && !s.free(instant.Of(setting.Fine, uint64(t))) {
		return false, nil
	}
	g := &c.guests[c.turns.Due(0, t)]
	asks, err := g.port.Turn()
	if asks {
		c.fabric.received.Add(g.root.number)
		c.wakeAt(t + 1)
	}
	c.turned, c.last = t, nil
	c.engine.Progress()
	return true, err
}
