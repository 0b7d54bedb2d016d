package schedule

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Footprint is the on-chip memory that an operator needs, in bytes, as in an offline profile of
// a network.
type Footprint struct {
	Weights uint64 // while it is issued, for any number of requests
	Held    uint64 // per request before it: its inputs, and data that later operators read
	Need    uint64 // per request in addition, from its issue on: its results
	Free    uint64 // per request, not read again when it is done
	Alone   bool   // the data of one request do not fit and pass through in pieces: they take all the memory
}

// Batch returns how many requests of an operator fit into an empty memory of that size: floor((M -
// W) / (I + O)), or one if the data of one request do not fit.
func (f Footprint) Batch(memory uint64) int {
	if memory < f.Weights {
		return 0
	}
	if f.Alone {
		return 1
	}
	if f.Held+f.Need == 0 {
		return 1 << 20
	}
	return int(min((memory-f.Weights)/(f.Held+f.Need), 1<<20))
}

// Profile returns the footprints of the jobs of a graph, executed in order (a job is a list of
// operators), and which tensors stay on the chip from the job that writes them to the last job
// that reads them. memory is the size of the chip's memory in bytes. The weights of an operator
// take at most weights bytes; larger weights pass through in pieces. If one request does not fit
// beside the weights, its largest tensors go through memory and take no room.
//
// An elementwise operator or a normalization overwrites an operand that is not read again. Inputs
// and outputs of the network take room during the job that reads or writes them; caches of keys
// and values stay in memory.
func Profile(g *graph.Graph, jobs [][]int, memory, weights uint64) (feet []Footprint, kept []bool) {
	s := lifetimesOf(g, jobs)
	feet = make([]Footprint, len(jobs))
	for j, ops := range jobs {
		for _, i := range ops {
			feet[j].Weights += uint64(g.Footprint(&g.Ops[i]).WeightBytes)
		}
		feet[j].Weights = min(feet[j].Weights, weights)
	}
	for j := range jobs { // as if nothing were written in place
		for feet[j].Weights+s.live(j) > memory && s.drop(j) {
		}
	}
	for j := range jobs {
		s.footprint(&feet[j], j, memory)
	}
	kept = make([]bool, len(g.Tensors))
	for i := range kept {
		kept[i] = s.stays[s.root[i]]
	}
	return feet, kept
}

// A lifetime is the jobs that make and read a tensor; -1: none.
type lifetime struct{ made, first, last int }

// covers reports whether a tensor is live during job j.
func (l lifetime) covers(j int) bool { return l.made <= j && j <= l.last }

// lifetimes are the jobs of the tensors of a graph, by tensor, and which of the tensors stay on
// the chip. A view has those of the tensor that it shows.
type lifetimes struct {
	g     *graph.Graph
	jobs  [][]int
	root  []graph.TensorID // the tensor that a view shows, itself for others
	of    []lifetime
	stays []bool
}

func lifetimesOf(g *graph.Graph, jobs [][]int) *lifetimes {
	s := &lifetimes{g: g, jobs: jobs, root: rootsOf(g), of: make([]lifetime, len(g.Tensors)), stays: make([]bool, len(g.Tensors))}
	for i := range s.of {
		s.of[i] = lifetime{-1, -1, -1}
	}
	for j, ops := range jobs {
		for _, i := range ops {
			s.add(j, &g.Ops[i])
		}
	}
	result := make([]bool, len(g.Tensors))
	for i := range g.Tensors {
		if g.Tensors[i].Role == graph.Output {
			result[s.root[i]] = true
		}
	}
	for i, l := range s.of {
		s.stays[i] = l.made >= 0 && l.last > l.made && !result[i]
	}
	return s
}

// rootsOf finds the tensor that each view shows.
func rootsOf(g *graph.Graph) []graph.TensorID {
	root := make([]graph.TensorID, len(g.Tensors))
	for i := range root {
		root[i] = graph.TensorID(i)
	}
	for i := range g.Ops {
		op := &g.Ops[i]
		if m, ok := op.Kind.(graph.Move); ok && m.Elements == 0 && len(op.In) > 0 && op.In[0] != graph.None {
			for _, id := range op.Out {
				root[id] = root[op.In[0]]
			}
		}
	}
	return root
}

