package standard_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// The adjusted constraints of two-cycle commands: a precharge after a read of
// DDR5 waits one clock more, an activation after a precharge one less.
func TestTwoCycleCommands(t *testing.T) {
	g, _ := standard.Find("ddr5_4800")
	clocks := func(level standard.Level, prev, next standard.Command) int {
		most := 0
		for _, c := range g.Constraints {
			if c.Level == level && slices.Contains(c.Prev, prev) && slices.Contains(c.Next, next) {
				most = max(most, c.Clocks)
			}
		}
		return most
	}
	require.Equal(t, 19, clocks(standard.BankLevel, standard.RD, standard.PRE))
	require.Equal(t, 35, clocks(standard.BankLevel, standard.PRE, standard.ACT))
	require.Equal(t, 36, clocks(standard.BankLevel, standard.ACT, standard.RD))
	require.Equal(t, 78, clocks(standard.BankLevel, standard.ACT, standard.PRE))
	require.Equal(t, 709, clocks(standard.RankLevel, standard.REF, standard.ACT))
	require.Equal(t, 14, clocks(standard.RankLevel, standard.RD, standard.WR))
	require.Equal(t, 66, clocks(standard.GroupLevel, standard.WR, standard.RD))
}

func TestReadStandard(t *testing.T) {
	text, err := os.ReadFile("testdata/tiny.yaml")
	require.NoError(t, err)
	tiny := string(text)
	gs, err := standard.Read("tiny.yaml", []byte(tiny))
	require.NoError(t, err)
	require.Equal(t, 4, gs[0].Constraints[0].Clocks)
	other, err := gs[0].With(map[string]int{"RCD": 7})
	require.NoError(t, err)
	require.Equal(t, 6, other.Constraints[0].Clocks)
	require.Equal(t, 4, gs[0].Constraints[0].Clocks)
	for want, change := range map[string][2]string{
		`there is no timing "RCX"`:                                                  {"RCD + 1", "RCX + 1"},
		`+ where a value is due`:                                                    {"RCD + 1", "RCD + + 1"},
		`1 where + or - is due`:                                                     {"RCD + 1", "RCD 1"},
		`ends where a value is due`:                                                 {"1 - 2", "1 -"},
		`tiny.yaml:4:12: constraints[0][1]: no command "NOP"`:                       {"ACT, RD", "NOP, RD"},
		`tiny.yaml:4:6: constraints[0][0]: "bunk" is no level`:                      {"[bank", "[bunk"},
		`want a list of level, preceding, following`:                                {"[bank, ACT, RD, RCD + 1 - 2]", "[bank, ACT]"},
		`a window of 17 (want 1 to 16)`:                                             {"1 - 2]", "1 - 2, 17]"},
		`a window counts commands of as many clocks, and ACT takes 2, RD 1`:         {"constraints:\n", "clocks: {ACT: 2}\nconstraints:\n  - [rank, ACT RD, ACT, 9, 4]\n"},
		"power-down and self-refresh are states of a rank":                          {"constraints:\n", "constraints:\n  - [bank, ACT, PDE, 2]\n"},
		"tiny.yaml:9:19: grades.g.organisation: banks is 3 (want a power of two)":   {"banks: 1", "banks: 3"},
		"want columns >= beats":                                                     {"columns: 8", "columns: 4"},
		"no timing REFI":                                                            {"REFI: 9", "REFI: 0"},
		"timing.REFI: -9 clocks (want 0 to 1073741824)":                             {"REFI: 9", "REFI: -9"},
		"tiny.yaml:11:13: grades.g.energy: an energy below 0":                       {"RCD: 5}", "RCD: 5}\n    energy: {source: none, read: -1}"},
		"stream, which has a share of all commands, and energies":                   {"RCD: 5}", "RCD: 5}\n    energy: {source: none, stream: 5, read: 1}"},
		"grades.g.energy: no energy":                                                {"RCD: 5}", "RCD: 5}\n    energy: {source: none}"},
		"grades.g.energy: energies and currents (want one of them)":                 {"RCD: 5}", "RCD: 5}\n    energy: {source: none, read: 1}\n    current: {source: none}"},
		`commands.NOP: banks: "two" (want one of: one, every group, rank)`:          {"constr", "commands: {NOP: {banks: two}}\nconstr"},
		`commands.NOP: needs: "shut" (want one of: closed, open)`:                   {"constr", "commands: {NOP: {banks: one, needs: shut}}\nconstr"},
		`commands.NOP: leaves: "shut" (want one of: closed, open)`:                  {"constr", "commands: {NOP: {banks: one, leaves: shut}}\nconstr"},
		`commands.NOP: opens rows of several banks (want banks: one)`:               {"constr", "commands: {NOP: {banks: rank, leaves: open}}\nconstr"},
		`commands.NOP: begins or ends a state of the rank (want banks: rank)`:       {"constr", "commands: {NOP: {banks: one, begins: a}}\nconstr"},
		`commands.NOP: no command ends a`:                                           {"constr", "commands: {NOP: {banks: rank, begins: a}}\nconstr"},
		`commands.NOP: no command begins a`:                                         {"constr", "commands: {NOP: {banks: rank, ends: a}}\nconstr"},
		`commands.NOP: no command sets a`:                                           {"constr", "commands: {NOP: {banks: rank, without: a}}\nconstr"},
		`commands.RD: the controller sends RD, so that what it does is fixed`:       {"constr", "commands: {RD: {needs: closed}}\nconstr"},
		`command RD: "CL + X": there is no timing "X"`:                              {"constr", "commands: {RD: {data: CL + X}}\nconstr"},
		`commands.RD.dates: unknown key`:                                            {"constr", "commands: {RD: {dates: CL}}\nconstr"},
		`levels: 3 names (want four different ones`:                                 {"constr", "levels: [a, b, c]\nconstr"},
		`levels: 4 names (want four different ones`:                                 {"constr", "levels: [a, b, c, a]\nconstr"},
		`constraints[0][0]: "bank" is no level (want one of: a, b, c, d, other bs)`: {"constr", "levels: [a, b, c, d]\nconstr"},
		`"1" lacks a unit`:                                                          {"1GHz", `"1"`},
		`sauce: unknown key`:                                                        {"source", "sauce"},
		"clocks: NOP: 2":                                                            {"constr", "clocks: {NOP: 2}\nconstr"},
		`buses.row: no command`:                                                     {"constr", "buses: {row: NOP}\nconstr"},
		`timing.CL: duplicate key`:                                                  {"CWL", "CL"},
		"no command":                                                                {"ACT, RD", `"", RD`},
	} {
		text := strings.Replace(tiny, change[0], change[1], 1)
		require.NotEqual(t, tiny, text, want)
		_, err := standard.Read("tiny.yaml", []byte(text))
		require.ErrorContains(t, err, want)
	}
}
