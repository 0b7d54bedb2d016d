package parallel

import (
	"math"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// attendBack is the backward pass of attention with real numbers: of a row's probabilities p and
// the gradients g of its result, dv = p g, dp = g v, ds = p (dp - sum of p dp).
func attendBack(op *graph.Op, k graph.Attention, at [][]float64) {
	q, keys, values, left, g := at[op.In[0]], at[op.In[1]], at[op.In[2]], at[op.In[4]], at[op.In[5]]
	dq, dk, dv := make([]float64, len(q)), make([]float64, len(keys)), make([]float64, len(values))
	for r := range k.Batch * k.Group * k.Queries {
		kv := r / (k.Group * k.Queries)
		from, to := k.Mask.Range(int64(r%k.Queries), int64(k.Queries), int64(k.Keys))
		p, dp, all := make([]float64, to-from), make([]float64, to-from), 0.0
		for j := range p {
			e := kv*k.Keys + int(from) + j
			score := 0.0
			for x := range k.Size {
				score += q[r*k.Size+x] * keys[e*k.Size+x]
			}
			p[j] = math.Exp(score - left[r])
			for x := range k.Value {
				dv[e*k.Value+x] += p[j] * g[r*k.Value+x]
				dp[j] += g[r*k.Value+x] * values[e*k.Value+x]
			}
			all += p[j] * dp[j]
		}
		for j := range p {
			e := kv*k.Keys + int(from) + j
			ds := p[j] * (dp[j] - all)
			for x := range k.Size {
				dq[r*k.Size+x] += ds * keys[e*k.Size+x]
				dk[e*k.Size+x] += ds * q[r*k.Size+x]
			}
		}
	}
	at[op.Out[0]], at[op.Out[1]], at[op.Out[2]] = dq, dk, dv
}
