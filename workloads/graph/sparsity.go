package graph

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// A Pattern is structured sparsity: of each M consecutive elements along the sum of a product N
// are kept, with an index of log2(M) bits each (Mishra et al., Accelerating Sparse Deep Neural
// Networks, arXiv 2104.08378, section 3). The zero value keeps all.
type Pattern struct{ N, M int }

// maxPattern bounds M.
const maxPattern = 64

// UnmarshalText implements encoding.TextUnmarshaler: 2:4.
func (p *Pattern) UnmarshalText(b []byte) error {
	kept, of, _ := strings.Cut(string(b), ":")
	n, e1 := strconv.Atoi(kept)
	m, e2 := strconv.Atoi(of)
	if e1 != nil || e2 != nil || n < 1 || m <= n || m > maxPattern || bits.OnesCount(uint(m)) != 1 {
		return fmt.Errorf("%q (want N:M such as 2:4, N below M, M a power of two up to %d)", b, maxPattern)
	}
	*p = Pattern{n, m}
	return nil
}

// MarshalText implements encoding.TextMarshaler.
func (p Pattern) MarshalText() ([]byte, error) {
	if p.M == 0 {
		return nil, nil
	}
	return []byte(p.String()), nil
}

func (p Pattern) String() string { return fmt.Sprintf("%d:%d", p.N, p.M) }

// On reports whether the pattern removes elements.
func (p Pattern) On() bool { return p.M > 0 }

// Within reports whether hardware for q can execute p: for the same M, p keeps no more than q.
func (p Pattern) Within(q Pattern) bool { return !p.On() || q.M == p.M && p.N <= q.N }

// unit is that of elements of a type of which the pattern leaves some out: the fewest
// groups that are whole bytes.
func (p Pattern) unit(d DType) Unit {
	width := int64(p.N) * (d.Bits() + int64(bits.TrailingZeros(uint(p.M))))
	groups := int64(1)
	for groups*width%8 > 0 {
		groups *= 2
	}
	return Unit{groups * int64(p.M), groups * width / 8}
}

// Unit returns the smallest number of elements of the tensor that fills whole bytes.
func (t *Tensor) Unit() Unit {
	if t.Sparse.On() {
		return t.Sparse.unit(t.DType)
	}
	return t.DType.Unit()
}

// grouped reports whether elements lie in blocks or groups, which rows begin with.
func (t *Tensor) grouped() bool { return t.DType.Blocked() || t.Sparse.On() }

// SetSparsity sets the pattern of the weights of matrix products whose names match, and returns
// their number. It is an error if the length of a weight's sums is not a multiple of the group, or
// the weight has a block format.
func (g *Graph) SetSparsity(p Pattern, match func(name string) bool) (n int, err error) {
	for i := range g.Ops {
		op := &g.Ops[i]
		m, ok := op.Matrix()
		if !ok || len(op.In) < 2 || op.In[1] == None {
			continue
		}
		t := &g.Tensors[op.In[1]]
		if t.Role != Weight || !match(t.Name) || t.Sparse == p {
			continue
		}
		if t.DType.Blocked() {
			return n, fmt.Errorf("%s: weights of %s cannot be sparse by a pattern too (want a plain type)", t.Name, t.DType)
		}
		if m.K%int64(p.M) != 0 || t.Elements()%m.K != 0 {
			return n, fmt.Errorf("%s: sums of %d elements are no whole groups of %s", t.Name, m.K, p)
		}
		t.Sparse, t.Along = p, m.K
		n++
	}
	return n, nil
}

// Sparsity is the pattern of the weights of an operator.
func (g *Graph) Sparsity(op *Op) Pattern {
	if _, ok := op.Matrix(); !ok || len(op.In) < 2 || op.In[1] == None {
		return Pattern{}
	}
	return g.Tensors[op.In[1]].Sparse
}
