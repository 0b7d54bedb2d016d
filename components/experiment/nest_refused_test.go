package experiment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// own is a node with a problem of its own.
func own(outermost, more string) string {
	return `
nodes:
  - name: Core
    kind: spatial
    levels:
      - {name: DRAM` + outermost + `}
      - {name: Buffer, capacity: 64KiB, fanout: {x: 16, y: 16}}
      - {name: Registers, capacity: 64B}
    problem: {dims: {N: 64, M: 64, C: 64}}
` + more
}

const ownMapping = "    mapping: [{level: Buffer, loops: [N 4, M 4, C 64], x: [M 16], y: [N 16]}]\n"

// A level that no mapping fits into is refused before a search, at its place: the search
// drew for minutes.
func TestNestTooSmall(t *testing.T) {
	for _, x := range []struct {
		name, config, want string
		set                []string
	}{
		{"workload", nested("tile", "levels: [{name: DRAM, capacity: 1KiB}, {name: Buffer, capacity: 64KiB}]", "latency: 1ns"),
			`:13:\d+: nodes.Core.levels.DRAM: gemm_1: level DRAM has to hold 4464 words of Weights, Inputs, Outputs, which the outermost level holds whole: 3440 more than its 1024`, nil},
		{"own", own(", capacity: 1KiB", "    search: {objective: cycles}\n"),
			`:7:\d+: nodes.Core.levels.DRAM: no mapping is given, and none can be searched for: level DRAM has to hold 12288 words`, nil},
		{"fixed", own("", "    search: {objective: cycles}\n"), `nodes.Core.levels.Registers: .*level Registers has to hold 512 words of Inputs, whatever the mapping: 448 more than its 64`,
			[]string{"Core.levels.Registers.keep=[Inputs]", "Core.levels.Registers.constraints={factors: {N: \"64\", C: \"8\"}}"}},
		{"objective", own("", "    search: {objective: edp}\n"), `nodes.Core.search.objective: .* edp, which needs energies .*want one of: cycles, traffic, time`, nil},
		{"again", own("", ownMapping+"    search: {always: true}\n"), `a mapping is given, and with search.always \(map: --search\)`, nil},
	} {
		t.Run(x.name, func(t *testing.T) {
			_, err := scheduled(t, x.config, experiment.Options{Set: x.set})
			require.Error(t, err)
			require.Regexp(t, x.want, err.Error())
		})
	}
}

// What a nest's keys and a workload do not go together in is said before the run, and what
// has no effect is warned of.
func TestNestKeysWithoutUse(t *testing.T) {
	levels, layers := "levels: [{name: DRAM%s}, {name: Buffer, capacity: 64KiB}]", func(match string) string {
		return "{match: " + match + ", mapping: [{level: Buffer, loops: [M 2]}]}"
	}
	core := func(outermost, more string) string {
		return nested("tile", fmt.Sprintf(levels, outermost)+more, "latency: 1ns")
	}
	for _, x := range []struct{ name, config, want string }{
		{"match", core("", ", layers: ["+layers("gem_1")+"]"), `nodes.Core.layers\[0\].match: no product of the workload is called "gem_1".*did you mean "gemm_1"`},
		{"twice", core("", ", layers: ["+layers("gemm_1")+", "+layers("gemm_1")+"]"), `nodes.Core.layers\[1\].match: "gemm_1" is there twice \(layers\[0\] has it\)`},
		{"problem", own("", ownMapping) + "workload: {ops: [{op: gemm, m: 8, n: 8, k: 8}]}\n", `no node that can carry it out \(Core has a problem \(key problem\) of its own`},
	} {
		t.Run(x.name, func(t *testing.T) {
			_, err := parse(x.config) // as check does: nothing runs
			require.Error(t, err)
			require.Regexp(t, x.want, err.Error())
		})
	}
	for _, x := range []struct{ config, want string }{
		{core(", bandwidth: 1word/cycle", ""), "nodes.Core: levels.DRAM.bandwidth has no effect"},
		{own("", ownMapping+"    search: {evaluations: 7}\n"), "nodes.Core: search.evaluations has no effect"},
	} {
		r, err := scheduled(t, x.config, experiment.Options{})
		require.NoError(t, err)
		require.Contains(t, strings.Join(r.Warnings, "\n"), x.want)
	}
}

// Nodes that map the products of a workload as nests are those that flags of map are for.
// They search once: what the configuration says of a search, here one without end, is not
// carried out first. Errors point at the flag.
func TestNestSearchers(t *testing.T) {
	for name, text := range map[string]string{
		"workload": strings.Replace(nested("tile", "levels: [{name: DRAM}, {name: Buffer, capacity: 64KiB}]", "latency: 1ns"), "evaluations: 300", "evaluations: 200000000000000", 1),
		"its own":  "nodes:\n  - {name: Core, kind: spatial, fidelity: tile, levels: [{name: DRAM}, {name: Buffer, capacity: 64KiB}], problem: {dims: {N: 64, M: 64}}, search: {evaluations: 200000000000000}}\n  - {name: Mem, kind: memory, fidelity: ideal, latency: 1ns}\nlinks: [Core -> Mem]\n",
	} {
		t.Run(name, func(t *testing.T) {
			ask := func(evaluations string) error {
				x, err := experiment.Parse("nest.yaml", []byte("schema: causeway/1\n"+text), experiment.Options{Search: func(nodes []string) ([]experiment.Setting, error) {
					require.Equal(t, []string{"Core"}, nodes)
					return []experiment.Setting{{Flag: "--search", Set: "Core.search.always=true"}, {Flag: "--objective", Set: "Core.search.objective=traffic"}, {Flag: "--evaluations", Set: "Core.search.evaluations=" + evaluations}}, nil
				}})
				if err == nil {
					_, err = x.Mapping("")
				}
				return err
			}
			require.NoError(t, ask("10"))
			require.EqualError(t, ask("-10"), "--evaluations: nodes.Core.search.evaluations: evaluations are -10 (want 1 or more)")
		})
	}
}

func parse(text string) (*experiment.Experiment, error) {
	return experiment.Parse("nest.yaml", []byte("schema: causeway/1\n"+text), experiment.Options{})
}

// With a workload too, an objective that needs energies says so where there are none; and a
// kind of DRAM alone is no energy of a chip.
func TestNestObjectiveWithoutEnergies(t *testing.T) {
	text := func(more string) string {
		return strings.Replace(nested("tile", "levels: [{name: DRAM}, {name: Buffer, capacity: 64KiB}]"+more, "latency: 1ns"), "evaluations: 300", "evaluations: 300, objective: edp", 1)
	}
	_, err := parse(text(""))
	require.ErrorContains(t, err, "nodes.Core.search.objective: search.objective (map: --objective) is edp, which needs energies (energy.process, energy of levels, or ert_file; without them want one of: cycles, traffic, time)")
	_, err = parse(text(", energy: {process: 45nm}"))
	require.NoError(t, err)
	_, err = parse(text(", energy: {dram: hbm2}"))
	require.ErrorContains(t, err, "nodes.Core.energy.dram: has no effect without energy.process")
}
