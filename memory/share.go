package memory

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A life is what has to be over before the memory of a tensor is free.
type life struct {
	made int   // operator that writes it, -1 if it is there from the start
	from int   // operator that may write it already: see head
	also []int // the same of the other parts of what operators write part by part
	uses []int // operators that read it, those of its aliases included
}

// head is the operator that may do the work of op on the way: an elementwise
// operator or a norm can be fused into what made its first operand, and then
// writes its result while that one still reads.
func head(g *graph.Graph, op int, made []int) int {
	for {
		o := &g.Ops[op]
		if !o.Replaces() {
			return op
		}
		if len(o.In) == 0 || o.In[0] == graph.None || made[o.In[0]] < 0 {
			return op
		}
		op = made[o.In[0]]
	}
}

// lives finds the operators around each tensor. same is what Storage returned.
func lives(g *graph.Graph, same []graph.Stored) []life {
	out := make([]life, len(g.Tensors))
	made := make([]int, len(g.Tensors)) // of aliases too
	for i := range out {
		out[i].made, made[i] = -1, -1
	}
	for i := range g.Ops {
		from := head(g, i, made)
		for _, t := range g.Ops[i].Out {
			made[t] = i
			root := &out[same[t].In]
			switch {
			case root.made < 0 && (same[t].In == t || same[t].Part):
				root.made, root.from = i, from
			case same[t].Part:
				root.also = append(root.also, from)
				fallthrough
			default:
				root.uses = append(root.uses, i)
			}
		}
		for _, t := range g.Ops[i].In {
			if t != graph.None {
				out[same[t].In].uses = append(out[same[t].In].uses, i)
			}
		}
	}
	return out
}

// ancestry is, by operator, the operators that it depends on, directly or not.
type ancestry [][]uint64

// maxOps bounds the operators of a graph whose activations share memory: the
// ancestry of that many takes 32 MiB.
const maxOps = 1 << 14

func newAncestry(g *graph.Graph) ancestry {
	words := (len(g.Ops) + 63) / 64
	all := make([]uint64, words*len(g.Ops))
	out := make(ancestry, len(g.Ops))
	made := make([]int, len(g.Tensors))
	for i := range made {
		made[i] = -1
	}
	for i := range g.Ops {
		row := all[i*words : (i+1)*words]
		for _, t := range g.Ops[i].In {
			if t == graph.None || made[t] < 0 {
				continue
			}
			p := made[t]
			row[p/64] |= 1 << (p % 64)
			for w, x := range out[p] {
				row[w] |= x
			}
		}
		out[i] = row
		for _, t := range g.Ops[i].Out {
			made[t] = i
		}
	}
	return out
}

// waits reports whether op cannot start before p is done.
func (a ancestry) waits(op, p int) bool { return a[op][p/64]>>(p%64)&1 == 1 }

// over reports whether a tensor is done with before op starts, in every order
// that the data allow.
func (a ancestry) over(l life, op int) bool {
	if !a.waits(op, l.made) {
		return false
	}
	for _, u := range l.uses {
		if !a.waits(op, u) {
			return false
		}
	}
	return true
}

// A block is memory that a tensor takes within an arena.
type block struct {
	from, to uint64
	life     life
}

// arena packs the activations of a graph that live in one tier.
type arena struct {
	ancestry ancestry
	blocks   []block
	busy     []block // scratch
}

// put returns the lowest aligned offset at which n bytes are free when the
// operator that writes the tensor of l starts.
func (a *arena) put(n uint64, l life) (offset uint64) {
	a.busy = a.busy[:0]
	for _, b := range a.blocks {
		free := a.ancestry.over(b.life, l.from)
		for _, from := range l.also {
			free = free && a.ancestry.over(b.life, from)
		}
		if !free {
			a.busy = append(a.busy, b)
		}
	}
	slices.SortFunc(a.busy, func(x, y block) int { return cmp.Compare(x.from, y.from) })
	for _, b := range a.busy {
		if offset+n <= b.from {
			break
		}
		if b.to > offset {
			offset = (b.to + Align - 1) &^ (Align - 1)
		}
	}
	a.blocks = append(a.blocks, block{offset, offset + n, l})
	return offset
}
