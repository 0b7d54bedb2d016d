package design

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/configs"
)

// small is a good nest, of which each case of TestBad breaks one thing.
const small = `word: 16bit
levels:
  - {name: DRAM}
  - {name: Buffer, capacity: 16KiB, fanout: {x: 4, y: 4, unroll_x: [M], unroll_y: [C]}}
  - {name: Registers, capacity: 64B}
compute: {name: MAC}
problem: {dims: {N: 8, M: 16, C: 12}}
mapping:
  - {level: DRAM, loops: [M 2]}
  - {level: Buffer, loops: [M 2, C 3], x: [M 4], y: [C 4]}
  - {level: Registers, loops: [N 8]}
`

// readText reads a nest and checks its mapping.
func readText(text string) (*nest.Description, error) {
	v, err := configs.ParseValue("nest.yaml", []byte(text))
	if err != nil {
		return nil, err
	}
	in, err := ReadFile(v, 1e9)
	if err != nil {
		return nil, err
	}
	n, err := nest.New(&in.Problem, &in.Arch, in.Sparse, nest.Rules2024)
	if err != nil || in.Mapping == nil {
		return &in.Description, err
	}
	return &in.Description, in.Legal(n)
}

// What cannot be says so at its place, with what would do.
func TestBad(t *testing.T) {
	_, err := readText(small)
	require.NoError(t, err)
	for _, c := range []struct{ old, new, want string }{
		{"loops: [M 2]}", "loops: [M 3]}", `nest.yaml:9:3: mapping: factors of M multiply to 24, its size is 16: the last of 3 iterations at DRAM has nothing to do`},
		{"C 3]", "C 2]", `nest.yaml:9:3: mapping: factors of C multiply to 8, its size is 12`},
		{"[N 8]}\n", "[N 8], keep: [Weights, Outputs, Bias]}\n", `nest.yaml:11:63: mapping[2].keep[2]: "Bias" is no tensor (want one of: Weights, Inputs, Outputs)`},
		{"M 2, C 3", "M 2, K 3", `nest.yaml:10:34: mapping[1].loops[1]: "K" is no dimension (want one of: N, G, M, C, P, Q, R, S)`},
		{"M 2, C 3", "M 2, C three", `nest.yaml:10:34: mapping[1].loops[1]: "C three" is no loop (want a dimension and its iterations: K 8)`},
		{"x: [M 4]", "x: [M 8]", `level Buffer spreads over 8 x 4 instances of Registers; below one of it there are 4 x 4`},
		{"x: [M 4], y: [C 4]", "x: [C 4], y: [M 4]", `nest.yaml:10:5: mapping[1]: level Buffer spreads C along x, which its fan-out does not`},
		{"unroll_x: [M]", "unroll_x: [K]", `nest.yaml:4:69: levels.Buffer.fanout.unroll_x[0]: "K" is no dimension (want one of: N, G, M, C, P, Q, R, S)`},
		{"16KiB", "16kiB", `nest.yaml:4:30: levels.Buffer.capacity: "16kiB" has unknown unit "kiB"`},
		{"64B", "16B", `nest.yaml:11:5: mapping[2]: level Registers has to hold 17 words of Weights, Inputs, Outputs, 9 more than its 8`},
		{"64B}", "64B, bypass: all}", `nest.yaml:5:46: levels.Registers.bypass: level Registers keeps nothing although it has a capacity`},
		{"64B}", "64B, keep: [Weights], bypass: [Weights]}", `level Registers both keeps and bypasses Weights`},
		{"64B}", "64B, block: 24bit}", `nest.yaml:5:45: levels.Registers.block: is 1.5 words of 16 bits (want 1 or more, whole)`},
		{"64B}", "64B, fanout: {unroll_x: [M]}}", `has no effect on a fan-out of one instance (give x or y)`},
		{"{name: DRAM}", "{name: DRAM, bypass: [Weights]}", `level DRAM is the outermost and has to keep every tensor`},
		{"{name: DRAM}", "{name: Buffer}", `nest.yaml:4:5: levels.Buffer: is a second level of this name`},
		{"level: DRAM", "level: Dram", `nest.yaml:9:13: mapping[0].level: "Dram" is no level (want one of: DRAM, Buffer, Registers; did you mean "DRAM"?)`},
		{"level: DRAM", "level: Buffer", `mapping[1]: is a second entry of Buffer`},
		{"M: 16", "M: 0", `problem.dims.M: is 0 (want 1 to 2^53)`},
		{"M: 16", "K: 16", `problem.dims.K: unknown key (want one of: N, G, M, C, P, Q, R, S)`},
		{"dims: {N: 8, M: 16, C: 12}", "dims: {N: 8}, tensors: [{name: A, index: [2*N + T]}]", `"T" is no dimension (want N)`},
		{"dims: {N: 8, M: 16, C: 12}", "dims: {N: 8}, tensors: [{name: A, index: [N]}]", `problem writes no tensor`},
		{"{name: MAC}", "{name: DRAM}", `"DRAM" is the name of a level too`},
	} {
		text := strings.Replace(small, c.old, c.new, 1)
		require.NotEqual(t, small, text, c.old)
		_, err := readText(text)
		if assert.Error(t, err, c.want) {
			assert.Contains(t, err.Error(), c.want)
		}
	}
}

// Quantities read in every unit and print so that they read back.
func TestQuantities(t *testing.T) {
	for text, want := range map[string]float64{"512word": 512, "1KiB": 512, "64bit": 4, "3B": 1.5} {
		var a, b Amount
		require.NoError(t, a.UnmarshalText([]byte(text)))
		require.Equal(t, want, a.InWords(16), text)
		require.NoError(t, b.UnmarshalText([]byte(a.String())))
		require.Equal(t, a, b)
	}
	for text, want := range map[string]float64{"4word/cycle": 4, "32B/cycle": 16, "25.6GB/s": 12.8, "8bit/cycle": 0.5} {
		var a, b Rate
		require.NoError(t, a.UnmarshalText([]byte(text)))
		require.Equal(t, want, a.InWords(16, 1e9), text)
		require.NoError(t, b.UnmarshalText([]byte(a.String())))
		require.Equal(t, a, b)
	}
	for _, text := range []string{"", "4", "word", "0word", "-1word", "4words/cycle", "1e3word", "0B"} {
		require.Error(t, new(Amount).UnmarshalText([]byte(text)), text)
	}
	for _, text := range []string{"4word", "0B/s", "0word/cycle", "3"} {
		require.Error(t, new(Rate).UnmarshalText([]byte(text)), text)
	}
}

// Whatever the text, the reader says what is wrong and does not fall over; what it takes
// prints and reads back.
func FuzzRead(f *testing.F) {
	f.Add(small)
	f.Add(strings.Replace(small, "problem: {dims: {N: 8, M: 16, C: 12}}", "problem: {dims: {A: 3, B: 2}, tensors: [{name: X, index: [2*A + B], written: true}], density: {X: 0.5}}", 1))
	f.Fuzz(func(t *testing.T, text string) {
		d, err := readText(text)
		if err != nil {
			return
		}
		printed, err := Print(d)
		require.NoError(t, err)
		again, err := readText(string(printed))
		require.NoError(t, err, string(printed))
		if d.Mapping != nil {
			require.Equal(t, PrintMapping(d, d.Mapping), PrintMapping(again, again.Mapping))
		}
	})
}