// add records the operands and results of an operator of a job, without weights and caches.
func (s *lifetimes) add(job int, op *graph.Op) {
	counts := func(id graph.TensorID) bool {
		return id != graph.None && s.g.Tensors[s.root[id]].Role != graph.Weight && s.g.Tensors[s.root[id]].Role != graph.KV
	}
	for _, id := range op.In {
		if counts(id) {
			l := &s.of[s.root[id]]
			if l.first < 0 {
				l.first = job
			}
			l.last = job
		}
	}
	for _, id := range op.Out {
		if counts(id) {
			s.of[s.root[id]].made = job
		}
	}
}

func (s *lifetimes) size(tensor int) uint64 { return uint64(s.g.Tensors[tensor].Bytes()) }

// live is the bytes of tensors of one request that stay during job j.
func (s *lifetimes) live(j int) (sum uint64) {
	for i, l := range s.of {
		if s.stays[i] && l.covers(j) {
			sum += s.size(i)
		}
	}
	return sum
}

// drop sends the greatest of those tensors through memory; false: there is none.
func (s *lifetimes) drop(j int) bool {
	greatest := -1
	for i, l := range s.of {
		if s.stays[i] && l.covers(j) && (greatest < 0 || s.size(i) > s.size(greatest)) {
			greatest = i
		}
	}
	if greatest >= 0 {
		s.stays[greatest] = false
	}
	return greatest >= 0
}

// footprint fills in the room of one request in job j.
func (s *lifetimes) footprint(f *Footprint, j int, memory uint64) {
	passing := uint64(0) // inputs and results, which come from and go to memory
	for i, l := range s.of {
		switch size := s.size(i); {
		case !s.stays[i]:
			if s.passes(i, j) {
				passing += size
			}
			continue
		case l.made == j:
			f.Need += size
		case l.covers(j):
			f.Held += size
		}
		if l.last == j {
			f.Free += s.size(i)
		}
	}
	r := inPlace(s.g, s.jobs[j], *f, s.root, func(i int) bool { return s.stays[i] && s.of[i].last == j })
	f.Need -= r
	f.Free -= r
	// What passes takes room besides what stays; where there is too little, it goes in
	// pieces through all that is left, and another request finds none.
	if left := memory - min(memory, f.Weights+f.Held+f.Need); passing > 0 {
		f.Need += min(passing, left)
		f.Free += min(passing, left)
		f.Alone = passing > left
	}
}

// passes reports whether job j reads or makes a tensor that does not stay. Of tensors that a job
// makes only that job counts.
func (s *lifetimes) passes(tensor, j int) bool {
	l := s.of[tensor]
	if l.made == j {
		return true
	}
	return l.made < 0 && l.first >= 0 && l.first <= j && j <= l.last &&
		slices.ContainsFunc(s.jobs[j], func(op int) bool { return reads(s.g, op, s.root, tensor) })
}

// inPlace is how many bytes of results take the place of an operand: an elementwise
// operator or a normalization writes over one that is not read again.
func inPlace(g *graph.Graph, job []int, f Footprint, root []graph.TensorID, ends func(tensor int) bool) (n uint64) {
	if len(job) != 1 {
		return 0
	}
	op := &g.Ops[job[0]]
	if !op.Replaces() {
		return 0
	}
	for _, id := range op.In {
		if id != graph.None && ends(int(root[id])) {
			n = max(n, uint64(g.Tensors[root[id]].Bytes()))
		}
	}
	return min(n, f.Need, f.Free)
}

// reads reports whether an operator reads a tensor or a view of it.
func reads(g *graph.Graph, op int, root []graph.TensorID, tensor int) bool {
	return slices.ContainsFunc(g.Ops[op].In, func(id graph.TensorID) bool { return id != graph.None && int(root[id]) == tensor })
}
