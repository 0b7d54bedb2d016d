package ramulator_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/importer"
	"github.com/causeway-sim/causeway/components/importer/importertest"
	"github.com/causeway-sim/causeway/components/importer/ramulator"
)

func TestImportOfCores(t *testing.T) {
	res := importertest.Case(t, "ramulator", "cores")
	m, ok := res.Metric("Mem", "reads")
	require.True(t, ok)
	require.Positive(t, m.Value)
}

// A read of a closed row takes RCD, CL and the burst of the speed bin: 9 + 9 + 4 clocks of 1.25 ns.
func TestImportOfTrace(t *testing.T) {
	res := importertest.Case(t, "ramulator", "trace")
	m, ok := res.Metric("Driver", "read_latency_from_arrival_mean_ns")
	require.True(t, ok)
	require.Greater(t, m.Value, 22*1.25)
	require.Less(t, m.Value, 60*1.25)
}

func TestImportOfExport(t *testing.T) {
	importertest.Case(t, "ramulator", "export")
}

// write makes a configuration of one key; the names of the table are those of version 2.1.
func write(key, value string) *importer.Input {
	section, rest, _ := strings.Cut(key, ".")
	nest := func(path string) string {
		words := strings.Split(path, ".")
		return strings.Join(words, ": {") + ": " + value + strings.Repeat("}", len(words)-1)
	}
	front, memory, controller, dram := "impl: LoadStoreTrace, path: x", "impl: GenericDRAM", "", "impl: DDR4, timing: {rate: 3200}"
	switch {
	case key == "dram.impl" || key == "dram.timing" || key == "dram.timing.rate":
		dram = nest(rest)
		if key != "dram.impl" {
			dram += ", impl: DDR4"
		}
	case section == "dram" && strings.HasPrefix(rest, "timing."):
		dram = "impl: DDR4, " + nest(rest)
	case section == "dram":
		dram += ", " + nest(rest)
	case key == "frontend.impl":
		front = nest(rest)
	case key == "frontend.path":
		front = "impl: LoadStoreTrace, " + nest(rest)
	case section == "frontend" && rest != "clock_ratio":
		front = "impl: SimpleO3, " + nest(rest)
		if rest != "traces" {
			front += ", traces: [x]"
		}
	case section == "frontend":
		front += ", " + nest(rest)
	case section == "translation":
		front = "impl: SimpleO3, traces: [x], translation: {" + nest(rest) + "}"
	case key == "memory_system.impl":
		memory = nest(rest)
	case section == "memory_system":
		memory += ", " + nest(rest)
	case section == "channel_mapper":
		memory += ", channel_mapper: {" + nest(rest) + "}"
	case section == "controller":
		controller = nest(rest) + ", "
	case section == "no_such_key":
		memory += ", no_such_key: 1"
	default:
		controller = section + ": {" + nest(rest) + "}, "
	}
	text := "frontend: {" + front + "}\nmemory_system: {" + memory + ", controllers: [{" + controller + "dram: {" + dram + "}}]}\n"
	return &importer.Input{Files: []importer.File{{Path: "a", Text: text}}}
}

func TestTable(t *testing.T) {
	importertest.Tables(t, ramulator.Format)
	values := map[string]string{
		"dram.impl": "DDR5", "dram.org.preset": "DDR4_8Gb_x8", "dram.org.count": "[1, 1]", "dram.timing": "[3200]", "dram.timing.preset": "DDR4_3200AA",
		"dram.timing.rate": "2400", "frontend.impl": "External", "frontend.traces": "[x]", "frontend.llc_capacity_per_core": "1MB", "translation.impl": "RandomTranslation",
	}
	importertest.Every(t, ramulator.Format, func(key string) *importer.Input {
		value := values[key]
		if value == "" {
			value = "3"
		}
		return write(key, value)
	})
}

func TestRefuses(t *testing.T) {
	_, err := importer.Convert(ramulator.Format, write("dram.impl", "GDDR6"))
	require.ErrorContains(t, err, `a:2: dram.impl: unknown standard "GDDR6" (want one of: DDR3, DDR4, DDR5, HBM2, HBM3, LPDDR5)`)
}

