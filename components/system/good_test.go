package system_test

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// testdata/good.txt is a transcript: a configuration, a line of dashes, and
// what Build makes of it: nodes with their specs, the address map of each
// requesting port with the paths (cycles there + inside + back, bandwidth), and
// the wires.
func TestGoodConfigs(t *testing.T) {
	const file = "testdata/good.txt"
	var out strings.Builder
	for _, c := range goodConfigs(t) {
		got := describe(must(t, c.config)) + "\n"
		out.WriteString("=== " + c.name + "\n" + c.config + "---\n" + got)
		if !*update {
			require.Equal(t, c.want, got, c.name)
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(out.String()), 0o644))
	}
}

type goodConfig struct{ name, config, want string }

func goodConfigs(t testing.TB) []goodConfig {
	src, err := os.ReadFile("testdata/good.txt")
	require.NoError(t, err)
	var out []goodConfig
	for part := range strings.SplitSeq(string(src), "=== ") {
		if part == "" {
			continue
		}
		name, rest, _ := strings.Cut(part, "\n")
		config, want, ok := strings.Cut(rest, "---\n")
		require.True(t, ok, name)
		out = append(out, goodConfig{name, config, want})
	}
	return out
}

// The order of nodes, links and ranges in the file changes nothing.
func TestOrderOfTheFileDoesNotMatter(t *testing.T) {
	cs := goodConfigs(t)
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(cs).Draw(t, "config")
		seed := rapid.Uint64().Draw(t, "seed")
		s, err := build(shuffle(c.config, rand.New(rand.NewPCG(seed, 0))))
		require.NoError(t, err)
		require.Equal(t, c.want, describe(s)+"\n")
	})
}

// shuffle permutes the items of the top-level lists; each is one line here.
func shuffle(config string, r *rand.Rand) string {
	lines := strings.Split(config, "\n")
	for i := 0; i < len(lines); i++ {
		j := i
		for j < len(lines) && strings.HasPrefix(lines[j], "  - ") {
			j++
		}
		part := lines[i:j]
		r.Shuffle(len(part), func(a, b int) { part[a], part[b] = part[b], part[a] })
		i = max(i, j)
	}
	return strings.Join(lines, "\n")
}

func TestElementsOfAnArray(t *testing.T) {
	s := must(t, `
schema: causeway/1
nodes:
  - {name: Core, kind: core, count: 12}
  - {name: Mem, kind: memory, fidelity: ideal, size: 1GiB}
links:
  - Core -> Mem
`, "Core[1].rows=64", "Core[10..11].fidelity=analytic")
	cores := s.Array("Core")
	require.Len(t, cores, 12)
	var rows []int
	for i, c := range cores {
		require.Equal(t, c.Name(), s.Nodes()[i].Name(), "numbers are ordered naturally")
		switch x := c.(core).spec.(type) {
		case tileSpec:
			rows = append(rows, x.Rows)
		case coreSpec:
			rows = append(rows, -x.Rows)
		}
	}
	require.Equal(t, []int{8, 64, 8, 8, 8, 8, 8, 8, 8, 8, -8, -8}, rows)
	require.Equal(t, "Core[2]", s.Node("Core[2]").Name())
	require.Nil(t, s.Node("Core"))
	require.Nil(t, s.Array("Nobody"))
	require.Len(t, s.Wires(), 1)
}
