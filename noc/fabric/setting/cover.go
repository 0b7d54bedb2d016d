package setting

import (
	"github.com/causeway-sim/causeway/noc/topology"
)

// leastDepth is the depth of the standard router where channels are short, and
// the most flits of its packets with virtual cut-through.
//
// assumption: the buffers of an on-chip router.
const leastDepth = 8

// cover is the flits per virtual channel that never stop a lone packet or stream
// of flits on any class of channels: those of the longest round trip of a credit.
// Where packets need room for all of their flits it is their length more.
func (c *Config) cover(packet int) int {
	most := leastDepth
	for _, class := range topology.Classes(c.Topology) {
		ticks := int64(c.trip(class)) << TickBits
		most = max(most, int((ticks+c.IntervalOf(class)-1)/c.IntervalOf(class)))
	}
	if c.Flow == CutThrough {
		most += packet
	}
	return min(most, maxDepth)
}

// trip is the cycles from a flit's way into a channel to the one that has its
// room: those to pass the channel and the router after it, and those of the
// credit.
func (c *Config) trip(class topology.Class) int {
	return c.Pass(class) + c.LatencyOf(class) + 1 + c.CreditDelay
}

// Pass is the cycles to pass an empty channel and the router after it, as the
// package's doc counts them.
func (c *Config) Pass(class topology.Class) int {
	if c.Queueing == InputOutput {
		return c.LatencyOf(class) + c.CrossbarDelay
	}
	l := c.LatencyOf(class) + int(Whole(c.IntervalOf(class))) + 2 + c.RoutingDelay
	if c.Speedup > 1 {
		l--
	}
	return l
}
