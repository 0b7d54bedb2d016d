package parallel

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A cluster is ranks with graphs of their own that exchange real numbers.
type cluster struct {
	ranks []*machine
	next  []int // operator of each rank
	mail  map[string][][]float64
	given map[string]map[int][][]float64 // what members of a group have given, by rank
}

// run carries out all graphs; at lists what each rank has before.
func (c *cluster) run(t *testing.T, of *graph.Graph, at [][][]float64) {
	c.next, c.mail, c.given = make([]int, len(c.ranks)), map[string][][]float64{}, map[string]map[int][][]float64{}
	for r, m := range c.ranks {
		m.at = make([][][]float64, len(c.ranks))
		m.at[r] = at[r]
	}
	for moved := true; moved; {
		moved = false
		for r, m := range c.ranks {
			for c.next[r] < len(m.g.Ops) && c.step(t, m, r, of) {
				moved = true
				c.next[r]++
			}
		}
	}
	for r, m := range c.ranks {
		require.Equal(t, len(m.g.Ops), c.next[r], "rank %d waits at %s", r, m.g.Ops[min(c.next[r], len(m.g.Ops)-1)].Name)
	}
}

// step carries out the next operator of a rank, if what it waits for is there.
func (c *cluster) step(t *testing.T, m *machine, r int, of *graph.Graph) bool {
	op := &m.g.Ops[c.next[r]]
	k, ok := op.Kind.(graph.Transfer)
	if !ok {
		m.do(t, op, r, of)
		return true
	}
	at := m.at[r]
	var in [][]float64
	for _, id := range op.In {
		in = append(in, at[id])
	}
	switch k.Func {
	case "send":
		key := fmt.Sprint(r, k.Peer, k.Tag)
		c.mail[key] = in
		return true
	case "recv":
		key := fmt.Sprint(k.Peer, r, k.Tag)
		all, ok := c.mail[key]
		for i, id := range op.Out {
			if ok {
				at[id] = all[i]
			}
		}
		delete(c.mail, key)
		return ok
	}
	key := fmt.Sprint(op.Name, k.Among)
	if c.given[key] == nil {
		c.given[key] = map[int][][]float64{}
	}
	c.given[key][r] = in
	group := k.Among.All(len(c.ranks))
	if len(c.given[key]) < len(group) {
		return false
	}
	for i, id := range op.Out {
		var parts [][]float64
		own := 0
		for n, g := range group {
			parts = append(parts, c.given[key][int(g)][i])
			if int(g) == r {
				own = n
			}
		}
		at[id] = c.collect(t, m, op, k.Func, parts, own)
	}
	return true
}

// collect is what a member of a group gets.
func (c *cluster) collect(t *testing.T, m *machine, op *graph.Op, how string, parts [][]float64, own int) (out []float64) {
	switch how {
	case "all_reduce":
		out = make([]float64, len(parts[0]))
		for _, p := range parts {
			for i, v := range p {
				out[i] += v
			}
		}
	case "all_gather":
		shape := m.g.Tensor(op.Out[0]).Shape
		return together(parts, shape, len(shape)-1)
	case "all_to_all": // of heads: requests x heads x tokens x size, of which each gets some
		shape := m.g.Tensor(op.In[0]).Shape
		for _, p := range parts {
			out = append(out, piece(p, []int{shape[0], shape[1], len(p) / shape[0] / shape[1]}, Cut{Axis: 1, Parts: len(parts)}, own, len(parts))...)
		}
	default:
		t.Fatal(how)
	}
	return out
}
