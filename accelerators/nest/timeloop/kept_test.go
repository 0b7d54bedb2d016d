package timeloop

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/nest"
	_ "github.com/causeway-sim/causeway/configs/yaml"
)

// kept lists the folders of Timeloop's files.
func kept(t testing.TB) []string {
	root := os.Getenv("CAUSEWAY_INPUTS")
	if root == "" {
		root = "../../../../shared/inputs"
	}
	files, err := filepath.Glob(filepath.Join(root, "timeloop", "*", "stats.txt"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("no inputs of Timeloop here")
	}
	var out []string
	for _, f := range files {
		out = append(out, filepath.Dir(f))
	}
	return out
}

// load reads the files of one folder: the input, the mapping where it stands apart,
// and the tables.
func load(t testing.TB, dir string) *Input {
	var list []Source
	for _, name := range []string{"input.yaml", "map.yaml", "ERT.yaml", "ART.yaml"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if os.IsNotExist(err) {
			continue
		}
		require.NoError(t, err)
		list = append(list, Source{Name: name, Text: b})
	}
	in, err := Read(list...)
	require.NoError(t, err)
	return in
}

// Every kept case with its mapping: all that Timeloop counts, and its energies to the
// last digit that it prints. Reference: inputs/timeloop, Timeloop of May 2024.
func TestKeptCases(t *testing.T) {
	cases := kept(t)
	for _, dir := range cases {
		t.Run(filepath.Base(dir), func(t *testing.T) { compare(t, load(t, dir), readStats(t, filepath.Join(dir, "stats.txt"))) })
	}
}

func compare(t *testing.T, in *Input, s stats) {
	require.NotNil(t, in.Mapping)
	n, err := nest.New(&in.Problem, &in.Arch, in.Sparse, nest.Rules2024)
	require.NoError(t, err)
	require.NoError(t, in.Legal(n))
	var r nest.Result
	n.Evaluate(in.Mapping, &r)
	compared := 0
	expect := func(where string, from map[string]string, name string, got float64) {
		if text, ok := from[name]; ok {
			printed(t, where+": "+name, text, got)
			compared++
		}
	}
	printed(t, "Cycles", s.whole["Cycles"], r.Cycles)
	printed(t, "Energy in uJ", s.whole["Energy"], r.Energy/1e6)
	printed(t, "Utilization", s.whole["Utilization"], 100*n.Utilization(&r))
	c := s.levels[in.Arch.Compute.Name]
	require.NotEmpty(t, c)
	expect("compute", c, "Computes (total)", r.Computes)
	expect("compute", c, "Algorithmic Computes (total)", r.MACs)
	expect("compute", c, "Actual Computes (total)", r.Computes)
	expect("compute", c, "Cycles", r.Steps)
	expect("compute", c, "Utilized instances", r.ComputeInstances)
	expect("compute", c, "Utilized instances (max)", r.ComputeInstances)
	expect("compute", c, "Energy (total)", r.ComputeEnergy)
	expect("compute", c, "Area (total)", in.Arch.Compute.Area*float64(in.Arch.Compute.Mesh.Count()))
	rows := 0
	for l := range in.Arch.Levels {
		name := in.Arch.Levels[l].Name
		expect(name, s.levels[name], "Cycles", r.Levels[l].Cycles)
		expect(name, s.levels[name], "Leakage energy (total)", r.Levels[l].Leakage)
		expect(name, s.levels[name], "Area", float64(float32(in.Arch.Levels[l].Area))) // Timeloop keeps areas in single precision
		for k := range in.Problem.Tensors {
			of := r.Of(l, k)
			f, there := s.tensors[name][in.Problem.Tensors[k].Name]
			require.Equal(t, there, of.Kept, "%s keeps %s", name, in.Problem.Tensors[k].Name)
			if !there {
				continue
			}
			rows++
			where := name + " " + in.Problem.Tensors[k].Name
			for prefix, a := range map[string]nest.Accesses{"Scalar": of.Actual, "Actual scalar": of.Actual,
				"Algorithmic scalar": of.Algorithmic, "Gated scalar": of.Gated, "Skipped scalar": of.Skipped} {
				expect(where, f, prefix+" reads (per-instance)", a.Reads)
				expect(where, f, prefix+" fills (per-instance)", a.Fills)
				expect(where, f, prefix+" updates (per-instance)", a.Updates)
			}
			expect(where, f, "Partition size", of.Partition)
			expect(where, f, "Utilized capacity", of.Capacity)
			expect(where, f, "Data tile shape", of.Tile)
			expect(where, f, "Max utilized data storage capacity", of.Capacity)
			expect(where, f, "Utilized instances (max)", of.Instances)
			expect(where, f, "Utilized instances (average)", of.Average)
			expect(where, f, "Utilized clusters (max)", of.Clusters)
			expect(where, f, "Temporal reductions (per-instance)", of.Reductions)
			expect(where, f, "Address generations (per-cluster)", of.Addresses)
			expect(where, f, "Energy (per-instance)", of.EnergyEach)
			expect(where, f, "Energy (total)", of.Energy)
			for i := range of.Format {
				x := &of.Format[i]
				for title, u := range map[string]nest.Units{
					"Max utilized Repr format storage capacity":   x.Capacity,
					"Actual scalar format reads (per-instance)":   x.Reads,
					"Actual scalar format fills (per-instance)":   x.Fills,
					"Actual scalar format updates (per-instance)": x.Updates,
					"Gated scalar format reads (per-instance)":    x.GatedReads,
					"Skipped scalar format reads (per-instance)":  x.SkippedReads,
				} {
					rank := fmt.Sprintf("%s rank %d ", title, len(of.Format)-1-i)
					expect(where, f, rank+"metadata", u.Metadata)
					expect(where, f, rank+"payload", u.Payload)
				}
			}
		}
	}
	want := 0
	for _, x := range s.tensors {
		want += len(x)
	}
	require.Equal(t, want, rows, "rows of levels and tensors")
	require.Greater(t, compared, 8*rows)
	t.Logf("%d figures, %d rows", compared, rows)
}

// Under the rule of 2025 halos are kept also after loops that leave the tile in place:
// of the kept cases that changes these two and no other.
func TestRules2025(t *testing.T) {
	var changed []string
	for _, dir := range kept(t) {
		in := load(t, dir)
		var of [2]nest.Result
		for i, rules := range []nest.Rules{nest.Rules2024, nest.Rules2025} {
			n, err := nest.New(&in.Problem, &in.Arch, in.Sparse, rules)
			require.NoError(t, err)
			n.Evaluate(in.Mapping, &of[i])
		}
		if of[0].Energy != of[1].Energy {
			changed = append(changed, filepath.Base(dir))
			require.Less(t, of[1].Energy, of[0].Energy, dir)
		}
	}
	require.Equal(t, []string{"eyeriss_like", "simple_output_stationary"}, changed)
}
