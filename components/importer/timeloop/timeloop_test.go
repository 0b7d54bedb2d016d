package timeloop_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/importer"
	"github.com/causeway-sim/causeway/components/importer/importertest"
	"github.com/causeway-sim/causeway/components/importer/timeloop"
)

// 16 x 16 x 8 products on 16 units take 128 cycles.
func TestImport(t *testing.T) {
	res := importertest.Case(t, "timeloop", "gemm")
	m, ok := res.Metric("Core", "total_cycles")
	require.True(t, ok)
	require.InDelta(t, 128, m.Value, 0)
}

const input = `
architecture:
  version: 0.4
  subtree: [{name: system, local: [{name: "DRAM[1..1]", class: DRAM, attributes: {width: 64, datawidth: 16}}, {name: "MAC[1..1]", class: intmac}]}]
problem:
  version: 0.4
  shape: {name: dot, dimensions: [K], data_spaces: [{name: A, projection: [[[K]]]}, {name: B, projection: [[[K]]]}, {name: C, projection: [[[K]]], read_write: true}]}
  instance: {K: 4}
`

func TestTable(t *testing.T) {
	importertest.Tables(t, timeloop.Format)
	importertest.Every(t, timeloop.Format, func(key string) *importer.Input {
		text := input
		switch key {
		case "architecture", "problem":
		default:
			if m := len("mapper."); len(key) > m && key[:m] == "mapper." {
				text += "mapper: {" + key[m:] + ": 1}\n"
				break
			}
			text += key + ": {x: 1}\n"
		}
		return &importer.Input{Name: "a", Files: []importer.File{{Path: "a", Text: text}}}
	})
}

// The mapper may have a file of its own, as in the tool's exercises, or share one with the problem.
func TestMapperInAnotherFile(t *testing.T) {
	const mapper = "mapper: {algorithm: random, optimization_metrics: [delay], timeout: 9}\n"
	for name, files := range map[string][]importer.File{
		"its own": {{Path: "a", Text: input}, {Path: "m", Text: mapper}},
		"inside":  {{Path: "a", Text: input + mapper}},
		"shared":  {{Path: "a", Text: input}, {Path: "c", Text: "architecture_constraints: {targets: []}\n" + mapper}},
	} {
		d, err := importer.Convert(timeloop.Format, &importer.Input{Name: "x", Files: files})
		require.NoError(t, err, name)
		text, err := d.Bytes()
		require.NoError(t, err)
		require.Contains(t, string(text), "objective: cycles # mapper.optimization_metrics", name)
		require.Contains(t, d.Account(), "mapper.timeout", name)
	}
	_, err := importer.Convert(timeloop.Format, &importer.Input{Name: "x", Files: []importer.File{{Path: "a", Text: input}, {Path: "m", Text: mapper}, {Path: "n", Text: mapper}}})
	require.ErrorContains(t, err, "more than one mapper (want one of: m, n)")
}

// An attribute or a key of the mapper that the tool does not know is not one that has no effect.
func TestUnknownAttribute(t *testing.T) {
	text := strings.Replace(input, "datawidth: 16", "datawidth: 16, technolgy: 45nm, n_banks: 2, own: 3", 1) + "mapper: {timout: 3, timeout: 4}\n"
	d, err := importer.Convert(timeloop.Format, &importer.Input{Name: "x", Files: []importer.File{{Path: "a", Text: text}}})
	require.NoError(t, err)
	require.Contains(t, d.Account(), `Unknown keys, which are not carried over (Timeloop ignores them; attributes may be those of a class of Accelergy's):
    a:4:109: attributes.technolgy (did you mean "technology"?)
    a:4:138: attributes.own
    a:9: mapper.timout = 3 (did you mean "mapper.timeout"?)
Not carried over, or not as it is:
- changes no count, cycle or energy here
    attributes.n_banks
`)
}

func TestRefuses(t *testing.T) {
	_, err := importer.Convert(timeloop.Format, &importer.Input{Name: "a", Files: []importer.File{{Path: "a", Text: "problem: {shape: {}}\n"}}})
	require.ErrorContains(t, err, "a: no architecture")
}
