package parallel

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// An optimizer has states of four bytes for each parameter, and takes so many vector
// operations to update one.
type optimizer struct{ states, ops int }

// optimizers by name. The first state is the parameter itself in fp32, unless weights are.
//
// adam: Kingma and Ba, arXiv 1412.6980, algorithm 1 with decoupled decay (Loshchilov and
// Hutter, arXiv 1711.05101): two means (3 and 4), their corrections (2), root (4), epsilon
// and division (5), decay and step (4), the cast (1). sgd: momentum (2), decay and step
// (4), the cast. Operations as in package graph.
var optimizers = map[string]optimizer{"adam": {3, 23}, "sgd": {2, 7}, "none": {}}

// Optimizers are the names of the optimisers.
var Optimizers = []string{"adam", "sgd", "none"}

// declare adds a weight to the step, its gradient, and with Zero 3 its share in place of it.
func (s *stage) declare(w *weight) {
	shape, elements := w.shape, w.elements
	if s.frozen(w.name) {
		w.id = s.tensor(graph.Tensor{Name: w.name, Shape: shape, DType: w.dtype, Role: graph.Weight})
		return
	}
	if s.divided() {
		elements = s.share(elements, w.expert)
		shape = []int{int(elements)}
	}
	w.id = s.tensor(graph.Tensor{Name: w.name, Shape: shape, DType: w.dtype, Role: graph.Weight})
	w.gradient = s.tensor(graph.Tensor{Name: w.name + ".gradient", Shape: w.shape, DType: s.Gradients, Role: graph.Gradient})
}

// divided reports whether a replica keeps its share of the weights, and gathers the others'.
func (s *stage) divided() bool { return s.Zero == 3 || s.Early }

// share is the number of elements of one replica of divided elements, with padding.
func (s *stage) share(elements int64, expert bool) int64 {
	n := int64(s.replicas(expert).Count)
	return (elements + n - 1) / n
}

// replicas are the ranks that have the same weights: of experts those that have the same.
func (s *stage) replicas(expert bool) graph.Ranks {
	if expert {
		return s.grid.copies(s.number, s.Experts)
	}
	return s.grid.replicas(s.number)
}

// whole is all of a weight that a pass reads. With Zero 3 those of a layer are gathered
// together, while the chip works on the layer before.
func (s *stage) whole(c *chunk, w *weight) graph.TensorID {
	if !s.divided() || s.frozen(w.name) {
		return w.id
	}
	if id, ok := s.gathered[w]; ok {
		return id
	}
	var in, out []graph.TensorID
	bytes, all := int64(0), int64(0)
	for i := range c.Graph.Tensors {
		x := &c.Graph.Tensors[i]
		if x.Role != graph.Weight || s.frozen(x.Name) {
			continue
		}
		v := s.by[x.Name]
		if _, there := s.gathered[v]; there || v != w && !(v.expert == w.expert && s.gatheredWith(w, v, len(out) > 0, all)) {
			continue
		}
		id := s.tensor(graph.Tensor{Name: v.name + ".whole" + s.suffix, Shape: v.shape, DType: v.dtype})
		s.gathered[v] = id
		in, out = append(in, v.id), append(out, id)
		bytes += s.carried(v).Bytes(s.share(v.elements, v.expert))
		if !s.Last || !s.wide(v) {
			all += v.dtype.Bytes(v.elements)
		}
	}
	if s.Zero < 3 {
		s.ahead = graph.None
	}
	if s.ahead != graph.None {
		in = append(in, s.ahead)
	}
	r := s.replicas(w.expert)
	if r.Count == 1 { // no other replica has the weight
		s.gathered[w] = w.id
		return w.id
	}
	s.append(w.name+".gather", graph.Transfer{Func: "all_gather", Bytes: bytes, Among: r}, in, out...)
	s.ahead = s.newest()
	return s.gathered[w]
}

// gatheredWith reports whether a weight is gathered with w: those of its layer, or with Early those that
// follow up to a bucket. after says that the gather has begun, and so many bytes are in it.
func (s *stage) gatheredWith(w, v *weight, after bool, bytes int64) bool {
	if !s.Early {
		layer, numbered := graph.LayerOf(w.name)
		k, ok := graph.LayerOf(v.name)
		return ok && numbered && k == layer
	}
	return s.Last && s.wide(w) && s.wide(v) || after && (s.Bucket <= 0 || bytes < s.Bucket)
}

// wide reports whether a weight is not gathered as Products.
func (s *stage) wide(w *weight) bool { return s.carried(w) != s.Products }

