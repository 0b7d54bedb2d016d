package energy

import (
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// An areaFigure is what is published of a process, in square micrometres.
type areaFigure struct {
	cell float64                 // of one bit of SRAM, six transistors
	mac  map[graph.DType]float64 // multiplication + addition
}

// areas lists the figures by process. A process without arithmetic has none.
//
//   - 45nm: cell by Mistry et al., A 45nm Logic Technology with High-k+Metal Gate
//     Transistors, IEDM 2007; arithmetic by Dally, High-Performance Hardware for
//     Machine Learning, NIPS 2015 tutorial (synthesised for TSMC 45 nm), the addition
//     of integers in 32 bits, of floating point in the width of the product.
//   - 7nm: cell by Wu et al., A 7nm CMOS Platform Technology Featuring 4th Generation
//     FinFET Transistors, IEDM 2016.
var areas = map[string]areaFigure{
	"45nm": {cell: 0.346, mac: map[graph.DType]float64{
		graph.Int8:  282 + 137,
		graph.Int32: 3495 + 137,
		graph.FP16:  1640 + 1360,
		graph.FP32:  7700 + 4184,
	}},
	"7nm": {cell: 0.027},
}

// SRAMArea is the area of the cells of an SRAM of that capacity, in mm2; decoders,
// sense amplifiers and wires are not in it. ok is false where nothing is published.
func SRAMArea(process string, capacity units.Bytes) (mm2 float64, ok bool) {
	f, ok := areas[process]
	return f.cell * 8 * float64(capacity) / 1e6, ok
}

// MACArea is the area of one multiplier and its adder for products of type d, in mm2;
// registers and control are not in it. ok is false where nothing is published.
func MACArea(process string, d graph.DType) (mm2 float64, ok bool) {
	f, ok := areas[process].mac[d.Element()]
	return f / 1e6, ok
}
