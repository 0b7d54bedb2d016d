package systolic

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
)

// Assumptions lists what the core takes for granted without a source, for the
// report.
func (k *core) Assumptions() []string {
	out := k.assumptions()
	if r := k.repeats; r != nil && r.first {
		out = append(out, r.periods.Assumption())
	}
	return out
}

func (k *core) assumptions() []string {
	s := &k.spec
	if k.planner != nil {
		return append([]string{
			"The vector unit takes a fixed number of operations per element of each function (see go doc workloads/graph OpsPerElement), and has no energy.",
			"Tensors lie row by row in memory; what a step needs is there before it computes.", k.loadsAhead(),
		}, k.estimated()...)
	}
	out := []string{
		"The vector unit takes a fixed number of operations per element of each function (see go doc workloads/graph OpsPerElement).",
		"Tensors lie row by row in memory, but for those that mapping.layout names; a piece of a tile moves in runs as wide as what touches of it.",
		k.loadsAhead(),
		fmt.Sprintf("Energy per event is that of a %s process (see go doc components/energy for the figures and which of them are assumed).", s.Energy.Process),
		"Area is that of SRAM cells, of multipliers and adders and of the registers of the array; decoders, control, the vector unit and wires have no figure and are not in it. Multipliers, adders and registers leak by their area, buffers have no figure.",
	}
	if e, ok := dataflow.All.Entry(string(s.Dataflow)); ok && !(s.Overlap.Preload && s.Overlap.Drain) {
		out = append(out, fmt.Sprintf("Dataflow %s does not hide all of a fold's fill and drain behind the next fold (key overlap): %s", e.Name, e.Doc))
	}
	if g := s.Gemv; g != 1 {
		rows, _ := g.MarshalText()
		out = append(out, fmt.Sprintf("Products may take a second way of weights into the array (key gemv: %s): several rows enter per cycle into a second set of registers, and tiles follow each other in the wavefront. The mapping objective time alone uses it, where it is faster.", rows))
	}
	for i := range k.jobs {
		if k.jobs[i].Plan != nil && k.jobs[i].Plan.Multicast() {
			out = append(out, "Operands that several cores read are fetched once, a part by each, and reach all of them over a bus that is no bottleneck (key mapping.multicast).")
			break
		}
	}
	var sent int64
	for i := range k.jobs {
		if p := k.jobs[i].Plan; p != nil {
			sent += p.Exchanged()
		}
	}
	if sent > 0 {
		out = append(out, "Cores that make parts of a product's sum exchange partial sums over the bus of mapping.multicast, which is no bottleneck; each adds up and stores a part of the results.",
			fmt.Sprintf("%s sends %d B of partial sums to other cores.", k.Name(), sent))
	}
	return append(out, k.estimated()...)
}

// loadsAhead says what is loaded of a layer before it starts.
func (k *core) loadsAhead() string {
	const starts = "A layer starts when the last store of the one before is answered; "
	if keep, _ := k.spec.OnChip.keeps(); keep == machine.KeepAll {
		return starts + "weights of its first two steps are loaded ahead (key on_chip)."
	}
	return starts + "nothing is loaded ahead across layers."
}
