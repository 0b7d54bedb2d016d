package systolic

import (
	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// OnChip is what a core keeps in its buffers between operators: none, outputs or all, the
// values of mapping.OnChip.
type OnChip string

var onChip = []string{machine.KeepNone: "none", machine.KeepOutputs: "outputs", machine.KeepAll: "all"}

// UnmarshalText implements encoding.TextUnmarshaler; Check looks the name up.
func (o *OnChip) UnmarshalText(b []byte) error { *o = OnChip(b); return nil }

// ConfigValues lists the names, for schemas and messages.
func (OnChip) ConfigValues() []string { return onChip }

// keeps is the value as the mapper knows it; ok is false for an unknown name.
func (o OnChip) keeps() (k machine.OnChip, ok bool) {
	for i, name := range onChip {
		if name == string(o) {
			return machine.OnChip(i), true
		}
	}
	return 0, o == ""
}

// residents is what of the tensors stays on the chip; nil where nothing does. Operators
// that are issued during the run may be carried out by other cores in between.
func (j *job) residents() *mapping.Residents {
	if !j.issued.Ahead {
		return nil
	}
	return j.share.Program.Residents
}

// steps walks over the steps of the layer, without what stays on the chip.
func (l *layer) steps() walker {
	w := l.job.steps()
	if r := l.job.residents(); r != nil {
		return &residentFilter{w, r.Stays, l}
	}
	return w
}

// A residentFilter removes transfers of tensors that stay on the chip from the steps.
type residentFilter struct {
	walker
	stays []bool
	layer *layer
}

func (k *residentFilter) Next(s *dma.Step) bool {
	if !k.walker.Next(s) {
		return false
	}
	s.Loads, s.Stores = k.without(s.Loads), k.without(s.Stores)
	return true
}

// without drops transfers in place.
func (k *residentFilter) without(list []dma.Transfer) []dma.Transfer {
	out := list[:0]
	for i := range list {
		if id := list[i].Tensor; id >= 0 && k.stays[id] {
			k.layer.kept += uint64(list[i].Bytes())
			continue
		}
		out = append(out, list[i])
	}
	return out
}

// spills reports whether the tensor could have stayed on the chip, had there been room.
func (j *job) spills(id graph.TensorID) bool {
	r := j.residents()
	return r != nil && r.Spills[id]
}
