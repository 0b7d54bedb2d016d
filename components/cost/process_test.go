package cost

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
	_ "github.com/causeway-sim/causeway/configs/yaml"
)

func TestProcessesAreTheKeysWords(t *testing.T) {
	item := schema.Of(Chip{})["properties"].(schema.Schema)["process"].(schema.Schema)
	var want []any
	for _, p := range processes {
		want = append(want, p.name)
		// A newer process takes more electricity, gas and money for the same area.
		require.Positive(t, p.electricity)
		require.Less(t, p.gas99, p.gas95, p.name)
	}
	require.Equal(t, want, item["enum"])
}

func TestAbatementIsALine(t *testing.T) {
	p := Process("7nm").figures()
	require.InDelta(t, 583*2.15+350+500, p.carbon(583, 0.95), 1e-9)
	require.InDelta(t, 583*2.15+200+500, p.carbon(583, 0.99), 1e-9)
	require.InDelta(t, 583*2.15+275+500, p.carbon(583, 0.97), 1e-9)
}

// What a section may not say, with its place.
func TestCheckRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"chips: [{name: A, process: 5nm}]":                                                  "a.yaml:1:9: chips.A: lacks the area of its die",
		"chips: [{name: A, process: 5nm, area: 8mm2, nodes: [X]}]":                          "chips.A.area: is given by nodes as well",
		"chips: [{name: A, process: 5nm, nodes: [X]}]":                                      "chips.A.nodes: needs fill",
		"chips: [{name: A, process: 5nm, area: 8mm2, fill: 0.5}]":                           "chips.A.fill: has no effect without nodes",
		"chips: [{name: A, process: 3nm, area: 8mm2}]":                                      "no price of a wafer of 3nm is published",
		"chips: [{name: A, process: 5nm, area: 8mm2, diameter: 200mm}]":                     "published prices are those of wafers of 300mm",
		"chips: [{name: A, process: 5nm, area: 500cm2}]":                                    "chips.A.area: no die of 5e+04 mm2 fits",
		"chips: [{name: A, process: 5nm, area: 1mm2, ring: 160mm}]":                         "fits on a wafer of 0 mm",
		"chips: [{name: A, process: 5nm, area: 8mm2}, {name: A, process: 5nm, area: 8mm2}]": "chips.A.name: a chip A stands above",
		"{chips: [{name: A, process: 5nm, area: 8mm2}], utilization: 0.5}":                  "utilization: has no effect without years",
		"{chips: [{name: A, process: 5nm, area: 8mm2}], grid: {}}":                          "grid: has no intensity",
		"{chips: [{name: A, process: 5nm, area: 8mm2}], grid: {intensity: 1, file: x.csv}}": "grid.file: intensity is given as well",
		"{chips: [{name: A, process: 5nm, area: 8mm2}], grid: {intensity: 1, start: 3}}":    "grid.start: has no effect",
		"{chips: [{name: A, process: 5nm, area: 8mm2}], grid: {intensity: 1, hours: 3}}":    "grid.hours: has no effect",
		"chips: [{name: A, process: 6nm, area: 8mm2}]":                                      `"6nm"`,
		"chips: [{name: A, process: 5nm, area: 8mm2, yield: {name: fixed, yield: 0}}]":      "want more than 0",
		"chips: [{name: A, process: 5nm, area: 814}]":                                       "chips.A.area",
		"chips: [{name: A, process: 5nm, area: 8mm2, fab: {abatement: 0.9}}]":               "want at least 0.95",
		"chips: []": "chips",
	} {
		v, err := configs.ParseValue("a.yaml", []byte(text))
		require.NoError(t, err)
		var s Spec
		if err = v.Decode(&s); err == nil {
			err = s.Check(v)
		}
		require.ErrorContains(t, err, want, text)
	}
	v, err := configs.ParseValue("a.yaml", []byte("{chips: [{name: A, process: 3nm, area: 8mm2, wafer: 20000, diameter: 200mm}], grid: {intensity: 0}, years: 4, utilization: 0.5}"))
	require.NoError(t, err)
	var s Spec
	require.NoError(t, v.Decode(&s))
	require.NoError(t, s.Check(v))
}
