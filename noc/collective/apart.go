package collective

import "errors"

// errApart is the error of an operation that cannot be divided.
var errApart = errors.New("apart has no effect: sums and gather are one")

// gather marks the operations of the chunk from here on as spreading finished sums.
func (c *chunk) gather() {
	if c.b.apart {
		c.b.gathering = true
		c.b.divided = true
	}
}

// part divides the operations of each rank: every send of the gather waits for all operations of
// sums.
func (b *builder) part() {
	for r, ops := range b.s.Ops {
		later := b.later[r]
		at := make([]int32, len(ops)) // where operations go
		sums := int32(0)
		for i := range ops {
			if !later[i] {
				at[i] = sums
				sums++
			}
		}
		next := sums
		waited := make([]bool, len(ops))
		for i := range ops {
			if later[i] {
				at[i] = next
				next++
				continue
			}
			for _, a := range ops[i].After {
				waited[a] = true
			}
		}
		var last []int32 // sums that no other waits for
		for i := range ops {
			if !later[i] && !waited[i] {
				last = append(last, at[i])
			}
		}
		out := make([]Op, len(ops))
		for i, op := range ops {
			after := make([]int32, 0, len(op.After)+len(last))
			for _, a := range op.After {
				after = append(after, at[a])
			}
			if later[i] && op.Kind == Send {
				after = append(after, last...)
			}
			op.After = b.keep(after)
			out[at[i]] = op
		}
		b.s.Ops[r] = out
	}
}
