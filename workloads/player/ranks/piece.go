package ranks

import (
	slab "github.com/causeway-sim/causeway/components/pool"
	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// pieces holds the reads and writes of movers by token, with the action after each.
type pieces struct{ slab.Of[timer, int32] }

// move has the rank's mover move a piece; it is false if the rank has none.
func (c *Comp) move(rank int32, p seat.Piece, then timer) bool {
	m := c.ranks[rank].mover
	if m == nil {
		return false
	}
	i := c.pieces.Take()
	*c.pieces.At(i) = then
	c.fetch(rank, 1)
	m.Fetch(p, i)
	mark(c.seats.moving, rank)
	c.ticker.WakeAt(c.now + 1)
	return true
}

// movers advances the Movers by a cycle, and continues the operations that waited for them.
func (c *Comp) movers() (err error) {
	if !c.agents {
		return nil
	}
	for i := next(c.seats.moving, 0); i >= 0; i = next(c.seats.moving, i+1) {
		m := c.ranks[i].mover
		if m == nil {
			continue
		}
		var again bool
		if c.moved, again, err = m.Fetched(c.time, c.moved[:0]); err != nil {
			return err
		}
		if again {
			mark(c.seats.moving, i)
			c.ticker.WakeAt(c.now + 1)
		}
		for _, t := range c.moved {
			then := *c.pieces.At(t)
			c.pieces.Give(t)
			c.fetch(i, -1)
			c.do(then)
		}
	}
	return nil
}

// piece is the bytes that a part of a collective works on. What it reads is the rank's own
// operand, unless something came before it.
func (c *Comp) piece(at token, read, write bool) seat.Piece {
	in, m := c.part(at)
	o := in.Part(m, at.op)
	p := seat.Piece{Op: in.Entry(m), Off: uint64(o.Off), Bytes: uint64(o.Bytes), Read: read, Write: write, Sum: o.Kind == collective.Reduce}
	for _, a := range o.After {
		k := in.Part(m, a).Kind
		p.Result = p.Result || k == collective.Recv || k == collective.Reduce
	}
	return p
}
