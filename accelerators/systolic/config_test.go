package systolic

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

const coreAndMemory = `
schema: causeway/1
nodes:
  - name: Core
    kind: systolic
    fidelity: tile
    rows: 32
    cols: 32
    clock: 940MHz
    sram: {ifmap: 256KiB, filter: 256KiB, ofmap: 256KiB}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 80ns, bandwidth: 51.2GB/s, clock: 1600MHz}
links:
  - {link: Core -> Mem, latency: 3ns}
`

func fromConfig(t require.TestingT, text string, set ...string) (*system.System, *engine.Engine, error) {
	doc, err := configs.Parse("test.yaml", []byte(text), configs.Options{Set: set})
	require.NoError(t, err)
	e := engine.New()
	s, err := system.Build(doc, &system.Env{Engine: e})
	return s, e, err
}

// A configured core runs a network, and both fidelities agree at a link
// with a latency, in other clocks.
func TestConfiguredCore(t *testing.T) {
	g, err := zoo.Build("resnet18", zoo.Params{})
	require.NoError(t, err)
	var tables []string
	for _, f := range []string{"tile", "analytic"} {
		s, e, err := fromConfig(t, strings.Replace(coreAndMemory, "tile", f, 1))
		require.NoError(t, err)
		w := s.Node("Core").(worker)
		placed, err := s.Place(g)
		require.NoError(t, err)
		require.NoError(t, work.IssueAll(w, work.Share{Graph: g, Program: program(t, g, w.inside().spec), Base: func(id graph.TensorID) uint64 {
			if id == dma.Scratch {
				return 1 << 40
			}
			return placed.Base(0, id)
		}}))
		require.NoError(t, w.Start())
		require.NoError(t, e.Run())
		require.Empty(t, w.Stats().Verify())
		require.Empty(t, w.Waiting())
		tables = append(tables, fmt.Sprint(w.Layers().Rows, w.Stats().Metrics()))
	}
	require.Equal(t, tables[0], tables[1])
}

func TestOneElementIsOverridden(t *testing.T) {
	text := strings.Replace(coreAndMemory, "kind: systolic", "kind: systolic\n    count: 3", 1)
	s, _, err := fromConfig(t, text, "Core[1].rows=64")
	require.NoError(t, err)
	for i, n := range s.Array("Core") {
		k := n.(worker).inside()
		require.Equal(t, map[bool]int{true: 64, false: 32}[i == 1], k.spec.Rows)
		require.Equal(t, uint16(i), k.element)
	}
}

func TestBadKeys(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"Core.rows=0", "rows"},
		{"Core.rows=8.5", "rows"},
		{"Core.dataflow=rs", "want one of: dip, is, os"},
		{"Core.clock=3", "unit"},
		{"Core.sram.ifmap=1B", "sram.ifmap: is 1B (want 2B to 1TiB)"},
		{"Core.dma.burst=0B", "dma.burst: is 0B (want 1B to 16MiB)"},
		{"Core.dma.outstanding=0", "outstanding"},
		{"Core.dma.outstandng=3", `did you mean "outstanding"?`},
		{"Core.timing=scale", "physical, scalesim"},
		{"Core.scalesim_dram=true", "has no effect with timing physical (used by: scalesim)"},
		{"Core.overlap.drain=1", "drain"},
		{"Core.vector.lanes=0", "lanes"},
	} {
		_, _, err := fromConfig(t, coreAndMemory, c.set)
		require.ErrorContains(t, err, c.want, c.set)
		require.ErrorContains(t, err, "--set:1:", c.set)
	}
	_, _, err := fromConfig(t, strings.Replace(coreAndMemory, "rows: 32", "timing: scalesim\n    dma: {burst: 1KiB}\n    rows: 32", 1))
	require.ErrorContains(t, err, "test.yaml:8:10: nodes.Core.dma: has no effect with timing scalesim (used by: physical)")
	_, _, err = fromConfig(t, strings.Replace(coreAndMemory, "rows: 32", "timing: scalesim\n    stages: 2\n    rows: 32", 1))
	require.ErrorContains(t, err, "test.yaml:8:13: nodes.Core.stages: has no effect with timing scalesim (used by: physical)")
}

