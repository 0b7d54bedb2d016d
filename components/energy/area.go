package energy

import "github.com/causeway-sim/causeway/components/units"

// An areaFigure holds the published areas of a process, in square micrometres.
type areaFigure struct {
	cell     float64            // of one bit of SRAM, six transistors
	register float64            // of one bit of a register, a flip-flop
	mac      map[string]float64 // multiplication + addition, by type
}

// areas lists the figures by process.
//
//   - 45nm: cell by Mistry et al., A 45nm Logic Technology with High-k+Metal Gate
//     Transistors, IEDM 2007; arithmetic by Dally, High-Performance Hardware for
//     Machine Learning, NIPS 2015 tutorial (synthesised for TSMC 45 nm), the addition
//     of integers in 32 bits, of floating point in the width of the product; register by
//     Shao et al., Aladdin, ISCA 2014: common/power_func.h of its release, 40 nm.
//   - 15nm: cell by Wu et al., A 16nm FinFET CMOS Technology for Mobile SoC and Computing
//     Applications, IEDM 2013; arithmetic and register of 45 nm times 0.18, which lies between
//     the factors of Stillmaker and Baas, Integration 58, 2017, for 16 nm (0.19) and 14 nm
//     (0.17).
//   - 7nm: cell by Wu et al., A 7nm CMOS Platform Technology Featuring 4th Generation
//     FinFET Transistors, IEDM 2016; arithmetic of 45 nm times 0.059, the factor of
//     Stillmaker and Baas; register by Clark et al., ASAP7, Microelectronics Journal 53,
//     2016: cell DFFHQNx1 of its library.
var areas = map[string]areaFigure{
	"45nm": {cell: 0.346, register: register45, mac: mac45(1)},
	"15nm": {cell: 0.07, register: register45 * to15, mac: mac45(to15)},
	"7nm":  {cell: 0.027, register: 0.2916, mac: mac45(0.059)},
}

const (
	register45 = 5.981433
	to15       = 0.18
)

// mac45 is the arithmetic of 45 nm times a factor.
func mac45(x float64) map[string]float64 {
	return map[string]float64{
		"int4":  x * (282/4.0 + 137), // assumption: multiplication goes with the square of the width
		"int8":  x * (282 + 137),
		"int16": x * (geometric(282, 3495, 0.5) + 137), // assumption: multiplication is the geometric mean of int8 and int32
		"int32": x * (3495 + 137),
		"fp8":   x * (1640/4.0 + 1360), // assumption: a quarter of the multiplication of fp16, with a quarter of the partial products
		"fp16":  x * (1640 + 1360),
		"bf16":  x * (1640 + 1360), // assumption: not above fp16; no figure at 45 nm
		"fp32":  x * (7700 + 4184),
	}
}

// SRAMArea is the area of the cells of an SRAM of that capacity, in mm2; decoders,
// sense amplifiers and wires are not in it. ok is false where nothing is published.
func SRAMArea(process string, capacity units.Bytes) (mm2 float64, ok bool) {
	f, ok := areas[process]
	return f.cell * 8 * float64(capacity) / 1e6, ok
}

// MACArea is the area of one multiplier and its adder for operands of a type, in mm2;
// registers and control are not in it. ok is false where nothing is published.
func MACArea(process, dtype string) (mm2 float64, ok bool) {
	f, ok := areas[process].mac[dtype]
	return f / 1e6, ok
}

// RegisterArea returns the area of a number of bits of registers, in mm2. ok is false if none is
// published.
func RegisterArea(process string, bits float64) (mm2 float64, ok bool) {
	f, ok := areas[process]
	return f.register * bits / 1e6, ok
}
