package cache

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/memory"
)

// Within lists the lines from first to last that are there, in order.
func (c *Core) Within(first, last uint64) []uint64 {
	var out []uint64
	if last-first < uint64(len(c.tags)) {
		for l := first; l <= last; l++ {
			if c.Has(l) {
				out = append(out, l)
			}
		}
		return out
	}
	for _, t := range c.tags {
		if l := t - 1; t != 0 && first <= l && l <= last {
			out = append(out, l)
		}
	}
	slices.Sort(out)
	return out
}

// Control carries an operation out on the lines from first to last, and says what
// has to be written back: the sectors of a line, in order of address.
func (c *Core) Control(op memory.ControlOp, first, last uint64, write func(line uint64, sectors uint8) error) error {
	for _, l := range c.Within(first, last) {
		if op != memory.Invalidate {
			if stale := c.Clean(l); stale != 0 {
				if err := write(l, stale); err != nil {
					return err
				}
			}
		}
		if op != memory.Clean {
			c.Invalidate(l)
		}
	}
	return nil
}

// acceptControl notes a control request and returns its number.
func (b *base) acceptControl(m *memory.ControlReq, cycle uint64) uint32 {
	if m.Op < memory.Clean || m.Op > memory.Invalidate {
		panic(fmt.Sprintf("cache: %s at cycle %d: unknown operation %d", b.Name(), cycle, m.Op))
	}
	i := b.requests.Take()
	if !b.isOwn(m) {
		b.count.controls++
	}
	*b.requests.At(i) = request{msg: m, at: cycle, order: b.count.Reads + b.count.Writes, left: 1}
	if b.tasks.On() {
		b.beginTask(b.requests.At(i))
	}
	return i
}
