package traffic

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"
)

// A losing network calls the function of OnLoss for each message that will not arrive, if its
// channels fail during the run.
type losing interface {
	Fails() bool
	OnLoss(func(now sim.VTimeInSec, m sim.Msg))
}

// A stranding network may hold packets that never arrive, and reports them.
type stranding interface{ Stranded() bool }

// strand stops sending where packets will never come: the run ends, as stuck, when all that
// moves has arrived.
func (c *Comp) strand() {
	if !c.stranded && c.parts != nil && c.parts.Stranded() {
		c.stranded, c.state = true, emptying
	}
}

// lose notes a packet that will not come: the run does not wait for it, and it is in no mean.
func (c *Comp) lose(now sim.VTimeInSec, m sim.Msg) {
	p, ok := m.(*packet)
	if !ok {
		panic(fmt.Sprintf("traffic: %s is told of a %T", c.Name(), m))
	}
	c.out--
	c.count.lost++
	c.count.lostFlits += uint64(p.flits)
	c.tasks.End(now, p.task)
	c.window.lose(p.flits, p.created)
	c.pool.give(p)
}

// lose notes a packet that will not come.
func (w *window) lose(flits int32, created int64) {
	w.flits -= int64(flits)
	w.created -= int64(flits) * created
	if created < w.end {
		w.behind--
	}
}
