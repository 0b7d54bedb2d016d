package design

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/nest/timeloop"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
)

// kept reads Timeloop's own files, one case per folder.
func kept(t testing.TB) map[string]*timeloop.Input {
	root := os.Getenv("CAUSEWAY_INPUTS")
	if root == "" {
		root = "../../../../shared/inputs"
	}
	dirs, err := filepath.Glob(filepath.Join(root, "timeloop", "*", "stats.txt"))
	require.NoError(t, err)
	if len(dirs) == 0 {
		t.Skip("no inputs of Timeloop here")
	}
	out := map[string]*timeloop.Input{}
	for _, f := range dirs {
		var list []timeloop.Source
		for _, name := range []string{"input.yaml", "map.yaml", "ERT.yaml", "ART.yaml"} {
			if b, err := os.ReadFile(filepath.Join(filepath.Dir(f), name)); err == nil {
				list = append(list, timeloop.Source{Name: name, Text: b})
			}
		}
		in, err := timeloop.Read(list...)
		require.NoError(t, err)
		out[filepath.Base(filepath.Dir(f))] = in
	}
	return out
}

func evaluate(t *testing.T, d *nest.Description) *nest.Result {
	n, err := nest.New(&d.Problem, &d.Arch, d.Sparse, nest.Rules2024)
	require.NoError(t, err)
	require.NoError(t, n.Legal(d.Mapping))
	r := &nest.Result{}
	n.Evaluate(d.Mapping, r)
	return r
}

func parse(t *testing.T, text []byte) configs.Value {
	v, err := configs.ParseValue("own.yaml", text)
	require.NoError(t, err, string(text))
	return v
}

// A mapping of Timeloop's, written in Causeway's form, read, written in Timeloop's and
// read again counts as it did, in every kept case.
func TestMappingThereAndBack(t *testing.T) {
	for name, in := range kept(t) {
		t.Run(name, func(t *testing.T) {
			want := evaluate(t, &in.Description)
			ours, err := ReadMapping(&in.Description, parse(t, PrintMapping(&in.Description, in.Mapping)))
			require.NoError(t, err)
			require.Equal(t, want, evaluate(t, &ours.Description))
			text, err := timeloop.Print(&ours.Description, ours.Mapping)
			require.NoError(t, err)
			again, err := timeloop.ReadMapping(&in.Description, timeloop.Source{Name: "again.yaml", Text: text})
			require.NoError(t, err)
			require.Equal(t, want, evaluate(t, &again.Description))
		})
	}
}

// A whole nest of Timeloop's, machine and problem too, written in Causeway's form and
// read counts as it did. Tensors keep their order, dimensions and so loops may not.
func TestWholeThereAndBack(t *testing.T) {
	for name, in := range kept(t) {
		t.Run(name, func(t *testing.T) {
			want := evaluate(t, &in.Description)
			text, err := Print(&in.Description)
			require.NoError(t, err)
			ours, err := ReadFile(parse(t, text), 1e9)
			require.NoError(t, err, string(text))
			got := evaluate(t, &ours.Description)
			require.InEpsilon(t, want.Energy, got.Energy, 1e-9)
			for _, r := range []*nest.Result{want, got} { // energies go through joules and back
				r.Energy, r.ComputeEnergy = 0, 0
				for i := range r.Levels {
					r.Levels[i].Energy, r.Levels[i].Leakage = 0, 0
				}
				for i := range r.Counts {
					r.Counts[i].Energy, r.Counts[i].EnergyEach = 0, 0
				}
			}
			require.Equal(t, want, got)
			require.InEpsilon(t, 1+in.Arch.Area(), 1+ours.Arch.Area(), 1e-12)
			twice, err := Print(&ours.Description)
			require.NoError(t, err)
			again, err := ReadFile(parse(t, twice), 1e9)
			require.NoError(t, err)
			fixed, err := Print(&again.Description)
			require.NoError(t, err)
			require.Equal(t, string(twice), string(fixed))
		})
	}
}
