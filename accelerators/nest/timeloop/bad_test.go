package timeloop

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/nest"
)

// good is a small input of our own; each row of the table below breaks one line of it.
const good = `architecture:
  version: 0.4
  subtree:
    - name: system
      local:
        - name: DRAM[1..1]
          class: DRAM
          attributes: {width: 64, datawidth: 16}
        - name: Buffer[1..1]
          class: SRAM
          attributes: {depth: 64, width: 16, datawidth: 16}
        - name: MAC[1..4]
          class: intmac
          attributes: {meshX: 2, meshY: 2}
problem:
  version: 0.4
  shape:
    name: gemm
    dimensions: [M, N, K]
    data_spaces:
      - {name: A, projection: [[[M]], [[K]]]}
      - {name: B, projection: [[[K]], [[N]]]}
      - {name: C, projection: [[[M]], [[N]]], read_write: true}
  instance: {M: 8, N: 8, K: 4}
mapping:
  - {target: DRAM, type: temporal, factors: M4 N4 K1, permutation: NMK}
  - {target: Buffer, type: spatial, factors: M2 N2, permutation: MNK, split: 1}
  - {target: Buffer, type: temporal, factors: K4, permutation: KMN}
`

func readGood(t testing.TB, text string) (*Input, error) {
	in, err := Read(Source{Name: "a.yaml", Text: []byte(text)})
	if err != nil {
		return nil, err
	}
	n, err := nest.New(&in.Problem, &in.Arch, in.Sparse, nest.Rules2024)
	require.NoError(t, err)
	if in.Mapping == nil {
		return in, nil
	}
	return in, in.Legal(n)
}

func TestGood(t *testing.T) {
	_, err := readGood(t, good)
	require.NoError(t, err)
}

// Every fault is found before anything is evaluated, with its place.
func TestBadInput(t *testing.T) {
	for _, x := range []struct{ name, from, to, want string }{
		{"factors do not multiply up", "M4 N4 K1", "M3 N4 K1", "a.yaml:26:3: mapping: factors of M multiply to 6, its size is 8"},
		{"factors beyond", "M4 N4 K1", "M8 N4 K1", "a.yaml:26:3: mapping: factors of M multiply to 16, its size is 8: the last of 8 iterations at DRAM has nothing to do"},
		{"a level that keeps nothing outermost", "  - {target: DRAM, type: temporal", "  - {target: DRAM, type: bypass, bypass: [A]}\n  - {target: DRAM, type: temporal",
			"a.yaml:26:5: mapping[0]: level DRAM is the outermost and does not keep A"},
		{"unknown dimension", "M4 N4 K1", "M4 N4 Q1", `a.yaml:26:45: mapping[0].factors: "Q1" is no factor of a dimension (want one of: M, N, K)`},
		{"unknown dimension in an order", "NMK}", "NMX}", `a.yaml:26:68: mapping[0].permutation: "X" is no dimension (want one of: M, N, K)`},
		{"fan-out beyond the mesh", "M2 N2, permutation", "M4 N2, permutation", "a.yaml:27:5: mapping[1]: level Buffer spreads over 4 x 2 instances of MAC; below one of it there are 2 x 2"},
		{"split puts both on one axis", "split: 1", "split: 2", "a.yaml:27:5: mapping[1]: level Buffer spreads over 4 x 1 instances of MAC; below one of it there are 2 x 2"},
		{"capacity missed", "depth: 64", "depth: 8", "a.yaml:27:5: mapping[1]: level Buffer has to hold 20 words of A, B, C, 12 more than its 8"},
		{"unknown level", "{target: DRAM, type: temporal", "{target: DRAMM, type: temporal", `a.yaml:26:14: mapping[0].target: DRAMM is no level (want one of: DRAM, Buffer; did you mean "DRAM"?)`},
		{"unknown key", "datawidth: 16}\n        - name: Buffer", "datawidht: 16}\n        - name: Buffer", `did you mean "datawidth"?`},
		{"unknown section", "problem:\n", "problems:\n", `a.yaml:15:1: problems: unknown key`},
		{"unknown data space", "type: temporal, factors: K4, permutation: KMN}", "type: bypass, keep: [D]}", "mapping[2].keep[0]: D is no data space (want one of: A, B, C)"},
		{"no depth", "depth: 64, ", "", "Buffer has no depth (only a DRAM may do without)"},
		{"mesh and range", "name: MAC[1..4]", "name: MAC[1..5]", "a.yaml:12:17: architecture.subtree.system.local.MAC[1..5].name: MAC[1..5] has 5 instances, its mesh 2 x 2"},
		{"size of a dimension", "K: 4}", "K: 0}", "is 0 (want 1 to 2^40)"},
		{"missing size", ", K: 4}", "}", "has no size of dimension K"},
		{"nobody writes", ", read_write: true", "", "problem writes no tensor (one has to be read_write)"},
		{"version", "version: 0.4\n  subtree", "version: 0.3\n  subtree", "version 0.3 is not read (want 0.4;"},
		{"power gating", "{depth: 64,", "{has_power_gating: true, depth: 64,", "is true; power gating is not modelled (want false)"},
		{"width", "{depth: 64, width: 16", "{depth: 64, width: 24", "is 24 bits, which words of 16 bits in clusters of 1 do not divide"},
		{"misspelt alias", "{depth: 64, width: 16", "{depth: 64, memory_widht: 16", `did you mean "memory_width"?`},
		{"entries with a size", "{depth: 64,", "{entries: 64, sizeKB: 1,", "does not go with depth"},
		{"latency of a network", "{depth: 64,", "{network_fill_latency: 2, depth: 64,", "is 2; latencies of networks are not modelled (want 0"},
		{"energy of an access", "{depth: 64,", "{vector_access_energy: 2, depth: 64,", "energies are those of the ERT (leave it out)"},
		{"residual", "M4 N4 K1", `"M4,2 N4 K1"`, "M ends with 2 of 4 iterations; its size of 8 makes that 4"},
		{"twice", "factors: K4, permutation: KMN}", "factors: K4, permutation: KMN}\n  - {target: Buffer, type: temporal, factors: K4}", "says temporal of Buffer a second time"},
	} {
		t.Run(x.name, func(t *testing.T) {
			require.Equal(t, 1, strings.Count(good, x.from), "%q is in the text once", x.from)
			_, err := readGood(t, strings.Replace(good, x.from, x.to, 1))
			require.ErrorContains(t, err, x.want)
			require.Regexp(t, `^a\.yaml:\d+:\d+: `, err.Error())
		})
	}
}

