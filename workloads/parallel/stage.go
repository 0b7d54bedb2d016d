package parallel

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A stage is the first rank of one: its chunks of the model, and the step made of them.
type stage struct {
	Training
	grid   Grid
	number int
	chunks []*chunk
	out    *graph.Graph
	before [][2]int32
	held   int64 // as Step.Held

	weights  []*weight // in the order in which their gradients are done
	by       map[string]*weight
	producer []int32 // by tensor of out: the operator of the chip that made it; -1: none
	pass
	pause func()                            // of a pass that another goes with: leaves the turn to that
	after int32                             // last operator of the chip in the turn before; -1: none
	views map[graph.TensorID]graph.TensorID // what tensors of the step are views of
	parts []reduced                         // with Zero 2 and 3
}

// A chunk is a part of the model as a rank has it.
type chunk struct {
	*Shard
	needs   []bool             // tensors that have a gradient
	segment []int              // by operator: what is computed again together; -1: nothing
	parts   [][]int            // operators of each segment
	at      [][]graph.TensorID // by microbatch and tensor: what it is in the step
	held    int64              // bytes that a pass forward keeps for the one back
}

// A weight is a parameter and its gradient in the step.
type weight struct {
	name     string
	id       graph.TensorID // in the step; with Zero 3 its share
	elements int64
	shape    []int
	dtype    graph.DType
	gradient graph.TensorID
	begun    bool
	chunk    int         // the first that has it
	expert   bool        // of an expert that other replicas do not have
	partial  int         // ranks whose gradients add up; 0: one
	tied     graph.Ranks // ranks of another stage that have it too
	done     int         // last operator that adds to it
}

func newStage(g *graph.Graph, grid Grid, t Training, number int) *stage {
	return &stage{Training: t, grid: grid, number: number, by: map[string]*weight{}, views: map[graph.TensorID]graph.TensorID{}, after: -1, pass: pass{waits: -1},
		out: &graph.Graph{Name: fmt.Sprintf("%s.%d", g.Name, number), Symbols: g.Symbols, Notes: g.Notes}}
}

// add adds a chunk.
func (s *stage) add(g *graph.Graph) error {
	own := map[string]bool{} // weights of experts
	if s.Context > 1 {
		g = settleContext(g, s.grid.Experts(s.number, s.Context))
	}
	if s.Experts > 1 && Mixtures(g) > 0 {
		x, names, err := Expert(g, Experts{Ranks: s.Experts, Capacity: s.Capacity, Among: s.grid.Experts(s.number, s.Experts)})
		if err != nil {
			return err
		}
		for _, n := range names {
			own[n] = true
		}
		g = x
	}
	shard := &Shard{Graph: g, Cuts: make([]Cut, len(g.Tensors))}
	for i := range shard.Cuts {
		shard.Cuts[i] = Cut{Of: graph.TensorID(i), Parts: 1}
	}
	if s.grid.Tensor > 1 {
		var err error
		if shard, err = Tensor(g, Tensors{Ranks: s.grid.Tensor, Sequence: s.Sequence, Among: s.grid.Tensors(s.number), Parts: true}); err != nil {
			return err
		}
	}
	for _, n := range shard.Graph.Notes {
		if !slices.Contains(s.out.Notes, n) {
			s.out.Notes = append(slices.Clip(s.out.Notes), n)
		}
	}
	c := &chunk{Shard: shard, needs: make([]bool, len(shard.Graph.Tensors)), at: make([][]graph.TensorID, s.Microbatches)}
	if err := s.addWeights(c, own); err != nil {
		return fmt.Errorf("%s: %w", g.Name, err)
	}
	for i := range c.Graph.Ops {
		op := &c.Graph.Ops[i]
		t, transfer := op.Kind.(graph.Transfer)
		needs := transfer && t.Func == "recv"
		for _, id := range op.In {
			needs = needs || id != graph.None && c.needs[id]
		}
		for _, id := range op.Out {
			c.needs[id] = needs
		}
		if err := differentiable(op); err != nil {
			return fmt.Errorf("%s: %s: %w", g.Name, op.Name, err)
		}
	}
	c.segments(s.Recompute)
	s.chunks = append(s.chunks, c)
	return nil
}

// addWeights adds the weights of a chunk that no earlier chunk has; own are those of experts.
func (s *stage) addWeights(c *chunk, own map[string]bool) error {
	for i := range c.Graph.Tensors {
		x := &c.Graph.Tensors[i]
		c.needs[i] = x.Role == graph.Weight && !s.frozen(x.Name)
		if w := s.by[x.Name]; x.Role == graph.Weight && w == nil {
			w = &weight{name: x.Name, elements: x.Elements(), shape: x.Shape, dtype: x.DType, done: -1, chunk: len(s.chunks), expert: own[x.Name]}
			s.by[x.Name], s.weights = w, append(s.weights, w)
		} else if x.Role == graph.Weight && w.elements != x.Elements() {
			return fmt.Errorf("chunks of a stage have unlike parts of %s", x.Name)
		}
	}
	return nil
}

// segments groups the operators that are recomputed together.
func (c *chunk) segments(how string) {
	c.segment = slices.Repeat([]int{-1}, len(c.Graph.Ops))
	put := func(k, op int) {
		for len(c.parts) <= k {
			c.parts = append(c.parts, nil)
		}
		c.segment[op], c.parts[k] = k, append(c.parts[k], op)
	}
	switch how {
	case RecomputeFull:
		number := map[int]int{}
		for i := range c.Graph.Ops {
			n, ok := graph.LayerOf(c.Graph.Ops[i].Name)
			if !ok {
				continue
			}
			if _, known := number[n]; !known {
				number[n] = len(number)
			}
			put(number[n], i)
		}
	case RecomputeSelective:
		for k, chain := range c.Graph.Chains() {
			for _, i := range chain.Ops {
				put(k, i)
			}
		}
	}
}

