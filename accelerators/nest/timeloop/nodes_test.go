package timeloop

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/nest"
)

// The files as their author wrote them, with containers and components, count as what
// Timeloop's front end makes of them: of every model case, with each of its mappings
// of which one is the resolved input's.
func TestNodesAreTheResolvedForm(t *testing.T) {
	cases := 0
	for _, dir := range kept(t) {
		files, err := filepath.Glob(filepath.Join(dir, "source", "*.yaml"))
		require.NoError(t, err)
		if len(files) == 0 {
			continue
		}
		var common, maps []Source
		for _, f := range files {
			b, err := os.ReadFile(f)
			require.NoError(t, err)
			s := Source{Name: filepath.Base(f), Text: b}
			if strings.HasSuffix(f, ".map.yaml") {
				maps = append(maps, s)
			} else {
				common = append(common, s)
			}
		}
		b, err := os.ReadFile(filepath.Join(dir, "ERT.yaml"))
		require.NoError(t, err)
		common = append(common, Source{Name: "ERT.yaml", Text: b})
		want := load(t, dir)
		n, err := nest.New(&want.Problem, &want.Arch, nil, nest.Rules2024)
		require.NoError(t, err)
		var a nest.Result
		n.Evaluate(want.Mapping, &a)
		found, same := false, false
		for _, m := range maps {
			in, err := Read(append(append([]Source(nil), common...), m)...)
			require.NoError(t, err)
			n, err := nest.New(&in.Problem, &in.Arch, nil, nest.Rules2024)
			require.NoError(t, err)
			require.NoError(t, in.Legal(n))
			// The source of model_04 is of another revision than its resolved input: the
			// buffer lies outside of the fan-out in one and inside in the other.
			same = same || levelNames(in) == levelNames(want)
			var b nest.Result
			n.Evaluate(in.Mapping, &b)
			found = found || equalResults(&a, &b)
		}
		if !same {
			continue
		}
		require.True(t, found, "%s: no mapping of %d gives the resolved counts", dir, len(maps))
		cases++
	}
	require.GreaterOrEqual(t, cases, 6)
}

func levelNames(in *Input) string {
	s := ""
	for i := range in.Arch.Levels {
		s += in.Arch.Levels[i].Name + " "
	}
	return s
}

func equalResults(a, b *nest.Result) bool {
	if a.Cycles != b.Cycles || a.Energy != b.Energy || len(a.Counts) != len(b.Counts) {
		return false
	}
	for i := range a.Counts {
		x, y := a.Counts[i], b.Counts[i]
		if x.Kept != y.Kept || x.Actual != y.Actual || x.Capacity != y.Capacity || x.Instances != y.Instances {
			return false
		}
	}
	return true
}

// What has no tag, or stands in the wrong place, is an error.
func TestBadNodes(t *testing.T) {
	const arch = `architecture:
  version: 0.4
  nodes:
    - !Component
      name: DRAM
      class: DRAM
      attributes: {width: 64, datawidth: 16}
    - !Container
      name: PE
      spatial: {meshX: 4}
      constraints: {spatial: {factors: [M=4]}}
    - !Component
      name: MAC
      class: intmac
`
	const problem = `problem: {version: 0.4, shape: {name: x, dimensions: [M], data_spaces: [{name: C, projection: [[[M]]], read_write: true}]}, instance: {M: 4}}
`
	in, err := Read(Source{Name: "a.yaml", Text: []byte(arch + problem)})
	require.NoError(t, err)
	require.Equal(t, []string{"DRAM", "inter_PE_spatial"}, []string{in.Arch.Levels[0].Name, in.Arch.Levels[1].Name})
	require.Equal(t, nest.Mesh{X: 4, Y: 1}, in.Arch.Compute.Mesh)
	require.Equal(t, int64(4), in.Constraints.Levels[1].Spatial.Factor[0])
	for _, x := range []struct{ from, to, want string }{
		{"!Container", "!Box", "a.yaml:8:7: architecture.nodes[1]: tag !Box is not known here"},
		{"- !Component\n      name: MAC", "- name: MAC", "has no tag that says what it is (want one of: !Container, !Component, !Parallel, !Hierarchical)"},
		{"meshX: 4", "meshZ: 4", "meshZ: unknown key (want one of: meshX, meshY"},
		{"{spatial: {factors: [M=4]}}", "{temporal: {factors: [M=4]}}", "temporal: unknown key (want spatial"},
		{"class: intmac", "class: intmac\n      attributes: {meshX: 2}", "has its place under spatial"},
		{"factors: [M=4]", "factors: [N=4]", `"N=4" is no factor of a dimension`},
	} {
		require.Equal(t, 1, strings.Count(arch, x.from), x.from)
		_, err := Read(Source{Name: "a.yaml", Text: []byte(strings.Replace(arch, x.from, x.to, 1) + problem)})
		require.ErrorContains(t, err, x.want)
	}
}
