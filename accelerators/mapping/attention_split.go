package mapping

import (
	"sort"

	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// attention shares out operator i. Batch gives each core whole requests, row equal work
// in runs of positions; head and column give key/value heads, then query heads of each,
// then positions, as many cores as that keeps busiest.
func (s *splitter) attention(i int, k graph.Attention) []portion {
	out := make([]portion, s.cores)
	all := product.WholeAttention(k)
	alone := func(c int) []portion {
		out[c] = portion{sh: all, cut: product.Part{From: 0, To: 1}, of: 1}
		return out
	}
	switch {
	case s.cores == 1:
		return alone(0)
	case s.split == "layer":
		return alone(s.home[i])
	case s.split == "batch" && int64(k.Batch)%s.batch != 0:
		return alone(0)
	case s.split == "batch":
		for c := range out {
			if im := s.image[c]; im.Len() > 0 {
				out[c] = portion{sh: all, of: 1, local: true}
				out[c].sh.Batch = im.Times(int64(k.Batch) / s.batch)
			}
		}
		return out
	}
	heads, group, rows := 1, 1, min(s.cores, k.Queries)
	if s.split != "row" {
		heads, group, rows = attentionGrid(k, s.cores)
	}
	hs, gs, rs := product.Even(int64(k.Batch), heads), product.Even(int64(k.Group), group), evenPairs(k, rows)
	for c := range heads * group * rows {
		out[c] = portion{sh: product.Share{Batch: hs[c/(group*rows)], N: gs[c/rows%group], Row: rs[c%rows]}, of: 1}
	}
	return out
}

// attentionGrid is how many parts key/value heads, query heads of each, and positions are
// cut into: the least work for the busiest core, and keys and values read by as few cores
// as that allows.
func attentionGrid(k graph.Attention, cores int) (heads, group, rows int) {
	most := int64(-1)
	for h := min(k.Batch, cores); h >= 1; h-- {
		for g := min(k.Group, cores/h); g >= 1; g-- {
			r := min(k.Queries, cores/(h*g))
			n := integer.Ceil(int64(k.Batch), int64(h)) * integer.Ceil(int64(k.Group), int64(g)) * integer.Ceil(int64(k.Queries), int64(r))
			if most < 0 || n < most {
				most, heads, group, rows = n, h, g, r
			}
		}
	}
	return heads, group, rows
}

// evenPairs cuts the positions into runs that see about as many entries each, counted in
// pairs: under a causal mask late positions see more.
func evenPairs(k graph.Attention, runs int) []product.Part {
	q, n := int64(k.Queries), int64(k.Keys)
	all := k.Mask.Pairs(0, q, q, n)
	out := make([]product.Part, runs)
	at := int64(0)
	for i := range out {
		left := int64(runs - 1 - i)
		want := integer.Scale(all, int64(i)+1, int64(runs))
		to := at + 1 + int64(sort.Search(int(q-left-at-1), func(x int) bool { return k.Mask.Pairs(0, at+1+int64(x), q, n) >= want }))
		out[i] = product.Part{From: at, To: to}
		at = to
	}
	out[runs-1].To = q
	return out
}
