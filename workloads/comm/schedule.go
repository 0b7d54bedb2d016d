package comm

import "github.com/causeway-sim/causeway/noc/collective"

// FromSchedule expands a schedule of a collective into messages. A sum becomes a store of three
// times its bytes (two operands and the result), a copy a store of twice its bytes, with the same
// time as in the player.
func FromSchedule(s *collective.Schedule) *Program {
	p := NewProgram(s.Ranks())
	for n, ops := range s.Ops {
		r := &p.Ranks[n]
		end := make([]int, len(ops)) // the operation that ends each of the schedule
		for i := range ops {
			o := &ops[i]
			var first int
			switch o.Kind {
			case collective.Send:
				first = r.Add(Op{Kind: Send, Peer: o.Peer, Tag: int64(o.Tag), Bytes: uint64(o.Bytes)})
			case collective.Recv, collective.Reduce:
				first = r.Add(Op{Kind: Recv, Peer: o.Peer, Tag: int64(o.Tag), Bytes: uint64(o.Bytes)})
			case collective.Copy:
				first = r.Add(Op{Kind: Store, Bytes: 2 * uint64(o.Bytes)})
			}
			for _, a := range o.After {
				r.Require(first, After(end[a]))
			}
			end[i] = first
			if o.Kind == collective.Reduce {
				end[i] = r.Add(Op{Kind: Store, Bytes: 3 * uint64(o.Bytes)}, After(first))
			}
		}
		if err := r.Seal(); err != nil {
			panic("comm: schedule " + s.Name + ": " + err.Error())
		}
	}
	return p
}
