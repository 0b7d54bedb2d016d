package served

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/demand"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
	"github.com/causeway-sim/causeway/workloads/parallel"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// prices caches the times of batches: the time without attention depends only on the tokens of a
// batch and the number of sampled ones.
type prices struct {
	only  []int       // a layer of each kind
	times map[int]int // how many layers are like it
	dense map[batchKey]dense
}

// batchKey is what the time of a batch follows from but for its attention: tokens, those that
// are sampled, replicas, and the executor.
type batchKey struct {
	tokens, sampled, shares int
	on                      string
	held                    bool // at a power limit
}

// dense is a batch but for its attention.
type dense struct {
	cost
	experts cost           // of it, what lies between sending tokens to experts and collecting
	attend  []attending    // a layer of each kind
	parts   []work.Portion // of the time, by operators of the same name in all layers
}

// cost is a time, and the energy of one chip in it: pJ, 0 without a model. clocked is the time in which kernels run
// times their clock over the full one, and kernels that time.
type cost struct {
	time             units.Time
	pj               float64
	clocked, kernels float64
}

func (c *cost) add(x cost) {
	c.time, c.pj, c.clocked, c.kernels = c.time+x.time, c.pj+x.pj, c.clocked+x.clocked, c.kernels+x.kernels
}

func (c cost) times(n int) cost {
	return cost{c.time * units.Time(n), c.pj * float64(n), c.clocked * float64(n), c.kernels * float64(n)}
}

// clock is the mean clock of kernels over the full one, 0 without a model.
func (c *cost) clock() float64 {
	if c.kernels == 0 {
		return 0
	}
	return c.clocked / c.kernels
}

// work is the cost as an executor has it.
func (c *cost) work() work.Cost { return work.Cost{Time: c.time, Energy: c.pj, Clock: c.clock()} }

// mix is a step of which a part of the work takes c and the rest held.
func (c cost) mix(held cost, part float64) cost {
	at := func(x, y float64) float64 { return part*x + (1-part)*y }
	return cost{units.Time(math.Round(at(float64(c.time), float64(held.time)))), at(c.pj, held.pj), at(c.clocked, held.clocked), at(c.kernels, held.kernels)}
}

func costOf(c work.Cost) cost {
	out := cost{time: c.Time, pj: c.Energy}
	if c.Clock > 0 {
		out.clocked, out.kernels = c.Clock*float64(c.Time), float64(c.Time)
	}
	return out
}

// priced is the cost of batches of an instance.
type priced struct {
	cost
	instance int
	limited  bool // at its end a power limit sets the clock
}

// attending is the attention of some layers that are alike.
type attending struct {
	kind   graph.Attention // of some batch
	heads  int             // of keys and values
	mask   masking.Mask    // of the model, where chips share its keys
	window int             // entries that a token attends to at most; 0: all
	layers int
}

// attends adds layers' attention to those that it is like: it is priced once.
func (d *dense) attends(a attending) {
	for i := range d.attend {
		same := d.attend[i]
		if same.layers = a.layers; same == a {
			d.attend[i].layers += a.layers
			return
		}
	}
	d.attend = append(d.attend, a)
}

// kinds finds the layers of a model that are not alike. A kernel of a worker that joins operators may
// have some of two layers, so that the first layer is of a kind of its own.
func (s *Served) kinds() {
	if s.times != nil {
		return
	}
	s.times, s.dense = map[int]int{}, map[batchKey]dense{}
	signs := map[int]*strings.Builder{}
	last := -1
	for i := range s.w.Graph.Ops {
		op := &s.w.Graph.Ops[i]
		l, rest, ok := graph.InLayer(op.Name)
		if !ok {
			continue
		}
		if signs[l] == nil {
			signs[l] = &strings.Builder{}
		}
		fmt.Fprintf(signs[l], "%s %+v\n", rest, op.Kind)
		last = max(last, l)
	}
	joins := slices.ContainsFunc(s.idx, func(k int) bool {
		_, ok := s.a.Workers[k].(work.Joiner)
		return ok
	})
	first := map[string]int{}
	for l := 0; l <= last; l++ {
		if signs[l] == nil {
			continue
		}
		sign := signs[l].String()
		if joins && len(first) == 0 {
			sign = "first"
		}
		k, known := first[sign]
		if !known {
			k = l
			first[sign] = l
			s.only = append(s.only, l)
		}
		s.times[k]++
	}
}

