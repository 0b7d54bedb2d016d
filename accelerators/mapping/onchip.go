package mapping

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Residents are the results of a program that stay on the chip: from the job that makes
// them to the last one that reads them they take room in the buffers besides the tiles of
// the jobs between.
type Residents struct {
	Stays  []bool // by tensor, views included: nothing of it goes through memory
	Spills []bool // by tensor: it could have stayed, and there is no room
	Peak   int64  // most bytes that stay at a time
}

// A sojourn is a result that could stay: made by job from, read last by job to.
type sojourn struct {
	id       graph.TensorID
	from, to int32
	bytes    int64
}

// keepResults fills in what the programs of cores with OnChip keep. A result may stay
// where its readers are: on the core that alone makes and reads it, or, where operators
// are shared out so that no core reads what another made, its part on each of them. Those
// made earlier come first; a job's room is what two tiles of each operand leave free of
// the three buffers. A result may lie in several of them.
//
// Of a batch in slices the jobs of one stand for those of all: results of a slice stay until the last
// operator of the slice, and those that go on to the whole batch do not.
func keepResults(g *graph.Graph, programs []Program, cores []Core, sliced bool) {
	who := makers(g, programs, sliced)
	for c := range programs {
		if cores[c].OnChip == KeepNone {
			continue
		}
		p := &programs[c]
		jobs := p.Jobs
		if sliced {
			jobs = slices.DeleteFunc(slices.Clone(jobs), func(j Job) bool { return j.Part > 0 })
		}
		order := make([][]int, len(jobs))
		for i := range jobs {
			order[i] = jobs[i].All()
		}
		life, err := g.Lifetimes(order)
		if err != nil {
			continue // the jobs are in no order in which results could stay
		}
		p.Residents = allocate(g, jobs, life, cores[c].SRAM, who)
	}
}

// Who carries out an operator, in makers: a core (its number), or
const (
	together = -1 - iota // several, each what others made
	apart                // several, each its own part
	nobody
)

// makers is who carries out each operator. Where the batch is in slices, operators of the whole batch
// count as another core's.
func makers(g *graph.Graph, programs []Program, sliced bool) []int {
	who := make([]int, len(g.Ops))
	for i := range who {
		who[i] = nobody
	}
	for c := range programs {
		for i := range programs[c].Jobs {
			j := &programs[c].Jobs[i]
			for _, op := range j.All() {
				switch {
				case sliced && j.Part > 0:
					who[op] = c + len(programs)
				case who[op] == nobody:
					who[op] = c
				case j.Local && who[op] != together:
					who[op] = apart
				default:
					who[op] = together
				}
			}
		}
	}
	return who
}

// allocate decides which results stay.
func allocate(g *graph.Graph, jobs []Job, life *graph.Lifetimes, s SRAM, who []int) *Residents {
	r := &Residents{Stays: make([]bool, len(g.Tensors)), Spills: make([]bool, len(g.Tensors))}
	room := make([]int64, len(jobs))
	for i := range jobs {
		ifmap, filter, ofmap := jobs[i].Plan.Footprint()
		room[i] = max(0, int64(s.Ifmap)-2*ifmap) + max(0, int64(s.Filter)-2*filter) + max(0, int64(s.Ofmap)-2*ofmap)
	}
	free := slices.Clone(room)
	same := sameCore(g, life, who)
	var all []sojourn
	for i := range g.Tensors {
		id := graph.TensorID(i)
		from, to, ok := life.Span(id)
		x := &life.Of[i]
		if !ok || x.Before || x.After || x.Last <= x.Born || !same[i] {
			continue
		}
		bytes := min(x.Bytes, jobs[from].Plan.Traffic.Output) // of this core
		all = append(all, sojourn{id, from, to, bytes})
	}
	slices.SortStableFunc(all, func(a, b sojourn) int { return cmp.Compare(a.from, b.from) })
	for _, x := range all {
		during := free[x.from : x.to+1]
		if slices.Min(during) < x.bytes {
			r.Spills[x.id] = true
			continue
		}
		for i := range during {
			during[i] -= x.bytes
		}
		r.Stays[x.id] = true
	}
	for i := range room {
		r.Peak = max(r.Peak, room[i]-free[i])
	}
	for i := range r.Stays { // views are their storage
		root := life.Of[i].Storage
		r.Stays[i], r.Spills[i] = r.Stays[root], r.Spills[root]
	}
	return r
}

// sameCore says of each tensor whether one core makes and reads it, or each core makes and
// reads its own part of it.
func sameCore(g *graph.Graph, life *graph.Lifetimes, who []int) []bool {
	by := make([]int, len(g.Tensors))
	for i := range by {
		by[i] = nobody
	}
	for i := range g.Ops {
		if who[i] == nobody { // a view
			continue
		}
		for _, ids := range [][]graph.TensorID{g.Ops[i].In, g.Ops[i].Out} {
			for _, id := range ids {
				if id == graph.None {
					continue
				}
				root := life.Of[id].Storage
				if by[root] == nobody {
					by[root] = who[i]
				} else if by[root] != who[i] {
					by[root] = together
				}
			}
		}
	}
	same := make([]bool, len(g.Tensors))
	for i := range same {
		same[i] = by[i] != together && by[i] != nobody
	}
	return same
}

// Footprint is the bytes that one tile of the plan takes in each buffer; two are there at
// a time.
func (p *Plan) Footprint() (ifmap, filter, ofmap int64) {
	switch {
	case p.attn != nil:
		return p.attn.a.footprint(p.attn.loop.br, p.attn.loop.bc, p.attn.loop.resident)
	case p.own != nil:
		return p.own.Footprint[Ifmap], p.own.Footprint[Filter], p.own.Footprint[Ofmap]
	case p.Matrix:
		c := &p.sol.c
		return p.s.footprint(c.bt, c.m, c.n.size, c.k.size)
	case p.work == nil:
		return 0, 0, 0
	}
	need := p.work.need()
	return need[Ifmap], need[Filter], need[Ofmap]
}
