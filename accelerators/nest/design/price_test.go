package design

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/configs"
)

// priced is a product of 256 x 128 by 128 x 256 on 8 x 8 units behind a buffer of 64 KiB.
const priced = `
word: 16bit
energy: {process: 45nm, dram: ddr4}
levels:
  - {name: DRAM, block: 64bit}
  - {name: Buffer, capacity: 64KiB, block: 64bit, fanout: {x: 8, y: 8, unroll_x: [M], unroll_y: [N], wire: 500um}}
  - {name: Registers, capacity: 64word}
problem: {dims: {N: 256, M: 256, C: 128}}
mapping:
  - {level: DRAM, loops: [N 4, M 4]}
  - {level: Buffer, loops: [M 2, N 2, C 32], x: [M 8], y: [N 8]}
  - {level: Registers, loops: [N 4, M 4, C 4]}
`

func evaluated(t *testing.T, text string) (*Input, *nest.Nest, nest.Result) {
	v, err := configs.ParseValue("own.yaml", []byte(text))
	require.NoError(t, err)
	in, err := ReadFile(v, 1e9)
	require.NoError(t, err)
	n, err := nest.New(&in.Problem, &in.Arch, nil, nest.Rules2024)
	require.NoError(t, err)
	require.NoError(t, in.Legal(n))
	var r nest.Result
	n.Evaluate(in.Mapping, &r)
	return in, n, r
}

// A nest's energy and area by hand, from the published figures: DDR4 1300 pJ per 64 bits;
// SRAM between 20 pJ (32 KiB) and 100 pJ (1 MiB) per 64 bits; a register file of 128 B 1 pJ
// per 32 bits; int16 between int8 and int32; 310 pJ for 256 bits over 10 mm.
func TestEnergyByHand(t *testing.T) {
	in, _, r := evaluated(t, priced)
	require.True(t, in.Energies)
	require.True(t, in.Areas)
	buffer := 20 * math.Pow(5, 1.0/5) // 64 KiB is a fifth of the way to 1 MiB in octaves
	dram := (131072.0 + 32768 + 65536) / 4 * 1300
	sram := (262144.0 + 131072 + 262144 + 32768 + 65536) / 4 * buffer
	registers := 64 * (131072.0 + 32768 + 131072 + 32768 + 130048 + 131072) * 0.5
	mac := 256 * 256 * 128 * (math.Sqrt(0.2*3.1) + 0.1)
	wires := 64 * (32768.0 + 32768 + 1024) * 16 * 0.5 * 310 / 2560 // each unit takes its operands and gives its sums
	require.InEpsilon(t, dram, r.Levels[0].Energy, 1e-12)
	require.InEpsilon(t, sram+wires, r.Levels[1].Energy, 1e-12)
	require.InEpsilon(t, wires, r.Levels[1].Wires, 1e-12)
	require.InEpsilon(t, registers, r.Levels[2].Energy, 1e-12)
	require.InEpsilon(t, mac, r.ComputeEnergy, 1e-12)
	require.InEpsilon(t, dram+sram+registers+mac+wires, r.Energy, 1e-12)
	require.InEpsilon(t, sram+registers+wires, r.OnChip(), 1e-9)
	require.InEpsilon(t, 0.346*8*(65536+64*128)+64*(math.Sqrt(282*3495)+137), in.Arch.Area(), 1e-12)
}