// A speed bin sets its timings where they are not the grade's: DDR5-4800AN is 34-34-34 where ddr5_4800 is 36-36-36.
func TestSpeedBin(t *testing.T) {
	for bin, want := range map[string]string{"DDR5_4800AN": "CL: 34", "DDR5_4800B": "RC: 116", "DDR4_2400P": "CL: 15"} {
		kind, _, _ := strings.Cut(bin, "_")
		org := map[string]string{"DDR5": "DDR5_16Gb_x8", "DDR4": "DDR4_8Gb_x8"}[kind]
		text := "Frontend: {impl: LoadStoreTrace, path: x}\nMemorySystem: {impl: GenericDRAM, DRAM: {impl: " + kind + ", org: {preset: " + org + "}, timing: {preset: " + bin + "}}}\n"
		d, err := importer.Convert(ramulator.Format, &importer.Input{Name: "a", Files: []importer.File{{Path: "a", Text: text}}})
		require.NoError(t, err, bin)
		out, err := d.Bytes()
		require.NoError(t, err)
		require.Contains(t, string(out), want, bin)
	}
}

// A key of its own wins over the preset, in clocks or, as in version 2.0, in nanoseconds; clocks go
// first. It is written also where it takes the preset back to the grade's value.
func TestTimingOverPreset(t *testing.T) {
	convert := func(kind, timing string) (string, error) {
		text := "Frontend: {impl: External}\nMemorySystem: {impl: GenericDRAM, DRAM: {impl: " + kind + ", timing: {" + timing + "}}}\n"
		d, err := importer.Convert(ramulator.Format, &importer.Input{Name: "a", Files: []importer.File{{Path: "a", Text: text}}})
		if err != nil {
			return "", err
		}
		out, err := d.Bytes()
		require.NoError(t, err)
		_, err = experiment.Parse("a.yaml", out, experiment.Options{})
		require.NoError(t, err, timing)
		return string(out), nil
	}
	for _, c := range []struct{ kind, timing, want string }{
		{"DDR4", "preset: DDR4_2400R, nRCD: 18, nCL: 18, nRP: 19", "timing:\n      CL: 18 # dram.timing.nCL = 18\n      RCD: 18 # dram.timing.nRCD = 18\n      RP: 19 # dram.timing.nRP = 19\n"},
		{"DDR4", "preset: DDR4_2400P, nRCD: 17", "RCD: 17 # dram.timing.nRCD = 17\n"}, // of the grade
		{"DDR4", "preset: DDR4_2400R, tRCD: 15", "RCD: 18 # dram.timing.tRCD = 15\n"}, // 15,000 ps / 833 ps = 18.007
		{"DDR4", "preset: DDR4_2400R, tRCD: 15.1", "RCD: 19 # dram.timing.tRCD = 15.1\n"},
		{"DDR4", "preset: DDR4_2400R, tRCD: 15, nRCD: 20", "RCD: 20 # dram.timing.nRCD = 20\n"},
		{"DDR5", "preset: DDR5_4800B, tRCD: 17", "RCD: 41 # dram.timing.tRCD = 17\n"}, // 17,000 ps * 0.997 / 416 ps = 40.7
		{"DDR4", "preset: DDR4_2400R, nRDC: 18", `a:2: dram.timing.nRDC = 18 (did you mean "dram.timing.nRCD"?)`},
		{"HBM3", "preset: HBM3_6400Mbps, nRCDRD: 18", "timings of HBM3 are those of the grade"},
	} {
		out, err := convert(c.kind, c.timing)
		require.NoError(t, err, c.timing)
		require.Contains(t, out, c.want, c.timing)
	}
	_, err := convert("DDR4", "preset: DDR4_2400R, nRCD: x")
	require.EqualError(t, err, `a:2: dram.timing.nRCD: "x" is not a number`)
}

// A frontend without its trace, and a needed key that is misspelt, are errors as in the tool.
func TestNeeded(t *testing.T) {
	for text, want := range map[string]string{
		"Frontend: {impl: LoadStoreTrace}":                           "frontend.path: has no trace",
		"Frontend: {impl: LoadStoreTrace, path: x, clock_ration: 2}": `a:1: frontend.clock_ration: unknown key (did you mean "frontend.clock_ratio"?); Ramulator 2 ends with an error, as frontend.clock_ratio is missing`,
	} {
		_, err := importer.Convert(ramulator.Format, &importer.Input{Name: "a", Files: []importer.File{{Path: "a", Text: text + "\nMemorySystem: {impl: GenericDRAM, DRAM: {impl: DDR4, timing: {preset: DDR4_2400R}}}\n"}}})
		require.ErrorContains(t, err, want)
	}
}
