package gpu

import (
	"math"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

var _ work.Attender = (*Comp)(nil)

// Attend implements work.Attender: all queries are one kernel. Sequences that decode go as so many
// with the mean of their entries. Kernels of a library were measured for prompts and for tokens
// apart: their times add up, and there is one launch.
func (c *Comp) Attend(parts []work.Attention, d graph.DTypes) units.Time {
	var chunks []graph.Attention
	var decode graph.Attention
	requests, entries := 0, 0
	for _, p := range parts {
		if p.Queries > 1 {
			chunks = append(chunks, p.Attention)
			continue
		}
		decode = p.Attention
		decode.Batch /= p.Requests
		requests += p.Requests
		entries += p.Requests * p.Keys
	}
	if requests > 0 {
		decode.Batch, decode.Keys = decode.Batch*requests, (entries+requests-1)/requests
	}
	if c.prof != nil {
		if s, ok := c.prof.attend(chunks, float64(requests), float64(entries)/float64(max(requests, 1))); ok {
			return inTime(s)
		}
	}
	if requests > 0 {
		chunks = append(chunks, decode)
	}
	total, launches := c.attends(chunks, d, requests)
	if c.host.Each > 0 {
		total = max(total, float64(launches)*c.spec.seconds(c.spec.Host.Launch))
	}
	return inTime(total)
}

// attends is the time and the launches of attentions that are one kernel, the last of them that of
// so many requests which decode.
func (c *Comp) attends(all []graph.Attention, d graph.DTypes, requests int) (total float64, launches int) {
	if c.lib == nil && len(all) > 0 {
		cost := c.launched(c.together(all, d, requests))
		return cost.Total, cost.Kernels
	}
	for i, p := range all {
		_, cost := c.plan(&work.Share{Graph: p.Alone(d)}, 0, 0)
		launches = max(launches, cost.Kernels)
		if total += cost.Total; i > 0 {
			total -= min(cost.Launch, cost.Total)
		}
	}
	return total, launches
}

// together is the cost of cutlass's kernel of attentions, the last of which has so many requests.
func (c *Comp) together(all []graph.Attention, d graph.DTypes, requests int) kernel.Cost {
	var m kernel.Machine
	parts := make([]kernel.Attention, len(all))
	for i, p := range all {
		g := p.Alone(d)
		t, f := typeOf(g, &g.Ops[0]), g.Footprint(&g.Ops[0])
		m = c.spec.machine(p, t)
		parts[i] = attentionOf(&p, t.Width()/8, float64(f.Bytes()), c.spec.left(&m, &f))
	}
	parts[len(parts)-1].Requests = requests
	return m.Attend(parts)
}

// attentionOf is a kernel's attention whose keys have elements of size bytes; all bytes and those
// that the operator before has left are of the operator.
func attentionOf(k *graph.Attention, size, bytes, left float64) kernel.Attention {
	return kernel.Attention{Batch: k.Batch, Group: k.Group, Queries: k.Queries, Keys: k.Keys, Size: k.Size, Value: k.Value, Element: size,
		Pairs: float64(k.Pairs()), Ops: float64(k.VectorOps()), Bytes: bytes, Warm: left}
}

func inTime(seconds float64) units.Time {
	return units.Time(math.Round(seconds * float64(units.Second)))
}