// layers is how many layers the model has, for planned steps.
func (s *Served) layers() (n int) {
	if s.issues() {
		return 0
	}
	s.kinds()
	for _, k := range s.times {
		n += k
	}
	return n
}

// token is the bytes of a token between layers.
func (s *Served) token() uint64 {
	for i := range s.w.Graph.Ops {
		if op := &s.w.Graph.Ops[i]; op.Name == "norm" {
			t := s.w.Graph.Tensor(op.Out[0])
			return uint64(t.DType.Bytes(int64(t.Shape[len(t.Shape)-1])))
		}
	}
	return 0
}

// mixtures is how many layers have several experts.
func (s *Served) mixtures() (n int) {
	for i := range s.w.Graph.Ops {
		if strings.HasSuffix(s.w.Graph.Ops[i].Name, ".dispatch") {
			n++
		}
	}
	return n
}

// pricer is the first executor of an instance, which stands for all its ranks: they do equal
// work.
func (s *Served) pricer(instance int) (work.Pricer, error) {
	x := s.a.Workers[s.idx[instance*len(s.idx)/s.server.Instances()]]
	p, ok := x.(work.Pricer)
	if _, listed := x.(work.Listed); !ok || listed {
		return nil, s.at.Errorf(nil, "%s takes times: issued: what operators take on it follows from more than the operators (want a node of kind gpu, roofline or lanes)", x.Name())
	}
	if s.w.Spec.Attention == demand.Unfused {
		return nil, s.w.At.Get("attention").Errorf([]string{demand.Fused}, "has no price by batch with times: planned")
	}
	return p, nil
}

// time implements work.Service: replicas go through a layer together, so that each part
// of it takes as long as the replica with the most to do.
func (s *Served) time(all []work.Batch, instance int) (units.Time, error) {
	s.kinds()
	p, err := s.pricer(instance)
	if err != nil {
		return 0, err
	}
	s.w.Job.Priced = true
	c, err := s.limited(p, all, instance)
	if err != nil {
		return 0, err
	}
	s.last = c
	return c.time, nil
}

// limited is the cost of a step that begins now: of a burst until a power limit binds, and held at it for the rest of
// its work.
func (s *Served) limited(p work.Pricer, all []work.Batch, instance int) (priced, error) {
	x, ok := p.(work.Governed)
	if !ok || !x.Governs() {
		c, err := s.step(p, all, instance)
		return priced{c, instance, false}, err
	}
	s.setPrices(x, false)
	c, err := s.step(p, all, instance)
	if err != nil {
		return priced{}, err
	}
	free := x.Free(c.work())
	if free == 1 {
		return priced{c, instance, false}, nil
	}
	s.setPrices(x, true)
	held, err := s.step(p, all, instance)
	return priced{c.mix(held, x.Part(free, c.work(), held.work())), instance, true}, err
}

// setPrices has later prices be of bursts, or held at the limit.
func (s *Served) setPrices(x work.Governed, held bool) {
	x.Bursts(!held)
	s.held = held
}

// step is the cost of a step, by the prices that p has now.
func (s *Served) step(p work.Pricer, all []work.Batch, instance int) (cost, error) {
	most, sampled := widest(all)
	d, err := s.but(p, instance, most, min(sampled, most), 1)
	if err != nil {
		return cost{}, err
	}
	c := d.cost
	if len(all) > 1 && d.experts.time > 0 { // each has its share of the experts, for the tokens of all
		e, err := s.but(p, instance, most*len(all), 0, len(all))
		if err != nil {
			return cost{}, err
		}
		c.time, c.pj = c.time+e.experts.time-d.experts.time, c.pj+e.experts.pj-d.experts.pj
		c.clocked, c.kernels = c.clocked+e.experts.clocked-d.experts.clocked, c.kernels+e.experts.kernels-d.experts.kernels
	}
	for _, a := range d.attend {
		c.add(s.longest(p, a, all).times(a.layers))
	}
	return c, nil
}