// carried is the element type in which a weight is gathered: with Gathered that of layers' products.
func (s *stage) carried(w *weight) graph.DType {
	if _, layer := graph.LayerOf(w.name); s.Gathered && layer && len(w.shape) > 1 {
		return s.Products
	}
	return w.dtype
}

// newest is the last result of the chip, None before the first of a turn.
func (s *stage) newest() graph.TensorID {
	for i := len(s.out.Ops) - 1; i >= int(s.began); i-- {
		if op := &s.out.Ops[i]; computes(op) {
			return op.Out[0]
		}
	}
	return graph.None
}

// A bucket is gradients that are reduced together.
type bucket struct {
	weights  []*weight
	elements int64
	expert   bool
}

// buckets are the weights whose gradients the step has made, in the order in which they were
// done, in buckets of at least so many bytes but the last.
func (s *stage) buckets(from int) (out []bucket) {
	var all []*weight
	for _, w := range s.weights {
		if w.begun && w.done >= from {
			all = append(all, w)
		}
	}
	order := func(w *weight) int {
		if w.expert {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(all, func(a, b *weight) int { return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(a.done, b.done)) })
	all, late := s.lastBucket(all)
	for _, w := range all {
		if n := len(out); n == 0 || out[n-1].expert != w.expert || s.Bucket > 0 && s.Gradients.Bytes(out[n-1].elements) >= s.Bucket {
			out = append(out, bucket{expert: w.expert})
		}
		b := &out[len(out)-1]
		b.weights, b.elements = append(b.weights, w), b.elements+w.elements
	}
	for _, w := range late {
		at := len(out) - 1
		for out[at].expert || !slices.ContainsFunc(out[at].weights, func(v *weight) bool { return v.chunk == w.chunk }) {
			at--
		}
		b := &out[at]
		b.weights, b.elements = append(b.weights, w), b.elements+w.elements
	}
	return out
}

// lastBucket takes those weights from all that go with the last bucket of their chunk: Megatron-Core
// has weights of 8 bits in a buffer of their own, and sends all others with the last bucket of that
// one, since norms of the first layers are among them.
//
// Source: Megatron-LM, megatron/core/distributed/param_and_grad_buffer.py (partition_buckets, case 3).
func (s *stage) lastBucket(all []*weight) (own, late []*weight) {
	if !s.Last {
		return all, nil
	}
	has := map[int]bool{} // chunks with a bucket
	for _, w := range all {
		has[w.chunk] = has[w.chunk] || !w.expert && !s.wide(w)
	}
	for _, w := range all {
		if !w.expert && s.wide(w) && has[w.chunk] {
			late = append(late, w)
		} else {
			own = append(own, w)
		}
	}
	return own, late
}

// gradients are those of a bucket.
func (b *bucket) gradients() (ids []graph.TensorID) {
	for _, w := range b.weights {
		ids = append(ids, w.gradient)
	}
	return ids
}

// among adds the gradients of a bucket up over ranks that have the same weights in a chip's
// part or in another stage.
func (s *stage) among() {
	parts := map[int]*bucket{}
	for _, w := range s.weights {
		if w.partial > 1 && w.begun {
			if parts[w.partial] == nil {
				parts[w.partial] = &bucket{}
			}
			b := parts[w.partial]
			b.weights, b.elements = append(b.weights, w), b.elements+w.elements
		}
	}
	for n := s.grid.Tensor; n > 1; n-- {
		if b := parts[n]; b != nil {
			r := s.grid.Tensors(s.number)
			r.Count = n
			s.reduceInPlace(fmt.Sprintf("gradients.tensor%d", n), b.gradients(), s.Gradients.Bytes(b.elements), r)
		}
	}
	for _, w := range s.weights {
		if w.tied.Count > 1 && w.begun {
			s.reduceInPlace(w.name+".gradient.tied", []graph.TensorID{w.gradient}, s.Gradients.Bytes(w.elements), w.tied)
		}
	}
}

func (s *stage) reduceInPlace(name string, ids []graph.TensorID, bytes int64, among graph.Ranks) {
	s.append(name+".all_reduce", graph.Transfer{Func: "all_reduce", Bytes: bytes, Among: among}, ids, ids...)
}

// reduce sends the gradients of a microbatch to the replicas that keep them, with Zero 2 and 3.
func (s *stage) reduce() {
	s.among()
	for k, b := range s.buckets(int(s.began)) {
		name := fmt.Sprintf("gradients%d", k)
		part := s.tensor(graph.Tensor{Name: name + ".part" + s.suffix, Shape: []int{int(s.share(b.elements, b.expert))}, DType: s.Gradients})
		s.spread(name, "reduce_scatter", &b, b.gradients(), part)
		s.parts = append(s.parts, reduced{b, part})
		for _, w := range b.weights {
			w.begun = false
		}
	}
}

// spread adds the gradients of a bucket up over the ranks that have the same weights, if there
// are others.
func (s *stage) spread(name, how string, b *bucket, in []graph.TensorID, out graph.TensorID) {
	if r := s.replicas(b.expert); r.Count > 1 {
		s.append(name+"."+how, graph.Transfer{Func: how, Bytes: s.Gradients.Bytes(b.elements), Among: r}, in, out)
		return
	}
	s.append(name, graph.Move{Func: "concat"}, in, out)
}

// reduced is a bucket of which a replica has its share.
type reduced struct {
	bucket
	part graph.TensorID
}

// update ends the step: gradients are added up over all that have the same weights, the
// optimiser changes its share of them, and shares of weights are gathered.
func (s *stage) update() {
	s.suffix, s.began = "", int32(len(s.out.Ops))
	if s.Zero >= 2 {
		s.updateShares()
		return
	}
	s.among()
	for k, b := range s.buckets(0) {
		name, in := fmt.Sprintf("gradients%d", k), b.gradients()
		if s.Wait && s.after >= 0 {
			in = append(in, s.out.Ops[s.after].Out[0])
		}
		elements, how := b.elements, "all_reduce"
		if s.Zero > 0 {
			elements, how = s.share(elements, b.expert), "reduce_scatter"
		}
		flat := s.tensor(graph.Tensor{Name: name, Shape: []int{int(elements)}, DType: s.Gradients})
		s.spread(name, how, &b, in, flat)
		s.optimise(fmt.Sprintf("update%d", k), flat, elements, b.weights)
	}
}

// updateShares is update where each replica has its share of all gradients: those of the
// microbatches are added up.
func (s *stage) updateShares() {
	sums := map[string][]graph.TensorID{}
	var names []reduced
	key := func(r reduced) (k string) {
		for _, w := range r.weights {
			k += w.name + " "
		}
		return k
	}
	for _, r := range s.parts {
		if sums[key(r)] == nil {
			names = append(names, r)
		}
		sums[key(r)] = append(sums[key(r)], r.part)
	}
	for k, r := range names {
		name := fmt.Sprintf("gradients%d", k)
		elements := s.share(r.elements, r.expert)
		like := &graph.Tensor{Name: name, Shape: []int{int(elements)}, DType: s.Gradients}
		all := sums[key(r)]
		sum := all[0]
		for i, p := range all[1:] {
			to := s.activation(fmt.Sprintf("%s.sum%d", name, i+1), like)
			s.append(fmt.Sprintf("%s.sum%d", name, i+1), graph.Elementwise{Func: "add", Elements: elements, Inputs: 2, OpsPer: 1}, []graph.TensorID{sum, p}, to)
			sum = to
		}
		s.optimise(fmt.Sprintf("update%d", k), sum, elements, r.weights)
	}
}

// optimise changes weights, or the share of them that the replica has, after the last turn.
func (s *stage) optimise(name string, gradient graph.TensorID, elements int64, weights []*weight) {
	o := optimizers[s.Optimizer]
	if o.states == 0 {
		return
	}
	in, states := []graph.TensorID{gradient}, []graph.TensorID(nil)
	wide := graph.FP32
	for k := range o.states {
		if k == 0 && weights[0].dtype == wide && !s.divided() {
			continue // the weights are their own
		}
		states = append(states, s.tensor(graph.Tensor{Name: fmt.Sprintf("%s.state%d", name, k), Shape: []int{int(elements)}, DType: wide, Role: graph.Optimizer}))
	}
	in = append(in, states...)
	next := s.tensor(graph.Tensor{Name: name + ".weights", Shape: []int{int(elements)}, DType: weights[0].dtype})
	at := int32(len(s.out.Ops))
	s.append(name, graph.Elementwise{Func: s.Optimizer, Elements: elements, Inputs: len(in), OpsPer: o.ops}, in, append([]graph.TensorID{next}, states...)...)
	if s.after >= 0 {
		s.before = append(s.before, [2]int32{at, s.after})
	}
	if r := s.replicas(weights[0].expert); r.Count > 1 && (s.Zero == 1 || s.Zero == 2) && !s.Early {
		all := s.tensor(graph.Tensor{Name: name + ".gathered", Shape: []int{int(elements) * r.Count}, DType: weights[0].dtype})
		s.append(name+".all_gather", graph.Transfer{Func: "all_gather", Bytes: weights[0].dtype.Bytes(elements), Among: r}, []graph.TensorID{next}, all)
	}
}
