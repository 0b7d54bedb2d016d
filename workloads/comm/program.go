package comm

import (
	"fmt"
	"slices"
)

// A Program is the operations of a set of ranks.
type Program struct {
	Ranks []Rank
	// Groups are the communicators: the ranks of each, in its own order. Group 0
	// is all ranks.
	Groups [][]int32
	// Parts is the number of repetitions in the program: the steps of a pattern, of a ping_pong
	// both directions of each step; 0 is 1.
	Parts int
}

// A Rank is the operations of one rank and what each waits for.
type Rank struct {
	ops   []Op
	deps  []Dep
	edges []edge   // of a rank that is being built
	names []string // of operations, where the source has names
}

type edge struct {
	op  uint32
	dep Dep
}

// MaxOps bounds the operations of one rank; Dep has 31 bits for them.
const MaxOps = 1 << 30

// NewProgram returns a program of n ranks without operations.
func NewProgram(n int) *Program {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	return &Program{Ranks: make([]Rank, n), Groups: [][]int32{all}}
}

// Group returns the index of the group of these ranks, and adds the group if it is new.
func (p *Program) Group(members []int32) int32 {
	for i, g := range p.Groups {
		if slices.Equal(g, members) {
			return int32(i)
		}
	}
	p.Groups = append(p.Groups, slices.Clone(members))
	return int32(len(p.Groups) - 1)
}

// Len is the number of operations.
func (r *Rank) Len() int { return len(r.ops) }

// Op is operation i.
func (r *Rank) Op(i int) *Op { return &r.ops[i] }

// Deps returns the dependencies of operation i. The rank must be sealed.
func (r *Rank) Deps(i int) []Dep {
	from := uint32(0)
	if i > 0 {
		from = r.ops[i-1].end
	}
	return r.deps[from:r.ops[i].end]
}

// Name is the name of operation i in its source; "" if it has none.
func (r *Rank) Name(i int) string {
	if i >= len(r.names) {
		return ""
	}
	return r.names[i]
}

// Add appends an operation and returns its index.
func (r *Rank) Add(o Op, deps ...Dep) int {
	i := len(r.ops)
	r.ops = append(r.ops, o)
	for _, d := range deps {
		r.Require(i, d)
	}
	return i
}

// Extend appends an operation without dependencies to a sealed rank.
func (r *Rank) Extend(o Op) int {
	o.end = uint32(len(r.deps))
	r.ops = append(r.ops, o)
	return len(r.ops) - 1
}

// Require adds the dependency d to operation i; d may be on a later operation.
func (r *Rank) Require(i int, d Dep) { r.edges = append(r.edges, edge{uint32(i), d}) }

// SetName gives operation i a name for messages.
func (r *Rank) SetName(i int, name string) {
	for len(r.names) <= i {
		r.names = append(r.names, "")
	}
	r.names[i] = name
}

// Seal ends the building of a rank: it sorts the dependencies, and returns an error for a cycle.
func (r *Rank) Seal() error {
	slices.SortFunc(r.edges, func(a, b edge) int {
		if a.op != b.op {
			return int(a.op) - int(b.op)
		}
		return int(a.dep) - int(b.dep)
	})
	r.edges = slices.Compact(r.edges)
	r.deps = make([]Dep, 0, len(r.edges))
	k := 0
	for i := range r.ops {
		for ; k < len(r.edges) && int(r.edges[k].op) == i; k++ {
			r.deps = append(r.deps, r.edges[k].dep)
		}
		r.ops[i].end = uint32(len(r.deps))
	}
	r.edges = nil
	return r.acyclic()
}

// acyclic looks for an operation that waits for itself. Most ranks depend on
// earlier operations only, which is seen in one pass.
func (r *Rank) acyclic() error {
	forward := false
	for i := range r.ops {
		for _, d := range r.Deps(i) {
			if d.Op() >= len(r.ops) {
				return fmt.Errorf("operation %d waits for operation %d, which does not exist", i, d.Op())
			}
			forward = forward || d.Op() >= i
		}
	}
	if !forward {
		return nil
	}
	const onPath, done = 1, 2
	state := make([]uint8, len(r.ops))
	type frame struct{ op, dep int }
	var path []frame
	for root := range r.ops {
		if state[root] == done {
			continue
		}
		path = append(path[:0], frame{op: root})
		state[root] = onPath
		for len(path) > 0 {
			f := &path[len(path)-1]
			deps := r.Deps(f.op)
			if f.dep == len(deps) {
				state[f.op] = done
				path = path[:len(path)-1]
				continue
			}
			next := deps[f.dep].Op()
			f.dep++
			switch state[next] {
			case onPath:
				return fmt.Errorf("%s waits for itself", r.label(next))
			case 0:
				state[next] = onPath
				path = append(path, frame{op: next})
			}
		}
	}
	return nil
}

func (r *Rank) label(i int) string {
	if n := r.Name(i); n != "" {
		return fmt.Sprintf("operation %d (%s)", i, n)
	}
	return fmt.Sprintf("operation %d (%s)", i, &r.ops[i])
}

// Label describes operation i, for messages.
func (r *Rank) Label(i int) string { return r.label(i) }

// Check returns an error for operations that no player can execute: with a rank that does not
// exist, or a collective of a group without the rank.
func (p *Program) Check() error {
	for i, g := range p.Groups {
		for _, r := range g {
			if r < 0 || int(r) >= len(p.Ranks) {
				return fmt.Errorf("group %d: there is no rank %d (want 0 to %d)", i, r, len(p.Ranks)-1)
			}
		}
	}
	for n := range p.Ranks {
		r := &p.Ranks[n]
		for i := range r.ops {
			o := &r.ops[i]
			if o.Kind != Send && o.Kind != Recv && o.Kind != Collective {
				continue
			}
			if o.Group < 0 || int(o.Group) >= len(p.Groups) {
				return fmt.Errorf("rank %d: %s: there is no group %d", n, r.label(i), o.Group)
			}
			g := p.Groups[o.Group]
			low := int32(0)
			if o.Kind == Recv {
				low = AnySource
			}
			if o.Peer < low || int(o.Peer) >= len(p.Ranks) {
				return fmt.Errorf("rank %d: %s: there is no rank %d (want 0 to %d)", n, r.label(i), o.Peer, len(p.Ranks)-1)
			}
			if o.Group != 0 && !slices.Contains(g, int32(n)) {
				return fmt.Errorf("rank %d: %s: the rank is not in the group", n, r.label(i))
			}
		}
	}
	return nil
}