// longest is the attention of one layer of the replica that takes longest.
func (s *Served) longest(p work.Pricer, a attending, all []work.Batch) (most cost) {
	for _, b := range all {
		if c := s.attention(p, a, b); c.time > most.time {
			most = c
		}
	}
	return most
}

// charge implements work.Service: all chips of the instance that time had last take as much energy as the
// one that was priced.
func (s *Served) charge() {
	if s.last.pj == 0 {
		return
	}
	s.noteReplicas()
	each := len(s.idx) / s.server.Instances()
	for _, k := range s.idx[s.last.instance*each : (s.last.instance+1)*each] {
		if x, ok := s.a.Workers[k].(work.Credited); ok {
			x.Credit(work.Cost{Time: s.last.time, Energy: s.last.pj, Clock: s.last.clock(), Limited: s.last.limited})
		}
	}
}

// noteReplicas says once that energy is that of one replica, where its chips stand for those of all.
func (s *Served) noteReplicas() {
	replicas := s.server.(work.Issuer).Replicas()
	if s.noted || replicas < 2 || len(s.idx) >= s.server.Instances()*len(s.ranks)*replicas {
		return
	}
	s.noted = true
	s.a.Notes = append(s.a.Notes, fmt.Sprintf("%s stands for the chips of all %d replicas of %s, and energy is that of one replica.", s.a.Workers[s.idx[0]].Name(), replicas, s.server.Name()))
}

// attention is that of one layer.
func (s *Served) attention(p work.Pricer, a attending, b work.Batch) (sum cost) {
	var parts []work.Attention
	for i, g := range b.Groups {
		if b.Padding && i == len(b.Groups)-1 {
			continue
		}
		k := a.kind
		k.Batch, k.Queries, k.Keys = g.Requests*a.heads, g.Tokens, g.Context
		if a.window > 0 {
			k.Keys = min(k.Keys, a.window+g.Tokens-1)
		}
		if n := s.keys(); n > 1 { // the first chip has the most
			k.Mask = a.mask
			k = parallel.PartOf(k, n, 0)
		}
		parts = append(parts, work.Attention{Attention: k, Requests: g.Requests})
	}
	if len(parts) == 0 {
		return cost{}
	}
	if x, ok := p.(work.Attender); ok {
		return costOf(x.Attend(parts, s.w.Spec.DType.DTypes))
	}
	for _, k := range parts {
		sum.add(costOf(p.Price(k.Alone(s.w.Spec.DType.DTypes), 0)))
	}
	return sum
}

// but is what a batch of so many tokens takes on an instance but for its attention, on a replica
// that has one of so many shares of the experts.
func (s *Served) but(p work.Pricer, instance, tokens, sampled, shares int) (dense, error) {
	key := batchKey{tokens, sampled, shares, p.Name(), s.held}
	if d, ok := s.dense[key]; ok {
		return d, nil
	}
	groups := groupsOf(tokens, sampled)
	w := *s.w
	if w.Groups = groups; !w.Spec.Layers.Given { // layers that are left out are of other numbers
		w.Only = s.only
	}
	if err := w.Build(s.a.Doc); err != nil {
		return dense{}, err
	}
	if err := w.Fuse(s.a.Assignment, s.mapper, s.idx); err != nil {
		return dense{}, err
	}
	ranks, err := w.RankLoads(len(s.idx), len(s.nics))
	if err != nil {
		return dense{}, err
	}
	g := ranks[0].Graph
	s.count(g, w.Only != nil)
	masks, mix := masksOf(w.Graph), kernels(p, g, shares)
	var d dense
	seen, experts, busy := map[int]bool{}, false, 0
	for i := range g.Ops {
		op := &g.Ops[i]
		l, rest, in := graph.InLayer(op.Name)
		n := 1
		if in && w.Only != nil {
			n = s.times[l]
		}
		if k, ok := op.Kind.(graph.Attention); ok {
			if !seen[l] {
				seen[l] = true
				d.attends(attending{kind: k, heads: k.Batch / groups[0].Requests, mask: masks[op.Name], window: masks[op.Name].Window, layers: n})
			}
			continue
		}
		joint, kernel := mix[i]
		c := costOf(joint)
		if kernel {
		} else if _, ok := op.Kind.(graph.Transfer); ok {
			if c.time, err = s.transfer(ranks, i, instance); err != nil {
				return dense{}, err
			}
		} else if one := part(g, i, rest, busy, shares); one == nil {
			continue
		} else {
			c = costOf(p.Price(one, min(i, len(one.Ops)-1)))
		}
		c = c.times(n)
		if rest == "dispatch" {
			experts, busy = true, len(op.Out)
		}
		if experts {
			d.experts.add(c)
		}
		if rest == "collect" {
			experts = false
		}
		d.add(c)
		d.parts = addPortion(d.parts, op.Name, c.time)
	}
	s.dense[key] = d
	return d, nil
}

