package mapping

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/walk"
	"github.com/causeway-sim/causeway/components/integer"
)

// Estimate is how many cycles the plan takes alone on its core: its first steps are walked,
// and those after them take as long for their work and their bytes. An attention of more steps, of
// which the later ones see more keys, takes what the closed form says. It is what a run says of
// a layer that has too many steps for it.
func (p *Plan) Estimate() int64 {
	if !p.Matrix || p.own != nil || p.attn != nil && p.Steps > walk.Most {
		return p.Time
	}
	cycles, work, bytes := walk.Run(p.Walk(), walk.Engine{Mem: &p.tiles.H.Mem, Kept: p.tiles.Kept}, walk.Most, machine.Overflow)
	if p.Steps <= walk.Most {
		return cycles
	}
	share := 0.0
	if work > 0 {
		share += float64(p.Cycles) / float64(work) / 2
	}
	if bytes > 0 {
		share += float64(p.Traffic.Total()) / float64(bytes) / 2
	}
	return int64(float64(cycles) * share)
}

// without is how many cycles the plan takes alone on a core, without the transfers of results that stay.
func (p *Plan) without(r *Residents, core *machine.Core) int64 {
	x := walk.Engine{Mem: &core.Memory}
	if r != nil {
		x.Stays = r.Stays
	}
	cycles, work, _ := walk.Run(p.Walk(), x, walk.Most, machine.Overflow)
	if p.Steps <= walk.Most || work == 0 {
		return cycles
	}
	return int64(float64(cycles) * float64(p.Cycles) / float64(work))
}

// requests is how many requests the transfers of a plan take. Of a plan of many steps the first are
// counted, and the others taken as them.
func (p *Plan) requests(m *machine.Memory) (n int64) {
	w, st := p.Walk(), dma.Step{}
	steps := int64(0)
	for steps < walk.Most && w.Next(&st) {
		steps++
		for _, list := range [][]dma.Transfer{st.Loads, st.Stores} {
			for i := range list {
				t := list[i].Contiguous()
				n += m.Requests(t.Rows*t.Planes, t.RowBytes)
			}
		}
	}
	if p.Steps > steps {
		n = integer.Scale(n, p.Steps, max(steps, 1))
	}
	return n
}

// LoadTime is how many cycles the memory is busy with loads of the plan, at the share of its
// bandwidth that the core has while others use it too.
func (p *Plan) LoadTime(loads []dma.Transfer) (cycles int64) {
	if p.tiles.H == nil {
		return 0
	}
	for i := range loads {
		t := loads[i].Contiguous()
		cycles += p.tiles.H.Mem.Busy(t.Bytes(), p.tiles.H.Mem.Requests(t.Rows*t.Planes, t.RowBytes))
	}
	return cycles
}

// Latency is the cycles from a request of the plan to its answer in an idle memory.
func (p *Plan) Latency() int64 {
	if p.tiles.H == nil {
		return 0
	}
	return p.tiles.H.Mem.Latency
}
