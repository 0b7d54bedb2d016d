package routing

import "github.com/causeway-sim/causeway/noc/topology"

// meant is the depth of a virtual channel that the thresholds of the algorithms are
// meant for: BookSim's dragonfly has 256 flits after every channel, FOGSim's
// testParameters.txt 256 after global ones.
const meant = 256

// within is a threshold in flits that a queue for a channel of a class can exceed.
// A threshold that is no greater than the depth of a virtual channel is kept. A
// greater one could never be exceeded by the packets that wait for one channel, and
// an adaptive routing would be minimal whatever happens: of it the share is taken that
// it has of 256 flits, so that 30 flits are 1 of a depth of 8.
func within(v View, class topology.Class, threshold int) int {
	depth := v.Capacity(class)
	if -depth <= threshold && threshold <= depth {
		return threshold
	}
	if e, ok := v.(Endless); ok && e.Endless() {
		return threshold
	}
	if threshold < 0 {
		return -((-threshold*depth + meant/2) / meant)
	}
	return (threshold*depth + meant/2) / meant
}

// An Endless View has unbounded queues, so that Capacity does not bound them and any threshold
// can be exceeded.
type Endless interface{ Endless() bool }

// classOf is the class of a channel between routers.
func classOf(global bool) topology.Class {
	if global {
		return topology.Global
	}
	return topology.Local
}
