package parallel

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// Of ranks that share operators, Tensors.Keys share the keys and values of the same heads by
// tokens while they attend: entry j of a cache is on rank j % Keys of those, which begin with
// rank At - At%Keys. Ranks/Keys such groups have heads of their own.
//
// All ranks of a group make the queries of its heads, and the keys and values of the new
// tokens, of which each is kept by the rank whose turn it is. Each attends to its own entries, an
// all_to_all of the group sends of every query head the sum and its log-sum-exp to one
// rank, which merges the parts. From there on all ranks share operators as without Keys: the
// output projection by rows, added up over all. Queries of a prompt see those of the rank's
// entries that are not after them.
//
// Of a batch that a server makes (Tensors.Served) requests of one token each stand for some of
// unlike lengths: their new tokens take turns. A rank that has none of the entries of a request
// attends to one, as if it had it.
//
// Source: Bhatia et al., Helix Parallelism, arXiv 2507.07120, section 2 (one token of each
// request; prompts are an extension).

// helix finds what is made for attention alone, and checks what ranks are to share.
func (t *tensor) helix() error {
	t.before = make([]bool, len(t.g.Ops))
	if t.Keys <= 1 {
		return nil
	}
	if t.Ranks%t.Keys != 0 || t.At < 0 || t.At >= t.Ranks {
		return fmt.Errorf("%s: rank %d of %d, of which %d share keys", t.g.Name, t.At, t.Ranks, t.Keys)
	}
	readers := make([][]int, len(t.g.Tensors))
	attends := false
	for i := range t.g.Ops {
		if t.cached(i) {
			attends = true
			if err := t.checkPart(&t.g.Ops[i]); err != nil {
				return fmt.Errorf("%s: %s: %w", t.g.Name, t.g.Ops[i].Name, err)
			}
		}
		for _, id := range t.g.Ops[i].In {
			if id != graph.None {
				readers[id] = append(readers[id], i)
			}
		}
	}
	if !attends {
		return &KeyError{"kv", fmt.Errorf("%s has no attention as one operator over a cache of keys and values, whose tokens %d ranks could share", t.g.Name, t.Keys)}
	}
	for i := len(t.g.Ops) - 1; i >= 0; i-- {
		op := &t.g.Ops[i]
		only, read := true, false
		for _, id := range op.Out {
			for _, r := range readers[id] {
				read = true
				only = only && (t.before[r] || t.cached(r))
			}
			only = only && t.g.Tensor(id).Role != graph.Output
		}
		t.before[i] = only && read
	}
	return nil
}

// cached reports whether an operator attends to a cache.
func (t *tensor) cached(i int) bool {
	_, ok := t.g.Ops[i].Kind.(graph.Attention)
	return ok && t.g.Tensor(t.g.Ops[i].In[1]).Role == graph.KV
}

// Own returns how many of n entries rank at of keys ranks holds.
func Own(n, keys, at int) int { return (n - at%keys + keys - 1) / keys }

// own is how many of n entries the rank has.
func (t *tensor) own(n int) int { return Own(n, t.Keys, t.At) }

// PartOf returns the attention over the entries of rank at of keys ranks (at least one entry),
// with its statistics as a second result.
func PartOf(k graph.Attention, keys, at int) graph.Attention {
	own := Own(k.Keys, keys, at)
	switch {
	case k.Queries == 1 || own == 0 || !k.Mask.Causal:
		k.Mask = masking.Mask{}
	default:
		k.Mask.Every, k.Mask.First, k.Mask.Of = keys, at%keys, k.Keys
	}
	k.Keys, k.Partial = max(own, 1), graph.LogSumExp
	return k
}

// shorten leaves of a cache, requests x heads x entries x size, the entries that the rank
// has; keys is how many ranks share them.
func (t *tensor) shorten(x *graph.Tensor) (keys int) {
	if t.Keys <= 1 || x.Role != graph.KV || len(x.Shape) != 4 {
		return 0
	}
	x.Shape = slices.Clone(x.Shape)
	x.Shape[2] = max(1, t.own(x.Shape[2]))
	return t.Keys
}

// checkPart refuses attention over a cache whose tokens ranks do not share.
func (t *tensor) checkPart(op *graph.Op) error {
	k, groups := op.Kind.(graph.Attention), t.Ranks/t.Keys
	q, kv, out := t.g.Tensor(op.In[0]), t.g.Tensor(op.In[1]), t.g.Tensor(op.Out[0])
	switch {
	case len(kv.Shape) != 4 || len(q.Shape) != 4 || len(out.Shape) != 4:
		return &KeyError{"kv", fmt.Errorf("has a cache of shape %v (want requests x heads x tokens x size)", kv.Shape)}
	case len(op.In) > 3:
		return &KeyError{"kv", fmt.Errorf("has operands besides queries, keys and values, which are not shared by tokens")}
	case kv.Shape[1]%groups != 0:
		return &KeyError{"tensor", fmt.Errorf("%d chips have heads of their own of %d of keys and values (want one of: %s; more chips share keys by kv)", groups, kv.Shape[1], divisors(kv.Shape[1], t.Ranks))}
	case out.Shape[1]%t.Ranks != 0:
		return &KeyError{"kv", fmt.Errorf("%d heads of queries do not divide by %d chips, each of which merges some (want kv times tensor to be one of: %s)", out.Shape[1], t.Ranks, divisors(out.Shape[1], t.Ranks))}
	case k.Keys < t.Keys && !t.Served:
		return &KeyError{"kv", fmt.Errorf("%d chips share %d tokens (want at least one each)", t.Keys, k.Keys)}
	}
	return nil
}

