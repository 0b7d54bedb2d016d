package parallel

import (
	"math"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// attend is attention with real numbers, over all of the keys or a part of them.
func (m *machine) attend(op *graph.Op, k graph.Attention, at [][]float64) {
	q, keys, values := at[op.In[0]], at[op.In[1]], at[op.In[2]]
	rows := k.Batch * k.Group * k.Queries
	sum, left := make([]float64, rows*k.Value), make([]float64, rows*int(k.Partial))
	for r := range rows {
		kv := r / (k.Group * k.Queries)
		from, to := k.Mask.Range(int64(r%k.Queries), int64(k.Queries), int64(k.Keys))
		scores, most := make([]float64, to-from), math.Inf(-1)
		for j := range scores {
			e := kv*k.Keys + int(from) + j
			for x := range k.Size {
				scores[j] += q[r*k.Size+x] * keys[e*k.Size+x]
			}
			most = max(most, scores[j])
		}
		all := 0.0
		for j, s := range scores {
			w := math.Exp(s - most)
			all += w
			for x := range k.Value {
				sum[r*k.Value+x] += w * values[(kv*k.Keys+int(from)+j)*k.Value+x]
			}
		}
		switch k.Partial {
		case graph.MaxSum:
			left[2*r], left[2*r+1] = most, all
			continue
		case graph.LogSumExp:
			left[r] = most + math.Log(all)
		}
		for x := range k.Value {
			if all > 0 { // else it sees none of these entries
				sum[r*k.Value+x] /= all
			}
		}
	}
	at[op.Out[0]] = sum
	if k.Partial > 0 {
		at[op.Out[1]] = left
	}
}

// merge makes one of the parts. A pair of fewer rows is of the last queries of each head.
func (m *machine) merge(op *graph.Op, k graph.Merge, at [][]float64) []float64 {
	cols, n := int(k.Cols), int(k.Statistics)
	shape := m.g.Tensor(op.Out[0]).Shape
	queries := shape[len(shape)-2]
	type part struct {
		most, sum float64
		row       []float64
	}
	rows := make([][]part, k.Rows)
	for i := 0; i < len(op.In); i += 2 {
		sums, left := at[op.In[i]], at[op.In[i+1]]
		pieces := len(left) / n
		each := min(queries, queries*pieces/int(k.Rows)) // queries of a head that the pair has
		for p := range pieces {
			r := p % int(k.Rows)
			if each < queries {
				r = p/each*queries + queries - each + p%each
			}
			x := part{left[p*n], 1, sums[p*cols : (p+1)*cols]}
			if k.Statistics == graph.MaxSum {
				x.sum = left[p*n+1]
			}
			rows[r] = append(rows[r], x)
		}
	}
	out := make([]float64, int(k.Rows)*cols)
	for r, parts := range rows {
		most, all := math.Inf(-1), 0.0
		for _, x := range parts {
			most = max(most, x.most)
		}
		for _, x := range parts {
			w := math.Exp(x.most - most)
			all += w * x.sum
			for c, v := range x.row {
				out[r*cols+c] += w * v
			}
		}
		for c := range cols {
			out[r*cols+c] /= all
		}
	}
	return out
}
