package systolic

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Core is what the mapper may know of the core, for a network of data types d.
func (k *core) Core(d graph.DTypes) machine.Core {
	c := k.spec.Core(d)
	c.Memory = k.memoryBelow()
	c.Gemv = k.gemv(d)
	if c.Planner = k.planner; c.Planner != nil {
		c.Gemv = 0
	}
	return c
}

// memoryBelow returns what a plan may assume of the memories below the port: bandwidth,
// latency, burst and outstanding bursts. It is zero where nothing is known.
func (k *core) memoryBelow() machine.Memory {
	m := k.reach()
	if m != (machine.Memory{}) {
		m.Burst, m.Outstanding = int64(k.spec.DMA.Burst), int64(k.depth())
	}
	return m
}

// reach returns the nominal bandwidth of all memories that tensors are placed in, and the
// latency of the farthest of them. It is zero where nothing is known.
func (k *core) reach() (m machine.Memory) {
	if k.routes == nil || len(k.routes.Targets) == 0 {
		return machine.Memory{}
	}
	if bw := uint64(k.routes.PlacedBandwidth()); bw > 0 {
		const bits = 8
		g := clock.GCD(bw, bits*k.clock.Den())
		m.Bandwidth, m.Cycles = int64(bw/g*k.clock.Num()), int64(bits*k.clock.Den()/g)
	}
	placed := k.routes.Placed()
	m.Home = placed[0].Port.Name()
	for _, t := range placed {
		p := t.Path
		if n, ok := t.Port.Component().(system.Node); ok && relays(n) {
			m.Caches = true
		}
		if p.Clock.IsZero() { // a map without paths: nothing is known
			return machine.Memory{}
		}
		m.Latency = max(m.Latency, int64(k.clock.Cycles((p.Request+p.Latency)*p.Clock.Num(), p.Clock.Den())+p.Response))
	}
	return m
}

// relays reports whether a node has requests of its own for what it is asked: a cache.
func relays(n system.Node) bool {
	for _, p := range n.PortSpecs() {
		if p.Role == system.Requests {
			return true
		}
	}
	return false
}
