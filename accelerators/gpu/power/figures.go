package power

import (
	"maps"
	"slices"
)

// Figures are energies in picojoules at the voltage of a clock of 2.062 GHz.
type Figures struct {
	MAC    map[string]float64 // by element type
	Vector float64            // operation, instruction included
	Shared float64            // byte that comes to an SM: a write to shared memory and a read
	L2     float64            // byte between the L2 and an SM, wires included
	Memory float64            // byte
	Link   float64            // byte
	Issue  float64            // cycle of an SM that works
}

// mac is the energy of a type that matrix units have; other types take that of fp16.
func (f *Figures) mac(dtype string) float64 {
	if pj, ok := f.MAC[dtype]; ok {
		return pj
	}
	return f.MAC["fp16"]
}

// Fitted says which values were fitted, and on which rows.
const Fitted = "fitted on 139 of 274 products, prompts and experts of a GB200 with watts"

// Values of 4n (TSMC 4N, 4NP) but for Shared were fitted on rows of a GB200 with watts. Source of the rows:
// ai-dynamo/aiconfigurator (Apache-2.0), vLLM's collector: products in bf16 and fp8, attention of
// prompts and fused experts, of which every other one, in even places of its table, was fitted on.
// Rows count where the run took over 0.2 s and a kernel over 20 us, since the collector averages
// readings 100 ms apart. Three things were minimised together: |log| of the power of each group, with the times as
// measured; and |log| of the time of products and prompts at the limit. Rows at an L2's bandwidth do not
// tell the L2 from the memory, so that the memory has a published figure.
//
// Published figures to compare: a multiply-accumulate in bf16 takes 0.59 pJ at 7 nm (Jouppi et al.,
// ISCA 2021, table 2); a byte over 60 mm of wire takes 48 pJ at 14 nm (Dally, Turakhia, Han,
// CACM 63(7), 2020: 100 fJ per bit and mm).
var fourN = Figures{
	MAC:    macs(0.596, 0.264),
	Vector: 3.06,
	Shared: 2 * 8.5 / 8, // SRAM of 32 KiB at 7 nm, 8.5 pJ for 64 bits: Jouppi et al., ISCA 2021, table 2
	L2:     53.6,
	Issue:  654,
}

const (
	// reference is the clock that the energies belong to: the full one of the GB200 that they were fitted on.
	reference = 2.062e9
	// slope was fitted with the energies.
	slope = 0.647
	// floor is the least voltage, over that at the full clock; the rows do not reach it.
	//
	// assumption: 0.6.
	floor = 0.6
)

// macs are energies by type from those of 16 and of 8 bits.
//
// assumption: fp32 (TF32) takes twice that of 16 bits, and types of 4 bits half that of 8.
func macs(half, byte float64) map[string]float64 {
	return map[string]float64{"fp32": 2 * half, "fp16": half, "bf16": half, "fp8": byte, "int8": byte, "mxfp8": byte, "mxfp6": byte, "fp8_block": byte,
		"int4": byte / 2, "mxfp4": byte / 2, "nvfp4": byte / 2}
}

// processes are the energies of the chips' processes over those of 4n at the same clock: what TSMC says is
// for the same speed. A chip of a lower clock has a lower voltage, and takes less. No row of watts of another
// process was there to check them.
//
//   - 5n, 4n: one family. assumption: alike.
//   - 7n, 6n: TSMC, 5 nm technology: 30 % less power than 7 nm at the same speed; N6 has N7's rules.
//   - 8n: assumption: as 7n.
//   - 3n: TSMC, 3 nm technology: 25 to 30 % less power than 5 nm at the same speed.
var processes = map[string]float64{"3n": 0.725, "4n": 1, "5n": 1, "6n": 1 / 0.7, "7n": 1 / 0.7, "8n": 1 / 0.7}

// None is a chip without an energy model.
const None = "none"

// Processes lists the processes with figures.
func Processes() []string { return slices.Sorted(maps.Keys(processes)) }

// FiguresOf are those of a process; ok is false where there are none.
func FiguresOf(process string) (f Figures, ok bool) {
	x, ok := processes[process]
	f = fourN
	f.MAC = maps.Clone(f.MAC)
	for d := range f.MAC {
		f.MAC[d] *= x
	}
	f.Vector, f.Shared, f.L2, f.Issue = f.Vector*x, f.Shared*x, f.L2*x, f.Issue*x
	return f, ok
}