// Keys of NVDLA's sheet are of effect with its timing alone, and have to make sense.
func TestSheetKeys(t *testing.T) {
	set := func(with string) string {
		return strings.Replace(coreAndMemory, "rows: 32", with+"\n    rows: 32", 1)
	}
	for with, want := range map[string]string{
		"nvdla: {sram: 1MiB}": "nodes.Core.nvdla: has no effect with timing physical (used by: nvdla)",
		"timing: nvdla":       "nodes.Core.sram: has no effect with timing nvdla (used by: physical)",
		"timing: nvdla\n    nvdla: {sram: 1MiB, sram_read: 0GB/s}":         "nodes.Core.nvdla.sram_read: is no bandwidth (want more than 0)",
		"timing: nvdla\n    nvdla: {refetch: true}":                        "nodes.Core.nvdla.refetch: has no effect with a second memory (want sram: 0B)",
		"timing: nvdla\n    nvdla: {sram: 0B, compression: 1, kernels: 1}": "nodes.Core.nvdla.compression: is 1 (want 0 to less than 1)",
	} {
		_, _, err := fromConfig(t, set(with))
		require.ErrorContains(t, err, want, with)
	}
	_, _, err := fromConfig(t, strings.Replace(set("timing: nvdla"), "rows: 32", "scalesim_dram: true\n    rows: 32", 1))
	require.ErrorContains(t, err, "has no effect with timing nvdla (used by: scalesim)")
}

// A key that the timing does not read is an error where the user gives it above a preset
// with that timing, and a warning where a --set chooses the timing; presets themselves
// say nothing.
func TestKeysTheTimingDoesNotRead(t *testing.T) {
	preset := func(with string) string {
		return fmt.Sprintf("schema: causeway/1\nnodes:\n  - {name: Core, kind: systolic, preset: nvdla_small, %s}\n", with)
	}
	for with, want := range map[string]string{
		"timing: nvdla, pe: {int8: 2}":               "nodes.Core.pe: has no effect with timing nvdla (used by: physical)",
		"timing: scalesim, pe: {int8: 2}":            "nodes.Core.pe: has no effect with timing scalesim (used by: physical)",
		"timing: scalesim, nvdla: {fc_batch: 2}":     "nodes.Core.nvdla: has no effect with timing scalesim (used by: nvdla)",
		"timing: nvdla, sparsity: 2:4, on_chip: all": "nodes.Core.sparsity: has no effect with timing nvdla (used by: physical)",
	} {
		_, _, err := fromConfig(t, preset(with))
		require.ErrorContains(t, err, want, with)
	}
	s, _, err := fromConfig(t, preset("pe: {int8: 2}, sram: {ofmap: 16KiB}"), "Core.timing=nvdla")
	require.NoError(t, err)
	require.Equal(t, []string{
		"nodes.Core: key pe has no effect with timing nvdla (used by: physical)",
		"nodes.Core: key sram has no effect with timing nvdla (used by: physical)",
	}, s.Node("Core").(system.Warner).Warnings())
	s, _, err = fromConfig(t, preset("rows: 16"), "Core.timing=nvdla")
	require.NoError(t, err)
	require.Empty(t, s.Node("Core").(system.Warner).Warnings(), "keys of the preset")
	s, _, err = fromConfig(t, preset("timing: nvdla, nvdla: {buffer: 1MiB, sram_read: 1GB/s}"))
	require.NoError(t, err)
	require.Equal(t, []string{
		"nodes.Core: key nvdla.sram_read has no effect without a second memory (nvdla.sram)",
		"nodes.Core: key nvdla.buffer has no effect without nvdla.refetch",
	}, s.Node("Core").(system.Warner).Warnings())
	s, _, err = fromConfig(t, preset("timing: nvdla, nvdla: {buffer: 1MiB, refetch: true}"))
	require.NoError(t, err)
	require.Empty(t, s.Node("Core").(system.Warner).Warnings())
	_, _, err = fromConfig(t, preset("rows: 16"), "Core.timing=nvdla", "Core.pe={int8: 2}")
	require.ErrorContains(t, err, "nodes.Core.pe: has no effect with timing nvdla")
}

// A preset that chooses the timing is below all keys of the user.
func TestPresetsTimingIsBelowKeys(t *testing.T) {
	v, err := configs.ParseValue("test.yaml", []byte("pe: {int8: 2}"))
	require.NoError(t, err)
	p, err := configs.ParseValue("preset:slow", []byte("timing: nvdla\nsram: {ifmap: 1KiB}"))
	require.NoError(t, err)
	warnings, errs := unusedKeys(&Spec{Timing: NVDLA}, p.Merge(v))
	require.ErrorContains(t, errs.Err(), "pe: has no effect with timing nvdla (used by: physical)")
	require.ErrorContains(t, errs.Err(), "sram: has no effect", "a preset that contradicts itself")
	require.Empty(t, warnings)
}
