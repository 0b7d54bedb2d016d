package dram_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/dram"
)

// The schema of the node offers what there is.
func TestGradesAreOffered(t *testing.T) {
	f, _ := reflect.TypeFor[dram.Spec]().FieldByName("Grade")
	var words []string
	for w := range strings.SplitSeq(f.Tag.Get("jsonschema"), ",") {
		words = append(words, strings.TrimPrefix(w, "enum="))
	}
	require.ElementsMatch(t, words, dram.Grades())
	for _, n := range dram.Grades() {
		g, ok := dram.Find(n)
		require.True(t, ok)
		require.NotEmpty(t, g.Source, n)
		require.NotEmpty(t, g.Standard, n)
		require.GreaterOrEqual(t, g.Timing["RC"], g.Timing["RAS"]+g.Timing["RP"]-1, n)
	}
}

// The adjusted constraints of two-cycle commands: a precharge after a read of
// DDR5 waits one clock more, an activation after a precharge one less.
func TestTwoCycleCommands(t *testing.T) {
	g, _ := dram.Find("ddr5_4800")
	clocks := func(level dram.Level, prev, next dram.Command) int {
		most := 0
		for _, c := range g.Constraints {
			if c.Level == level && contains(c.Prev, prev) && contains(c.Next, next) {
				most = max(most, c.Clocks)
			}
		}
		return most
	}
	require.Equal(t, 19, clocks(dram.BankLevel, dram.RD, dram.PRE))
	require.Equal(t, 35, clocks(dram.BankLevel, dram.PRE, dram.ACT))
	require.Equal(t, 36, clocks(dram.BankLevel, dram.ACT, dram.RD))
	require.Equal(t, 78, clocks(dram.BankLevel, dram.ACT, dram.PRE))
	require.Equal(t, 709, clocks(dram.RankLevel, dram.REF, dram.ACT))
	require.Equal(t, 14, clocks(dram.RankLevel, dram.RD, dram.WR))
	require.Equal(t, 66, clocks(dram.GroupLevel, dram.WR, dram.RD))
}

func contains(cs []dram.Command, c dram.Command) bool {
	for _, x := range cs {
		if x == c {
			return true
		}
	}
	return false
}

const tiny = `{ // the least that makes a standard
  "source": "none // and nothing",
  "constraints": [["bank", "ACT", "RD", "RCD + 1 - 2"]],
  "grades": {"g": {"source": "none", "clock": "1GHz",
    "organisation": {"width": 8, "device": 8, "beats": 8, "ranks": 1, "groups": 1, "banks": 1, "rows": 2, "columns": 8},
    "timing": {"BL": 4, "CL": 1, "CWL": 1, "RFC": 1, "REFI": 9, "RCD": 5}}}
}`

func TestReadStandard(t *testing.T) {
	gs, err := dram.ReadStandard([]byte(tiny))
	require.NoError(t, err)
	require.Equal(t, 4, gs[0].Constraints[0].Clocks)
	other, err := gs[0].With(map[string]int{"RCD": 7})
	require.NoError(t, err)
	require.Equal(t, 6, other.Constraints[0].Clocks)
	require.Equal(t, 4, gs[0].Constraints[0].Clocks)
	for want, change := range map[string][2]string{
		`there is no timing "RCX"`:         {"RCD + 1", "RCX + 1"},
		`+ where a value is due`:           {"RCD + 1", "RCD + + 1"},
		`1 where + or - is due`:            {"RCD + 1", "RCD 1"},
		`ends where a value is due`:        {"1 - 2", "1 -"},
		`no command "NOP"`:                 {`"ACT", "RD"`, `"NOP", "RD"`},
		`is no constraint`:                 {`"bank"`, `"bunk"`},
		`want level, preceding, following`: {`"bank", "ACT", "RD", "RCD + 1 - 2"`, `"bank", "ACT"`},
		"banks is 3 (want a power of two)": {`"banks": 1`, `"banks": 3`},
		"want columns >= beats":            {`"columns": 8`, `"columns": 4`},
		"no timing REFI":                   {`"REFI": 9`, `"REFI": 0`},
		`"1" lacks a unit`:                 {`"1GHz"`, `"1"`},
		`unknown field "sauce"`:            {`"source"`, `"sauce"`},
		"clocks: NOP: 2":                   {`"constr`, `"clocks": {"NOP": 2}, "constr`},
		"bus row: no command":              {`"constr`, `"buses": {"row": "NOP"}, "constr`},
		`key "CL" twice`:                   {`"CWL"`, `"CL"`},
		"text after the value":             {"4, \"CL\": 1, \"CWL\": 1, \"RFC\": 1, \"REFI\": 9, \"RCD\": 5}}}\n}", "4, \"CL\": 1, \"CWL\": 1, \"RFC\": 1, \"REFI\": 9, \"RCD\": 5}}}\n} {}"},
	} {
		text := strings.Replace(tiny, change[0], change[1], 1)
		require.NotEqual(t, tiny, text, want)
		_, err := dram.ReadStandard([]byte(text))
		require.ErrorContains(t, err, want)
	}
}

func FuzzReadStandard(f *testing.F) {
	f.Add(tiny)
	text, err := os.ReadFile("standards/hbm2.jsonc")
	require.NoError(f, err)
	f.Add(string(text))
	f.Fuzz(func(t *testing.T, text string) {
		gs, err := dram.ReadStandard([]byte(text))
		if err != nil {
			return
		}
		for _, g := range gs {
			c, err := dram.New(dram.DefaultConfig(g), ignore{})
			require.Equal(t, err == nil, c != nil)
		}
	})
}

// Latencies against a sorted list: exact below 4096 clocks, within 1/64 above.
func TestLatencies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l dram.Latencies
		list := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 5000), rapid.Int64Range(0, 1<<40)), 1, 50).Draw(t, "latencies")
		for _, n := range list {
			l.Add(n)
		}
		q := rapid.Float64Range(0, 1).Draw(t, "share")
		got, ok := l.Quantile(q)
		require.True(t, ok)
		want := sorted(list)[min(int(q*float64(len(list))), len(list)-1)]
		require.LessOrEqual(t, int64(got), want)
		if want < 4096 {
			require.Equal(t, want, int64(got))
		}
		require.InDelta(t, want, got, float64(want)/64)
	})
}
