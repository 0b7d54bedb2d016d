package energy

import "math"

// A process is one column of figures, in picojoules.
type process struct {
	name string
	ops  map[string]op // by type
	// per operation of the vector unit
	vector float64
	// per byte moved on by one register of the array
	register float64
	// per 64-bit access of a memory of 128 B, 8 KiB, 32 KiB and 1 MiB
	sram [4]float64
	// per bit and millimetre of wire; 0: nothing is published
	wire float64
}

// An op is arithmetic on operands of one type.
type op struct {
	multiply, add float64
	// mac multiplies and adds the product to a sum of 32 bits: as a sum of constants, which
	// the compiler adds exactly
	mac float64
}

// geometric is the value at a share of the way from a to b on a logarithmic scale.
func geometric(a, b, share float64) float64 {
	return math.Exp(math.Log(a)*(1-share) + math.Log(b)*share)
}

func (o op) toward(x op, share float64) op {
	product := geometric(o.multiply, x.multiply, share)
	sum := geometric(o.mac-o.multiply, x.mac-x.multiply, share)
	return op{product, geometric(o.add, x.add, share), product + sum}
}

// processes lists the columns.
var processes = []process{nm45, between("15nm", 15, nm45, nm7, wire14), nm7}

// wire14 is of 14 nm: 100 fJ per bit and millimetre (Dally et al. 2020, page 56).
const wire14 = 0.1

// nm45 is Horowitz 2014, figure 1.1.9, at 0.9 V.
var nm45 = process{
	name: "45nm",
	ops: map[string]op{
		"int4":  {0.05, 0.015, 0.05 + 0.1}, // assumption: multiplication goes with the square of the width, addition with the width; int8 is 0.2 and 0.03
		"int8":  {0.2, 0.03, 0.2 + 0.1},
		"int16": {geometric(0.2, 3.1, 0.5), 0.05, geometric(0.2, 3.1, 0.5) + 0.1}, // assumption: multiplication is the geometric mean of int8 and int32; addition is published
		"int32": {3.1, 0.1, 3.1 + 0.1},
		"fp16":  {1.1, 0.4, 1.1 + 0.9},
		"bf16":  {1.1, 0.4, 1.1 + 0.9},   // assumption: not above fp16; no figure at 45 nm
		"fp8":   {0.28, 0.4, 0.28 + 0.9}, // assumption: a quarter of fp16, with a quarter of the partial products
		"fp32":  {3.7, 0.9, 3.7 + 0.9},
	},
	vector:   0.9,  // assumption: an fp32 addition on average
	register: 0.03, // assumption: writing a byte costs as much as adding one
	// 128 B: a 32-bit register file of 1 pJ (Han et al. 2015, figure 1). assumption: 32 registers.
	sram: [4]float64{2, 10, 20, 100},
	wire: 310.0 / (256 * 10), // Keckler et al. 2011, table 1: 256 random bits over 10 mm take 310 pJ, 40 nm at 0.9 V
}

// nm7 is Jouppi 2021, table 2.
var nm7 = process{
	name: "7nm",
	ops: map[string]op{
		"int4":  {0.0175, 0.0035, 0.0175 + 0.03}, // assumption: as above, int8 0.07 and 0.007
		"int8":  {0.07, 0.007, 0.07 + 0.03},
		"int16": {geometric(0.07, 1.48, 0.5), geometric(0.007, 0.03, 0.5), geometric(0.07, 1.48, 0.5) + 0.03}, // assumption: geometric means of int8 and int32
		"int32": {1.48, 0.03, 1.48 + 0.03},
		"fp16":  {0.34, 0.16, 0.34 + 0.38},
		"bf16":  {0.21, 0.11, 0.21 + 0.38},
		"fp8":   {0.085, 0.16, 0.085 + 0.38}, // assumption: a quarter of fp16
		"fp32":  {1.31, 0.38, 1.31 + 0.38},
	},
	vector:   0.38,
	register: 0.007,
	sram:     [4]float64{1.5, 7.5, 8.5, 14}, // assumption: 128 B takes as large a part of 8 KiB as at 45 nm
}

// between is a process of so many nanometres for which no column is published: each figure
// lies on the straight line between 45 nm and 7 nm, logarithm over logarithm of the feature
// size. The wire is given.
func between(name string, nm float64, from, to process, wire float64) process {
	share := math.Log(45/nm) / math.Log(45.0/7)
	p := process{name: name, ops: map[string]op{}, wire: wire,
		vector: geometric(from.vector, to.vector, share), register: geometric(from.register, to.register, share)}
	for t, o := range from.ops {
		p.ops[t] = o.toward(to.ops[t], share)
	}
	for i := range p.sram {
		p.sram[i] = geometric(from.sram[i], to.sram[i], share)
	}
	return p
}
