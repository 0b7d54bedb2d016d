package mapping

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/tile"
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

// A residency is a result that could stay on the chip from the job that makes it (from) to the job that
// reads it last (to).
type residency struct {
	id       graph.TensorID
	from, to int32
	bytes    int64
}

// keepResults fills in what the programs of cores with OnChip keep. A result may stay
// where its readers are: on the core that alone makes and reads it, or, where operators
// are shared out so that no core reads what another made, its part on each of them. Those
// made earlier come first; a job's room is what two tiles of each operand leave free of
// the three buffers. A result may lie in several of them.
func keepResults(g *graph.Graph, programs []Program, cores []machine.Core, sliced bool) {
	who := makers(g, programs, sliced)
	for c := range programs {
		if cores[c].OnChip == machine.KeepNone {
			continue
		}
		p := &programs[c]
		if a := newAllocation(g, p, cores[c].SRAM, who, sliced); a != nil {
			a.inOrder()
			p.Residents = a.residents()
		}
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

// An allocation decides which results stay during a program.
//
// Of a batch in slices the jobs of one stand for those of all: results of a slice stay until the last
// operator of the slice, and those that go on to the whole batch do not.
type allocation struct {
	jobs   []int // places in the program, in order
	life   *graph.Lifetimes
	could  []residency // results that may stay, those made earlier first
	room   []int64     // bytes that two tiles of each operand leave free, by job
	free   []int64     // of these, what no result takes
	stays  []bool      // by tensor, of could
	spills []bool      // the same
}

// newAllocation is one in which nothing stays yet; nil where jobs are in no order in which results
// could stay.
func newAllocation(g *graph.Graph, p *Program, s machine.SRAM, who []int, sliced bool) *allocation {
	a := &allocation{stays: make([]bool, len(g.Tensors)), spills: make([]bool, len(g.Tensors))}
	order := [][]int{} // nil would be that of the graph
	for i := range p.Jobs {
		if !sliced || p.Jobs[i].Part == 0 {
			a.jobs, order = append(a.jobs, i), append(order, p.Jobs[i].All())
			a.room = append(a.room, p.Jobs[i].Plan.room(s))
		}
	}
	a.free = slices.Clone(a.room)
	var err error
	if a.life, err = g.Lifetimes(order); err != nil {
		return nil
	}
	same := sameCore(g, a.life, who)
	for i := range g.Tensors {
		id := graph.TensorID(i)
		from, to, ok := a.life.Span(id)
		x := &a.life.Of[i]
		if !ok || x.Before || x.After || x.Last <= x.Born || !same[i] {
			continue
		}
		bytes := min(x.Bytes, p.Jobs[a.jobs[from]].Plan.Traffic.Output) // of this core
		a.could = append(a.could, residency{id, from, to, bytes})
	}
	slices.SortStableFunc(a.could, func(a, b residency) int { return cmp.Compare(a.from, b.from) })
	return a
}

// room is what two tiles of each operand leave free of the buffers.
func (p *Plan) room(s machine.SRAM) int64 {
	ifmap, filter, ofmap := p.Footprint()
	return max(0, int64(s.Ifmap)-2*ifmap) + max(0, int64(s.Filter)-2*filter) + max(0, int64(s.Ofmap)-2*ofmap)
}

// inOrder keeps each result for which there is room left, those made earlier first.
func (a *allocation) inOrder() {
	for _, x := range a.could {
		if slices.Min(a.free[x.from:x.to+1]) < x.bytes {
			a.spills[x.id] = true
		} else {
			a.keep(x)
		}
	}
}

// keep takes the room of a result.
func (a *allocation) keep(x residency) {
	for i := x.from; i <= x.to; i++ {
		a.free[i] -= x.bytes
	}
	a.stays[x.id], a.spills[x.id] = true, false
}

// residents are the results that stay, with their views.
func (a *allocation) residents() *Residents {
	r := &Residents{Stays: slices.Clone(a.stays), Spills: slices.Clone(a.spills)}
	for i := range a.room {
		r.Peak = max(r.Peak, a.room[i]-a.free[i])
	}
	for i := range r.Stays { // views are their storage
		root := a.life.Of[i].Storage
		r.Stays[i], r.Spills[i] = a.stays[root], a.spills[root]
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
		return p.attn.A.Footprint(p.attn.Loop.BR, p.attn.Loop.BC, p.attn.Loop.Resident)
	case p.own != nil:
		return p.own.Footprint[dma.Ifmap], p.own.Footprint[dma.Filter], p.own.Footprint[dma.Ofmap]
	case p.Matrix:
		c := &p.tiles.Sol.C
		return tile.FootprintOf(p.tiles.S, c.BT, c.M, c.N.Size, c.K.Size)
	case p.work == nil:
		return 0, 0, 0
	}
	need := p.work.Need()
	return need[dma.Ifmap], need[dma.Filter], need[dma.Ofmap]
}