// What is said of a level or of compute replaces the figure, 0 pJ included, and nothing
// else.
func TestOverriding(t *testing.T) {
	base, _, _ := evaluated(t, priced)
	a := base.Arch.Levels[1].Energy
	for set, check := range map[string]func(x *nest.Arch){
		"levels: [{name: Buffer, energy: {read: 3pJ}}]": func(x *nest.Arch) {
			require.Equal(t, nest.Actions{Read: 3, Write: a.Write, Update: a.Update}, x.Levels[1].Energy)
		},
		"levels: [{name: Buffer, energy: {write: 0pJ}}]": func(x *nest.Arch) {
			require.Equal(t, nest.Actions{Read: a.Read}, x.Levels[1].Energy)
		},
		"levels: [{name: Buffer, energy: {update: 5pJ}}]": func(x *nest.Arch) {
			require.Equal(t, nest.Actions{Read: a.Read, Write: a.Write, Update: 5}, x.Levels[1].Energy)
		},
		"levels: [{name: Registers, area: 7um2}]": func(x *nest.Arch) { require.Equal(t, 7.0, x.Levels[2].Area) },
		"compute: {energy: 0pJ}":                  func(x *nest.Arch) { require.Zero(t, x.Compute.Energy) },
		"compute: {dtype: fp16}":                  func(x *nest.Arch) { require.InDelta(t, 2.0, x.Compute.Energy, 1e-12) },
		"compute: {area: 1um2}":                   func(x *nest.Arch) { require.Equal(t, 1.0, x.Compute.Area) },
		"energy: {process: 7nm, wire: 0.08pJ}":    func(x *nest.Arch) { require.InEpsilon(t, 0.08*16/2, x.Levels[1].Wire, 1e-12) },
		"energy: {process: 15nm}":                 func(x *nest.Arch) { require.InEpsilon(t, 0.1*16/2, x.Levels[1].Wire, 1e-12) },
		"levels: [{name: Registers, word: 16bit, cluster: 8}]": func(x *nest.Arch) { // eight share one memory of 1 KiB, 128 bits wide
			require.InEpsilon(t, 4*math.Pow(5, 0.5), x.Levels[2].Energy.Read, 1e-12)
			require.InEpsilon(t, base.Arch.Levels[2].Area, x.Levels[2].Area, 1e-12)
		},
	} {
		v, err := configs.ParseValue("own.yaml", []byte(priced))
		require.NoError(t, err)
		more, err := configs.ParseValue("more.yaml", []byte(set))
		require.NoError(t, err)
		in, err := ReadFile(v.Merge(more), 1e9)
		require.NoError(t, err, set)
		check(&in.Arch)
	}
}

// The whole nest printed and read again takes the same energy.
func TestPricedWhole(t *testing.T) {
	in, _, r := evaluated(t, priced)
	text, err := Print(&in.Description)
	require.NoError(t, err)
	again, _, s := evaluated(t, string(text))
	require.InEpsilon(t, r.Energy, s.Energy, 1e-12)
	require.InEpsilon(t, in.Arch.Area(), again.Arch.Area(), 1e-12)
}

// Missing entries and unknown names say where, and what there is.
func TestPricedBad(t *testing.T) {
	for set, want := range map[string]string{
		"energy: {process: 46nm}":                                      `more.yaml:1:19: energy.process: "46nm" is not known (want one of: none, 45nm, 15nm, 7nm; did you mean "45nm"?)`,
		"energy: {dram: hbm5}":                                         `more.yaml:1:16: energy.dram: "hbm5" is not known (want one of: none, hbm2, gddr5, gddr6, lpddr4, ddr4; did you mean "hbm2"?)`,
		"energy: {dram: none}":                                         "own.yaml:5:5: levels.DRAM: level DRAM has no capacity, which the energy of an access follows (want energy.dram of the node, one of: hbm2, hbm2e, hbm3, hbm3e, gddr5, gddr6, lpddr4, ddr4; or read and write under energy of the level)",
		"energy: {process: 7nm}":                                       "own.yaml:6:108: levels.Buffer.fanout.wire: energy.process: nothing is published of wires at 7nm (want one of: 45nm, 15nm), or energy.wire",
		"energy: {process: none}":                                      "own.yaml:6:108: levels.Buffer.fanout.wire: has no effect without an energy of wires (want energy.process or energy.wire of the node)",
		"levels: [{name: DRAM, energy: {read: 1pJ, write: 1pJ}}]":      "own.yaml:3:31: energy.dram: has no effect: every level has a capacity or an energy of its own",
		"{energy: {process: none, wire: 1pJ}, compute: {dtype: fp16}}": "more.yaml:1:55: compute.dtype: has no effect without energy.process",
		"word: 32word":                                                 "more.yaml:1:7: word: is the width of a word (want whole bits or bytes)",
		"{levels: [{name: Registers, word: 24bit}]}":                   "own.yaml:3:19: energy.process: there are no figures of integers of 24 bits (want compute.dtype or compute.energy) (want one of: int4, int8, int16, int32, fp8, fp16, bf16, fp32)",
		"levels: [{name: Buffer, fanout: {wire: 3ns}}]":                `more.yaml:1:40: levels.Buffer.fanout.wire: "3ns" is not a length (units: um, mm)`,
	} {
		v, err := configs.ParseValue("own.yaml", []byte(priced))
		require.NoError(t, err)
		more, err := configs.ParseValue("more.yaml", []byte(set))
		require.NoError(t, err)
		_, err = ReadFile(v.Merge(more), 1e9)
		require.ErrorContains(t, err, want, set)
	}
}
