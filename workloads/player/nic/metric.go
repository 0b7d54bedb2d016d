package nic

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

type totals struct {
	transfers, bytes, end uint64
	kind                  seat.KindBytes
}

func (c *Comp) newStats() *stats.Group {
	g := stats.NewGroup(c.Name())
	g.Count("transfers", stats.One, "Transfers carried out.", &c.sum.transfers)
	g.Count("transfer_bytes", stats.Byte, "Bytes of transfers, as the operators count them.", &c.sum.bytes)
	c.sum.kind.Declare(g, "all_reduce", "all_gather", "reduce_scatter", "all_to_all")
	g.Sum(&c.sum.kind)
	g.Sum(func() []any {
		if a, ok := c.player.(seat.Accountant); ok {
			return a.Booked(c)
		}
		return nil
	})
	if byte, watts, ok, _ := c.spec.Energy.Figures(); ok { // checked
		c.rest.Watts = watts
		c.rest.Declare(g, "Energy of the interface, by byte sent and at rest.", func() float64 { return byte * float64(c.sent()) })
	}
	g.Count("total_cycles", stats.Cycle, "Cycles of the interface's clock from the start of the run to the end of its last transfer.", &c.sum.end)
	g.Check("every transfer that began has ended", func() error {
		if n := len(c.under); n > 0 {
			return fmt.Errorf("%d have not", n)
		}
		return nil
	})
	return g
}

// declareMemory publishes what an interface with a memory counts.
func (c *Comp) declareMemory() {
	c.group.Count("memory_read_bytes", stats.Byte, "Bytes of transfers read from the memory at port mem.", &c.data.count.read)
	c.group.Count("memory_write_bytes", stats.Byte, "Bytes of transfers written to it.", &c.data.count.written)
	c.group.Check("every piece of a transfer has been read and written", func() error {
		if n := c.data.pieces.Taken() + c.data.calls.InFlight(); n > 0 {
			return fmt.Errorf("%d have not", n)
		}
		return nil
	})
}

// Layers implements work.Executor: a row per transfer, in the order of their ends.
func (c *Comp) Layers() *stats.Table {
	return work.Transfers(c.rows, "Cycle at which the transfer began.", "Cycles it took.")
}

// sent is the bytes that the interface has put on its link.
func (c *Comp) sent() uint64 {
	if a, ok := c.player.(seat.Accountant); ok {
		return a.Sent(c)
	}
	return 0
}

// Assumptions implements system.Assumer.
func (c *Comp) Assumptions() []string {
	if _, _, ok, _ := c.spec.Energy.Figures(); ok {
		return []string{c.spec.EnergyAssumption(c.Name())}
	}
	return nil
}

// LastActivity implements system.Rester.
func (c *Comp) LastActivity() float64 { return c.clock.Nanoseconds(c.sum.end) }

// RestUntil implements system.Rester.
func (c *Comp) RestUntil(ns float64) { c.rest.Until(ns) }
