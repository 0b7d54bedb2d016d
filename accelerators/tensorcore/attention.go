package tensorcore

import "github.com/causeway-sim/causeway/workloads/graph"

// attention is the time of fused attention.
func (m *Machine) attention(g *graph.Graph, op *graph.Op, a graph.Attention, names []string, p Passed) Cost {
	q, kv := bytes(g, op.In[:1]), bytes(g, op.In[1:])
	rate := m.rate(names)
	d, _ := g.Multiplied(op)
	passes := or1(m.Passes[d])
	c := Cost{Read: q + kv, Written: bytes(g, op.Out) - p.Out}
	if a.Queries == 1 {
		if m.Apart {
			c.Read = q + kv*int64(max(a.Group, 1))
		}
		c.Memory = float64(c.Bytes()) / rate
		heads := int64(a.Batch)
		c.Array = passes * (m.Array(graph.Matrix{Batch: int(heads), M: int64(a.Group), N: int64(a.Keys), K: int64(a.Size)}, !m.Preload) +
			m.Array(graph.Matrix{Batch: int(heads), M: int64(a.Group), N: int64(a.Value), K: int64(a.Keys)}, !m.Preload))
		return c
	}
	side := int64(m.Block)
	if side < 1 {
		side = 512 // assumption: as in the published kernels
	}
	blocks, pairs, again := cover(a, side)
	heads := int64(a.Batch) * int64(a.Group)
	bq, bk := min(side, int64(a.Queries)), min(side, int64(a.Keys))
	n := int(blocks * heads)
	c.Array = passes * (m.Array(graph.Matrix{Batch: n, M: bq, N: bk, K: int64(a.Size)}, false) +
		m.Array(graph.Matrix{Batch: n, M: bq, N: int64(a.Value), K: bk}, false))
	c.Vector = m.work([]string{"attention"}, pairs*heads, pairs*heads*int64(graph.OnlineElement+a.ScoreOps))
	if m.Hot && q+kv < m.VMEM {
		c.Read, c.Written = 0, 0
		return c
	}
	// Keys and values are read by each block of queries that sees them, by each head.
	c.Read = q + int64(float64(kv)*again)*int64(max(a.Group, 1))
	if m.Added {
		c.Copy = float64(c.Bytes()) / rate
	} else {
		c.Memory = float64(c.Bytes()) / rate
	}
	return c
}

// cover is the blocks of one head in which a query sees a key, the scores in them, and
// how often a key is read on average.
func cover(a graph.Attention, side int64) (blocks, pairs int64, again float64) {
	queries, keys := int64(a.Queries), int64(a.Keys)
	var read int64
	for q := int64(0); q < queries; q += side {
		q1 := min(q+side, queries)
		for k := int64(0); k < keys; k += side {
			k1 := min(k+side, keys)
			if from, to := a.Mask.Seers(q, q1, k, k1, queries, keys); to > from {
				blocks++
				pairs += (q1 - q) * (k1 - k)
				read += k1 - k
			}
		}
	}
	return blocks, pairs, float64(read) / float64(max(keys, 1))
}