// Everything that is wrong is said at once.
func TestAllAtOnce(t *testing.T) {
	text := strings.NewReplacer("depth: 64", "dpeth: 64", "version: 0.4\n  shape", "version: 1\n  shape").Replace(good)
	_, err := readGood(t, text)
	require.ErrorContains(t, err, "dpeth: unknown key")
	require.ErrorContains(t, err, "version 1 is not read")
}

// What has no effect is listed.
func TestUnusedKeysAreListed(t *testing.T) {
	in, err := readGood(t, strings.Replace(good, "{depth: 64,", "{n_banks: 2, technology: 45nm, own_of_class: 3, width_a: 8, n_bamks: 2, depth: 64,", 1)+"mapper: {algorithm: random}\n")
	require.NoError(t, err)
	require.Equal(t, []string{"attributes.n_banks", "attributes.technology", "mapper"}, in.Unused)
	require.Equal(t, []Unknown{{Key: "attributes.own_of_class", Place: "a.yaml:11:54"}, {Key: "attributes.width_a", Place: "a.yaml:11:71"}, {Key: "attributes.n_bamks", Place: "a.yaml:11:83", Nearest: "n_banks"}}, in.Unknown)
}

// An attribute has the names that Timeloop looks for, and the first of them counts. Entries are
// words, whatever the width; an old bandwidth is halved.
func TestNamesOfAttributes(t *testing.T) {
	const from = "{depth: 64, width: 16, datawidth: 16}"
	level := func(to string) nest.Level {
		in, err := readGood(t, strings.Replace(good, from, to, 1))
		require.NoError(t, err, to)
		require.Empty(t, in.Unused, to)
		require.Empty(t, in.Unknown, to)
		return in.Arch.Levels[1]
	}
	want := level("{depth: 64, width: 32, datawidth: 16}")
	require.InDelta(t, 128, want.Words, 0)
	require.InDelta(t, 2, want.Block, 0)
	for _, to := range []string{
		"{memory_depth: 64, memory_width: 32, word_width: 16}", "{data_storage_depth: 64, data_storage_width: 32, word_bits: 16}",
		"{depth: 64, memory_depth: 9, width: 32, memory_width: 48, word_bits: 16, datawidth: 8}", "{depth: 64, n_words: 2, datawidth: 16}",
		"{entries: 128, width: 32, datawidth: 16}", "{entries: 128, depth: 9, block_size: 2, datawidth: 16}",
	} {
		require.Equal(t, want, level(to), to)
	}
	old := level("{depth: 64, datawidth: 16, bandwidth: 6, write_bandwidth: 4}")
	require.InDelta(t, 3, old.ReadBandwidth, 0)
	require.InDelta(t, 4, old.WriteBandwidth, 0)
	meta := level("{depth: 64, datawidth: 16, metadata_width: 8, metadata_depth: 32, metadata_word_bits: 4}")
	require.Equal(t, level("{depth: 64, datawidth: 16, metadata_storage_width: 8, metadata_storage_depth: 32, metadata_datawidth: 4}"), meta)
	require.InDelta(t, 32, meta.Metadata.Depth, 0)
}

