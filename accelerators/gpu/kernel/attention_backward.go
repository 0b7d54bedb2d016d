package kernel

// AttentionBackward is the cost of the backward pass of an attention, whose scores are computed
// again block by block. Ops and Bytes are of that pass.
//
// assumption: blocks and steps are those of the forward pass, whose two products take Size + Value
// multiply-accumulates for each score; the five products of the backward pass take 3 Size +
// 2 Value, and its blocks have operands in proportion in shared memory.
func (m *Machine) AttentionBackward(a Attention) Cost {
	a.Size, a.Value = 3*a.Size, 2*a.Value
	return m.attend([]Attention{a}, false, 1)
}