// tie finds weights that several stages have.
func (s *Step) tie() {
	for a, x := range s.stages {
		for b := a + 1; b < len(s.stages); b++ {
			for _, w := range x.weights {
				if v := s.stages[b].by[w.name]; v != nil && v.elements == w.elements {
					w.tied = s.Grid.stages(a, b)
					v.tied = w.tied
				}
			}
		}
	}
}

// write makes the step.
func (s *stage) write() error {
	for _, w := range s.weights {
		s.declare(w)
	}
	all, err := turns(s.Schedule, s.number, s.grid.Pipeline, s.Microbatches, len(s.chunks), s.Combined)
	if err != nil {
		return err
	}
	for i := 0; i < len(all); i++ {
		if t := all[i]; s.Combined && i+1 < len(all) && t.goesWith(all[i+1]) {
			i++
			s.together(all[i], t)
			continue
		}
		s.began = int32(len(s.out.Ops))
		s.carry(all[i])
		s.chain()
	}
	s.held = mostHeld(all, func(chunk int) int64 { return s.chunks[chunk].held })
	if s.Early {
		for _, w := range s.weights {
			if !s.frozen(w.name) {
				s.held += s.carried(w).Bytes(w.elements)
			}
		}
	}
	s.update()
	return s.out.Validate()
}

// chain has the operators of a turn, or of a part of one, wait for those before: those that wait for no
// other operator of the chip in it.
func (s *stage) chain() {
	last := s.after
	for i := int(s.began); i < len(s.out.Ops); i++ {
		op := &s.out.Ops[i]
		if !computes(op) {
			continue
		}
		root := true
		for _, id := range op.In {
			root = root && (id == graph.None || s.producer[id] < s.began)
		}
		if root && s.after >= 0 {
			s.before = append(s.before, [2]int32{int32(i), s.after})
		}
		last = int32(i)
	}
	s.after = last
}

// computes reports whether the chip carries the operator out.
func computes(op *graph.Op) bool {
	_, transfer := op.Kind.(graph.Transfer)
	return !transfer && !isView(op)
}

// tensor adds a tensor to the step.
func (s *stage) tensor(x graph.Tensor) graph.TensorID {
	s.producer = append(s.producer, -1)
	return s.out.Add(x)
}

// activation adds one like another, of other bytes or shape.
func (s *stage) activation(name string, of *graph.Tensor, shape ...int) graph.TensorID {
	if len(shape) == 0 {
		shape = of.Shape
	}
	return s.tensor(graph.Tensor{Name: name + s.suffix, Shape: shape, DType: of.DType})
}

// append adds an operator to the step.
func (s *stage) append(name string, k graph.Kind, in []graph.TensorID, out ...graph.TensorID) {
	for len(in) > 0 && in[len(in)-1] == graph.None {
		in = in[:len(in)-1]
	}
	op := graph.Op{Name: name + s.suffix, In: in, Out: out, Kind: k}
	made := int32(len(s.out.Ops))
	if !computes(&op) {
		made = -1
		if isView(&op) {
			for _, id := range in {
				made = max(made, s.producer[id])
			}
			for _, id := range out {
				s.views[id] = in[0]
			}
		}
	}
	for _, id := range out {
		s.producer[id] = made
	}
	s.out.Append(op)
	if t, ok := k.(graph.Transfer); ok && t.Func == "all_to_all" && s.pause != nil {
		s.settle()
		s.pause()
	}
}

// forward is a pass of a microbatch through a chunk.
func (s *stage) forward(c *chunk, t turn) {
	at := slices.Repeat([]graph.TensorID{graph.None}, len(c.Graph.Tensors))
	c.at[t.micro] = at
	for i := range c.Graph.Ops {
		s.again(c, t, at, i, "")
	}
	if s.number+1 == s.grid.Pipeline && c == s.chunks[len(s.chunks)-1] {
		s.loss(c, at)
	}
}

// again carries operator i of a chunk out for a microbatch.
func (s *stage) again(c *chunk, t turn, at []graph.TensorID, i int, what string) {
	op := &c.Graph.Ops[i]
	in := make([]graph.TensorID, len(op.In))
	for k, id := range op.In {
		in[k] = s.take(c, at, id)
	}
	out := make([]graph.TensorID, len(op.Out))
	for k, id := range op.Out {
		x := c.Graph.Tensor(id)
		out[k] = s.activation(x.Name+what, x)
		at[id] = out[k]
	}
	kind := op.Kind
	if k, ok := kind.(graph.Transfer); ok && (k.Func == "send" || k.Func == "recv") {
		kind = s.sent(k, t, true)
	}
	s.append(op.Name+what, kind, in, out...)
}

// sent is a message between stages, of a microbatch and a direction.
func (s *stage) sent(k graph.Transfer, t turn, forward bool) graph.Transfer {
	k.Tag *= 2 * s.Microbatches
	if k.Tag += t.micro; !forward {
		k.Tag += s.Microbatches
	}
	k.Peer %= s.grid.Pipeline
	return k
}

// take is an operand in the step.
func (s *stage) take(c *chunk, at []graph.TensorID, id graph.TensorID) graph.TensorID {
	if id == graph.None {
		return graph.None
	}
	x := c.Graph.Tensor(id)
	if x.Role == graph.Weight {
		return s.whole(c, s.by[x.Name])
	}
	if at[id] == graph.None {
		at[id] = s.tensor(graph.Tensor{Name: x.Name + s.suffix, Shape: x.Shape, DType: x.DType, Role: graph.Input})
	}
	return at[id]
}