// A mapping that is printed is read back the same.
func TestPrintReadsBack(t *testing.T) {
	for _, dir := range kept(t) {
		in := load(t, dir)
		again := load2(t, dir, mappingOf(t, in))
		n, err := nest.New(&in.Problem, &in.Arch, in.Sparse, nest.Rules2024)
		require.NoError(t, err)
		var a, b nest.Result
		n.Evaluate(in.Mapping, &a)
		n.Evaluate(again.Mapping, &b)
		require.Equal(t, a, b, dir)
		require.Equal(t, string(mappingOf(t, in)), string(mappingOf(t, again)))
	}
}

// load2 is load with another mapping, where the input holds none.
func load2(t testing.TB, dir string, mapping []byte) *Input {
	var list []Source
	for _, name := range []string{"input.yaml", "ERT.yaml"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		if i := strings.Index(string(b), "\nmapping:\n"); name == "input.yaml" && i >= 0 {
			rest := string(b)[i+1:]
			end := strings.Index(rest, "\nmapper:")
			b = []byte(string(b)[:i+1] + rest[end+1:])
		}
		list = append(list, Source{Name: name, Text: b})
	}
	in, err := Read(append(list, Source{Name: "map.yaml", Text: mapping})...)
	require.NoError(t, err)
	return in
}

// Whatever the bytes are, the reader says what is wrong or gives a nest that can be
// evaluated.
func FuzzRead(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(strings.Replace(good, "K: 4}", "K: 4, densities: {A: 0.5}}", 1) + `sparse_optimizations:
  targets:
    - name: Buffer
      representation_format: {data_spaces: [{name: A, ranks: [{format: UOP}, {format: CP}]}]}
      action_optimization: [{type: skipping, options: [{target: B, condition_on: [A]}]}]
ERT: {version: 0.4, tables: [{name: MAC, actions: [{name: compute, energy: 1}]}]}
`))
	f.Add([]byte(strings.Replace(good, "M4 N4 K1", "M=3,1 N=4 K=1", 1)))
	f.Add([]byte(`architecture_constraints: {targets: [{target: Buffer, type: temporal, factors: "M<=2,N=0", permutation: K}]}` + "\n" + good))
	f.Fuzz(func(t *testing.T, b []byte) {
		in, err := Read(Source{Name: "a.yaml", Text: b})
		if err != nil {
			require.Nil(t, in)
			return
		}
		n, err := nest.New(&in.Problem, &in.Arch, in.Sparse, nest.Rules2025)
		if err != nil || in.Mapping == nil || in.Legal(n) != nil || in.Problem.MACs() > 1e6 {
			return
		}
		var r nest.Result
		n.Evaluate(in.Mapping, &r)
		require.GreaterOrEqual(t, r.Steps*r.ComputeInstances+1, r.Computes)
	})
}

// mappingOf is the mapping in Timeloop's form.
func mappingOf(t *testing.T, in *Input) []byte {
	b, err := Print(&in.Description, in.Mapping)
	require.NoError(t, err)
	return b
}
