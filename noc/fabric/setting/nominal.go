package setting

import "github.com/causeway-sim/causeway/noc/topology"

// Unloaded is the mean time of a flit in an empty network, in cycles, over the
// shortest ways from up to 16 terminals to all others. Adaptive routing may take
// longer ones.
func (c *Config) Unloaded() uint64 {
	t := c.Topology
	perHop := func(class topology.Class) int {
		if c.Queueing == InputOutput {
			return c.LatencyOf(class) + c.CrossbarDelay
		}
		wait := c.LatencyOf(class) + int(Whole(c.IntervalOf(class))) - 1
		if c.RoutingDelay == 0 {
			return wait + 2
		}
		return wait + 3 + c.RoutingDelay
	}
	ends := make([]int, t.Routers()) // terminals of each router
	for i := range t.Terminals() {
		r, _ := t.Home(i)
		ends[r]++
	}
	step := max(1, t.Terminals()/16)
	var sum, n uint64
	for from := 0; from < t.Terminals(); from += step {
		r, _ := t.Home(from)
		for to, d := range distances(t, r, perHop) {
			sum += uint64(ends[to] * (d + c.LatencyOf(topology.Terminal) + int(Whole(c.IntervalOf(topology.Terminal))) + perHop(topology.Terminal)))
			n += uint64(ends[to])
		}
	}
	return (sum + n/2) / n
}

// distances are the shortest times from a router to all others; channels of a
// class are equally long, so that a few passes over all channels settle them.
func distances(t topology.Topology, from int, perHop func(topology.Class) int) []int {
	const far = 1 << 30
	out := make([]int, t.Routers())
	for i := range out {
		out[i] = far
	}
	out[from] = 0
	for todo := []int{from}; len(todo) > 0; {
		var next []int
		for _, r := range todo {
			for p := range t.Ports(r) {
				to, _, ok := t.Peer(r, p)
				if !ok {
					continue
				}
				if d := out[r] + perHop(t.Class(r, p)); d < out[to] {
					out[to] = d
					next = append(next, to)
				}
			}
		}
		todo = next
	}
	for i := range out {
		if out[i] == far {
			out[i] = 0 // nothing leads there
		}
	}
	return out
}