// divisors lists what n divides by, up to the first that is more than a number.
func divisors(n, more int) (list string) {
	var all []string
	for d := 1; d <= n; d++ {
		if n%d == 0 {
			if all = append(all, fmt.Sprint(d)); d > more {
				break
			}
		}
	}
	return join(all)
}

// attendPart attends to the rank's entries, and makes one result of those of the ranks that
// share keys: for each rank of some of the query heads.
func (t *tensor) attendPart(op *graph.Op, k graph.Attention) error {
	groups, out := t.Ranks/t.Keys, t.g.Tensor(op.Out[0])
	h := place{1, groups}
	if groups == 1 {
		h = whole
	}
	in, err := t.takeAll(op.In, h, h, h)
	if err != nil {
		return err
	}
	k = PartOf(k, t.Keys, t.At)
	k.Batch /= groups
	sum, statistics := t.half(op, "partial", cut(out.Shape, h)), t.half(op, "lse", append(cut(out.Shape, h)[:3], 1))
	t.out.Append(graph.Op{Name: op.Name, In: in, Out: []graph.TensorID{sum, statistics}, Kind: k})

	// One head after the other goes to the ranks of the group, for all requests of a head.
	each := []int{t.Keys, out.Shape[0], out.Shape[1] / t.Ranks, out.Shape[2]}
	sums, all := t.half(op, "parts", append(slices.Clone(each), out.Shape[3])), t.half(op, "lses", append(slices.Clone(each), 1))
	among := graph.Ranks{First: t.Among.First + t.At/t.Keys*t.Keys*max(t.Among.Stride, 1), Stride: max(t.Among.Stride, 1), Count: t.Keys}
	t.out.Append(graph.Op{Name: op.Name + ".all_to_all", In: []graph.TensorID{sum, statistics}, Out: []graph.TensorID{sums, all},
		Kind: graph.Transfer{Func: "all_to_all", Bytes: t.out.Tensor(sum).Bytes() + t.out.Tensor(statistics).Bytes(), Among: among}})

	rows := int64(each[1]) * int64(each[2]) * int64(each[3])
	merge := graph.Merge{Rows: rows, Cols: int64(k.Value), Pieces: rows * int64(t.Keys), Statistics: graph.LogSumExp}
	t.out.Append(graph.Op{Name: op.Name + ".merge", In: []graph.TensorID{sums, all}, Out: t.result(op, place{1, t.Ranks}), Kind: merge})
	return nil
}

// half is a tensor between attention to a part and the merge.
func (t *tensor) half(op *graph.Op, what string, shape []int) graph.TensorID {
	x := graph.Tensor{Name: op.Name + "." + what, Shape: shape, DType: t.g.Tensor(op.Out[0]).DType}
	if shape[len(shape)-1] == 1 {
		x.DType = graph.FP32
	}
	t.cuts = append(t.cuts, Cut{Of: graph.None, Parts: 1})
	return t.out.Add(x)
}

// turn leaves the keys and values of new tokens to the ranks whose turn it is: the last entries.
func (t *tensor) turn() {
	if t.Keys <= 1 {
		return
	}
	t.out.Ops = slices.DeleteFunc(t.out.Ops, func(op graph.Op) bool {
		k, ok := op.Kind.(graph.Move)
		return ok && k.Func == "append" && len(op.Out) == 1 && t.cuts[op.Out[0]].Keys > 0 && t.keeps(&op) == 0
	})
	for i := range t.out.Ops {
		op := &t.out.Ops[i]
		k, ok := op.Kind.(graph.Move)
		if ok && k.Func == "append" && len(op.Out) == 1 && t.cuts[op.Out[0]].Keys > 0 {
			k.Elements = t.keeps(op)
			op.Kind = k
		}
	}
}

// keeps is how many of the elements that an operator appends to a cache the rank keeps.
func (t *tensor) keeps(op *graph.Op) int64 {
	all := t.g.Tensor(t.cuts[op.Out[0]].Of).Shape
	entry := int64(t.out.Tensor(op.Out[0]).Shape[1]) * int64(all[3]) // of a request, in all heads
	requests, entries := int64(all[0]), int64(all[2])
	tokens := op.Kind.(graph.Move).Elements / (requests * entry)
	if tokens == 1 && t.Served {
		return int64(t.own(all[2]-1+all[0])-t.own(all[2]-1)) * entry
	}
	return requests * int64(t.own(int(entries))-t.own(int(entries-tokens))) * entry
}
