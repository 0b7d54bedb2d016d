package schedule

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Footprint is the room that an operator takes on the chip, in bytes: what an offline
// profile of a network says of it.
type Footprint struct {
	Weights uint64 // while it is issued, whatever the number of requests
	Held    uint64 // of a request before it: its inputs, and what later operators read
	Need    uint64 // of a request besides, from when it is issued: its results
	Free    uint64 // of a request that is not read again when it is done
	Alone   bool   // data of a single request go through in pieces: they take all the room
}

// Batch is how many requests an operator takes at a time into a memory of so many bytes
// that holds nothing else: floor((M - W) / (I + O)), one where the data of one do not fit.
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

// Profile is the footprints of the jobs of a graph, each a list of operators, carried out
// in their order, and which tensors stay on the chip from the job that makes them to the
// last that reads them. An operator's weights take at most so much room: more pass through
// in pieces. Where one request does not fit besides them, its greatest tensors do not stay:
// they go through memory, and take no room.
//
// An elementwise operator or a normalization writes its result over an operand that is not
// read again. Inputs of the network and its results take room while the job that reads or makes them
// is carried out; caches of keys and values stay in memory.
func Profile(g *graph.Graph, jobs [][]int, memory, weights uint64) (feet []Footprint, kept []bool) {
	root := make([]graph.TensorID, len(g.Tensors)) // of views
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
	type life struct{ made, first, last int } // jobs; made -1: no job makes it
	lives := make([]life, len(g.Tensors))
	for i := range lives {
		lives[i] = life{-1, -1, -1}
	}
	feet = make([]Footprint, len(jobs))
	counts := func(id graph.TensorID) bool {
		return id != graph.None && g.Tensors[root[id]].Role != graph.Weight && g.Tensors[root[id]].Role != graph.KV
	}
	for j, ops := range jobs {
		for _, i := range ops {
			op := &g.Ops[i]
			feet[j].Weights += uint64(g.Footprint(op).WeightBytes)
			for _, id := range op.In {
				if counts(id) {
					l := &lives[root[id]]
					if l.first < 0 {
						l.first = j
					}
					l.last = j
				}
			}
			for _, id := range op.Out {
				if counts(id) {
					lives[root[id]].made = j
				}
			}
		}
		feet[j].Weights = min(feet[j].Weights, weights)
	}
	result := make([]bool, len(g.Tensors))
	for i := range g.Tensors {
		if g.Tensors[i].Role == graph.Output {
			result[root[i]] = true
		}
	}
	stays := make([]bool, len(g.Tensors)) // by root
	for i := range lives {
		l := lives[i]
		stays[i] = l.made >= 0 && l.last > l.made && !result[i]
	}
	size := func(i int) uint64 { return uint64(g.Tensors[i].Bytes()) }
	live := func(j int) (sum uint64) { // of one request while job j is carried out
		for i := range lives {
			l := lives[i]
			if stays[i] && l.made <= j && j <= l.last {
				sum += size(i)
			}
		}
		return sum
	}
	for j := range jobs { // as if nothing were written in place
		for feet[j].Weights+live(j) > memory {
			greatest := -1
			for i, l := range lives {
				if stays[i] && l.made <= j && j <= l.last && (greatest < 0 || size(i) > size(greatest)) {
					greatest = i
				}
			}
			if greatest < 0 {
				break
			}
			stays[greatest] = false
		}
	}
	for j := range jobs {
		f := &feet[j]
		passing := uint64(0) // inputs and results, which come from and go to memory
		for i, l := range lives {
			if stays[i] {
				switch {
				case l.made == j:
					f.Need += size(i)
				case l.made < j && j <= l.last:
					f.Held += size(i)
				}
				if l.last == j {
					f.Free += size(i)
				}
			} else if l.made == j || l.made < 0 && l.first >= 0 && l.first <= j && j <= l.last && slices.ContainsFunc(jobs[j], func(op int) bool { return reads(g, op, root, i) }) {
				passing += size(i)
			}
		}
		if r := inPlace(g, jobs[j], *f, root, func(i int) bool { return stays[i] && lives[i].last == j }); r > 0 {
			f.Need -= r
			f.Free -= r
		}
		// What passes takes room besides what stays; where there is too little, it goes in
		// pieces through all that is left, and another request finds none.
		if left := memory - min(memory, f.Weights+f.Held+f.Need); passing > 0 {
			f.Need += min(passing, left)
			f.Free += min(passing, left)
			f.Alone = passing > left
		}
	}
	kept = make([]bool, len(g.Tensors))
	for i := range kept {
		kept[i] = stays[root[i]]
	}
	return feet, kept
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