// count has the operators of a step stand for those of the layers that are left out; attention has a price of its own.
func (s *Served) count(g *graph.Graph, only bool) {
	for i := range g.Ops {
		op := &g.Ops[i]
		if l, _, in := graph.InLayer(op.Name); in && only {
			op.Stands = s.times[l]
		}
		if _, ok := op.Kind.(graph.Attention); ok {
			op.Stands = graph.Elsewhere
		}
	}
}

// groupsOf is a batch of so many tokens, of which so many are sampled: requests of a token each,
// and all tokens that are left with the last of them.
func groupsOf(tokens, sampled int) (out []zoo.Group) {
	alone := sampled
	if tokens > sampled && sampled > 0 {
		alone--
	}
	if alone > 0 {
		out = append(out, zoo.Group{Requests: alone, Tokens: 1, Context: 1, Sample: true})
	}
	if n := tokens - alone; n > 0 {
		out = append(out, zoo.Group{Requests: 1, Tokens: n, Context: n, Sample: sampled > 0})
	}
	return out
}

// masksOf are the masks of attentions, by the names of their operators.
func masksOf(g *graph.Graph) map[string]masking.Mask {
	out := map[string]masking.Mask{}
	for i := range g.Ops {
		if k, ok := g.Ops[i].Kind.(graph.Attention); ok {
			out[g.Ops[i].Name] = k.Mask
		}
	}
	return out
}

// part is a graph in which an operator of a mixture of experts has the part of one replica.
// What sends tokens to experts has its share of the experts, and of the tokens that go to
// them; the operator of the first expert does what those of all of them do, as one kernel,
// and the others have none (nil).
func part(g *graph.Graph, i int, rest string, busy, shares int) *graph.Graph {
	var e int
	if strings.HasPrefix(rest, "E") { // most are not: the scan is slow
		if n, err := fmt.Sscanf(rest, "E%d.", &e); n == 1 && err == nil {
			if e > 0 {
				return nil
			}
			return several(g, i, (busy+shares-1)/shares)
		}
	}
	if rest != "dispatch" || shares == 1 {
		return g
	}
	out := *g
	out.Tensors, out.Ops = slices.Clone(g.Tensors), slices.Clone(g.Ops)
	op := &out.Ops[i]
	x := out.Tensors[op.In[0]]
	x.Shape = slices.Clone(x.Shape)
	at := len(x.Shape) - 2
	if x.Shape[at] == 1 {
		at = 0
	}
	x.Shape[at] = max(x.Shape[at]/shares, 1)
	op.In = append([]graph.TensorID{out.Add(x)}, op.In[1:]...)
	op.Out = op.Out[:(len(op.Out)+shares-1)/shares]
	k := op.Kind.(graph.Move)
	k.Elements /= int64(shares)
	op.Kind = k
	return &out
}

// several is a graph in which an operator is done n times, on operands of their own.
func several(g *graph.Graph, i, n int) *graph.Graph {
	op := g.Ops[i]
	switch k := op.Kind.(type) {
	case graph.MatMul:
		k.Batch, k.SharedB = k.Batch*n, 1
		op.Kind = k
	case graph.Elementwise:
		k.Elements *= int64(n)
		op.Kind = k
	default:
		return g
	}
	out := &graph.Graph{Name: g.Name}
	wide := func(ids []graph.TensorID) (to []graph.TensorID) {
		for _, id := range ids {
			t := g.Tensors[id]
			t.Shape = append([]int{n}, t.Shape...)
			to = append(to, out.Add(t))
		}
		return to
	}
	op.In, op.Out = wide(op.In), wide(op.Out)
	out.Append(op)
	return out
}
