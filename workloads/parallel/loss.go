package parallel

import "github.com/causeway-sim/causeway/workloads/graph"

// lossSums is what the ranks that share the words of a token add up of it, in bytes: its
// greatest score, the sum of exponentials and the score of the word that is right, each in
// fp32 (Megatron-LM, section 3: cross entropy of parts of the vocabulary).
const lossSums = 12

// loss adds softmax and cross entropy of the results of the model, over their last axis.
func (s *stage) loss(c *chunk, at []graph.TensorID) {
	for i := range c.Graph.Tensors {
		id, x := graph.TensorID(i), &c.Graph.Tensors[i]
		if x.Role != graph.Output || !c.needs[i] {
			continue
		}
		cols := int64(x.Shape[len(x.Shape)-1])
		rows := x.Elements() / cols
		sums := s.tensor(graph.Tensor{Name: x.Name + ".loss.sums" + s.suffix, Shape: []int{int(rows), 1}, DType: graph.FP32})
		s.append(x.Name+".loss.max", graph.Reduce{Func: "max", Elements: rows * cols, Out: rows}, []graph.TensorID{at[id]}, sums)
		if c.partsOf(id) > 1 {
			all := s.tensor(graph.Tensor{Name: x.Name + ".loss.all" + s.suffix, Shape: []int{int(rows), 1}, DType: graph.FP32})
			s.append(x.Name+".loss.all_reduce", graph.Transfer{Func: "all_reduce", Bytes: rows * lossSums, Among: s.grid.Tensors(s.number)}, []graph.TensorID{sums}, all)
			sums = all
		}
		out := s.activation(x.Name+".loss", x)
		s.append(x.Name+".loss", graph.Softmax{Rows: rows, Cols: cols}, []graph.TensorID{at[id], sums}, out)
		at[id] = out // what its gradient is made of
	}
}

// lossBack adds the gradient of the loss: probabilities less one where the word is right.
func (b *back) lossBack() {
	for i := range b.Graph.Tensors {
		id, x := graph.TensorID(i), &b.Graph.Tensors[i]
		if x.Role != graph.Output || !b.needs[i] {
			continue
		}
		d := b.activation(x.Name+".loss.d", x)
		b.append(x.Name+".loss.d", graph.Elementwise{Func: "sub", Elements: x.Elements(), Inputs: 1, OpsPer: 1}, []graph.TensorID{b.saved(id)}, d)
		b.of[id].whole = append(b.of[id].whole, d)
	}
}
