package graph

// Padded returns the number of elements including the padding of the last block of each row of a
// block format.
func (t *Tensor) Padded() int64 {
	n := t.Elements()
	if !t.grouped() || n == 0 {
		return n
	}
	row, unit := t.Run(), t.Unit().Elements
	if n%row != 0 {
		row = n
	}
	return n / row * ((row + unit - 1) / unit * unit)
}

// Run returns the number of elements of a row along the axis of blocks: Along, or the last
// dimension.
func (t *Tensor) Run() int64 {
	if t.Along > 0 {
		return t.Along
	}
	if n := len(t.Shape); n > 0 {
		return max(1, int64(t.Shape[n-1]))
	}
	return 1
}

// BytesOf returns the size of n elements of the tensor, which are whole rows or the whole tensor.
func (t *Tensor) BytesOf(n int64) int64 {
	x := t.Unit()
	if row := t.Run(); t.grouped() && n%row == 0 {
		return n / row * x.Size(row)
	}
	return x.Size(n)
}

// SettleBlocks sets the axis of block formats of weights along the sums of their matrix products.
// Other weights (biases, scales of a norm, tables that only a Gather reads) get the type plain.
func (g *Graph) SettleBlocks(plain DType) {
	matrix, read := make([]bool, len(g.Tensors)), make([]bool, len(g.Tensors))
	for i := range g.Ops {
		op := &g.Ops[i]
		for _, id := range op.In {
			if id != None {
				read[id] = true
			}
		}
		m, ok := op.Matrix()
		if !ok || len(op.In) < 2 || op.In[1] == None {
			continue
		}
		if t := &g.Tensors[op.In[1]]; t.Role == Weight && t.DType.Blocked() {
			matrix[op.In[1]] = true
			if t.Elements()%m.K == 0 {
				t.Along = m.K
			}
		}
	}
	for i := range g.Tensors {
		t := &g.Tensors[i]
		switch n := len(t.Shape); {
		case t.Role != Weight || !t.DType.Blocked() || matrix[i]:
		case !read[i] && n > 1: // of an expert that got nothing to do
			t.Along = int64(t.Shape[n-2])
		default:
			t.DType = plain
		}
	}
}

// Plain returns the type of weights that cannot have a block format.
func (d DTypes) Plain() DType {
	switch {
	case !d.Weight.Blocked():
		return d.Weight
	case !d.Activation.Blocked():
		return d.Activation
	}
	return BF16 // assumption: as models of such weights keep them
}

// DTypes returns the type of most bytes of each role; partial sums follow the activations.
func (g *Graph) DTypes() DTypes {
	bytes := make([][DTypeCount]int64, len(Roles))
	for i := range g.Tensors {
		t := &g.Tensors[i]
		role := t.Role
		if role == Input || role == Output {
			role = Activation
		}
		if t.DType != Int32 { // indices
			bytes[role][t.DType] += t.Bytes()
		}
	}
	most := func(r Role, other DType) DType {
		n := int64(0)
		for d, b := range bytes[r] {
			if b > n {
				other, n = DType(d), b
			}
		}
		return other
	}
	d := Uniform(most(Activation, Int8))
	d.Weight = most(Weight, d.Activation)
	d.KV = most(KV, d.Activation)
	return d
}
