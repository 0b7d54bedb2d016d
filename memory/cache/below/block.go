package below

import (
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory/block"
)

// Ask is Send over the links of a block.
func (b *Port) Ask(cycle uint64) {
	for b.Queue.Len() > 0 && b.Out.CanSend(cycle) {
		o := b.Queue.Pop()
		b.askFor(&o, cycle)
	}
}

// askFor sends one order on a link that has room.
func (b *Port) askFor(o *Order, cycle uint64) {
	x := b.call(o)
	l := b.Out.To(o.Dst.(*engine.Port))
	x.Ask(o.Write, o.Addr, o.Bytes, o.Dst)
	b.Out.Send(l, cycle, block.Request{Addr: o.Addr, Bytes: o.Bytes, Hint: &x.Hint, Tag: x.Number(), Write: o.Write})
}

// Next returns the cycle in which the next answer of a block comes.
func (b *Port) Next() uint64 {
	next := block.Never
	for _, l := range b.Out.Links {
		next = min(next, l.Next())
	}
	return next
}
