package ranks

import (
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// inNetwork is the algorithm of an all_reduce whose sums routers make.
const inNetwork = "in_network"

// busBytes is what the collectives of the program bring through each rank's interface, each
// way: the bytes that NCCL's tests count as bus bandwidth. ok is false of a program that is
// not collectives of all ranks alone.
//
// Source: NCCL tests, doc/PERFORMANCE.md; all_gather counts what a rank gives here.
func (c *Comp) busBytes() (bytes float64, ok bool) {
	if c.program == nil || len(c.program.Ranks) < 2 {
		return 0, false
	}
	n, first := float64(len(c.program.Ranks)), &c.program.Ranks[0]
	for i := range first.Len() {
		op := first.Op(i)
		switch {
		case op.Kind == comm.Join:
			continue
		case op.Kind != comm.Collective || op.Group != 0:
			return 0, false
		}
		factor := 0.0
		switch op.Coll {
		case comm.AllReduce:
			factor = 2 * (n - 1) / n
			if c.spec.Collectives.AllReduce.Name == inNetwork {
				factor = 1 // routers add up: each rank sends its vector, and gets the sum
			}
		case comm.ReduceScatter, comm.AllToAll:
			factor = (n - 1) / n
		case comm.AllGather, comm.Gather, comm.Scatter:
			factor = n - 1
		case comm.Reduce, comm.Broadcast:
			factor = 1
		}
		bytes += factor * float64(op.Bytes)
	}
	return bytes, bytes > 0
}

// boundTime is the time in which these bytes pass the slowest of the ranks' channels to the
// network; ok is false where none has a rate.
func (c *Comp) boundTime() (ns float64, ok bool) {
	bytes, ok := c.busBytes()
	if !ok {
		return 0, false
	}
	least := units.Bandwidth(0)
	for i := range c.ranks {
		if b := c.ranks[i].nic.wire; b > 0 && (least == 0 || b < least) {
			least = b
		}
	}
	return bytes * 8e9 / float64(max(least, 1)), least > 0
}
