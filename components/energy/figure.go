package energy

import (
	"math"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A process is one column of figures, in picojoules.
type process struct {
	name string
	mac  map[graph.DType]float64
	// per operation of the vector unit
	vector float64
	// per byte moved on by one register of the array
	register float64
	// per 64-bit access of an SRAM of 8 KiB, 32 KiB and 1 MiB
	sram [3]float64
}

// processes lists the figures. Sums are multiplication + addition.
var processes = []process{
	{
		name: "45nm", // Horowitz 2014, figure 1.1.9
		mac: map[graph.DType]float64{
			graph.Int4:  0.05 + 0.1, // assumption: multiplication goes with the square of the width, int8 0.2
			graph.Int8:  0.2 + 0.1,
			graph.Int32: 3.1 + 0.1,
			graph.FP16:  1.1 + 0.9,
			graph.BF16:  1.1 + 0.9,  // assumption: not above fp16; no figure at 45 nm
			graph.FP8:   0.28 + 0.9, // assumption: a quarter of fp16, with a quarter of the partial products
			graph.FP32:  3.7 + 0.9,
		},
		vector:   0.9,  // assumption: an fp32 addition on average
		register: 0.03, // assumption: writing a byte costs as much as adding one
		sram:     [3]float64{10, 20, 100},
	},
	{
		name: "7nm", // Jouppi 2021, table 2
		mac: map[graph.DType]float64{
			graph.Int4:  0.0175 + 0.03, // assumption: as above, int8 0.07
			graph.Int8:  0.07 + 0.03,
			graph.Int32: 1.48 + 0.03,
			graph.FP16:  0.34 + 0.38,
			graph.BF16:  0.21 + 0.38,
			graph.FP8:   0.085 + 0.38, // assumption: a quarter of fp16
			graph.FP32:  1.31 + 0.38,
		},
		vector:   0.38,
		register: 0.007,
		sram:     [3]float64{7.5, 8.5, 14},
	},
}

// sramByte is the energy of one byte of an SRAM of the given capacity.
func (p *process) sramByte(capacity units.Bytes) float64 {
	at := [3]float64{8 << 10, 32 << 10, 1 << 20}
	c := float64(capacity)
	switch {
	case c <= at[0]:
		return p.sram[0] / 8
	case c >= at[2]:
		return p.sram[2] / 8 * math.Sqrt(c/at[2])
	}
	i := 0
	if c > at[1] {
		i = 1
	}
	f := math.Log(c/at[i]) / math.Log(at[i+1]/at[i])
	return math.Exp(math.Log(p.sram[i])*(1-f)+math.Log(p.sram[i+1])*f) / 8
}
