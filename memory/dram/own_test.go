package dram_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/dram/buslog"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// ofKeys makes a memory from the keys of its node, with files of a folder.
func ofKeys(t *testing.T, dir, keys string) (*dram.Comp, error) {
	v, err := configs.ParseValue("t.yaml", []byte(keys))
	require.NoError(t, err)
	e, ok := system.Kinds.Entry("memory/bank")
	require.True(t, ok)
	spec, err := e.New.Decode(v)
	if err != nil {
		return nil, err
	}
	file := func(v configs.Value) (string, error) {
		var name string
		if err := v.Decode(&name); err != nil {
			return "", err
		}
		if name == "far.yaml" {
			return "", errors.New("outside of the folder")
		}
		return filepath.Join(dir, name), nil
	}
	n, err := e.New.New(&system.Env{Engine: engine.New(), File: file}, "Mem", spec, v)
	if err != nil {
		return nil, err
	}
	return n.(*dram.Comp), nil
}

// A standard of the user's own is that of its file: by its name, or the only one without. Every fault says which key it
// is about, and which grades there are.
func TestStandardOfAUser(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile("standard/grades/ddr4.yaml")
	require.NoError(t, err)
	put := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	both := string(text)
	slow := both[:strings.Index(both, "  ddr4_3200:")]
	put("both.yaml", both)
	put("slow.yaml", slow)
	put("hole.yaml", strings.Replace(slow, "  - [bank, ACT, RD RDA WR WRA, RCD]\n", "", 1))
	for keys, grade := range map[string]string{
		"{standard: {file: both.yaml, grade: ddr4_2400}}": "ddr4_2400",
		"{standard: {file: both.yaml, grade: ddr4_3200}}": "ddr4_3200",
		"{standard: {file: slow.yaml}}":                   "ddr4_2400",
		"{}":                                              "ddr4_3200",
	} {
		m, err := ofKeys(t, dir, keys)
		require.NoError(t, err, keys)
		want, err := ofKeys(t, dir, "{grade: "+grade+"}")
		require.NoError(t, err)
		require.Equal(t, want.PortSpecs()[0].Clock, m.PortSpecs()[0].Clock, keys)
		a, b := want.Nominal()
		c, d := m.Nominal()
		require.Equal(t, []any{a, b, want.Home()}, []any{c, d, m.Home()}, keys)
	}
	for keys, want := range map[string]string{
		"{standard: {grade: ddr4_2400}}":                "standard: names no file (want {file: X.yaml, grade: NAME})",
		"{standard: {file: both.yaml}}":                 "standard: both.yaml has the grades ddr4_2400, ddr4_3200: choose one by the key grade",
		"{standard: {file: both.yaml, grade: ddr9}}":    `standard.grade: both.yaml has no grade "ddr9"`,
		"{standard: {file: slow.yaml, grade: ddr4}}":    `standard.grade: slow.yaml has no grade "ddr4"`,
		"{standard: {file: none.yaml}}":                 "standard.file: cannot read: no such file or directory",
		"{standard: {file: far.yaml}}":                  "outside of the folder",
		"{standard: {file: hole.yaml}}":                 "standard: hole.yaml: grade ddr4_2400: no constraint of bank between ACT and RD",
		"{standard: {file: slow.yaml}, cap: 3}":         "cap: has no effect with row_policy open (used by: capped)",
		"{standard: {file: slow.yaml}, wck: always_on}": "wck: ddr4_2400 has no data clock",
	} {
		_, err := ofKeys(t, dir, keys)
		require.ErrorContains(t, err, want, keys)
	}
	_, err = ofKeys(t, dir, "{row_policy: capped, cap: 3}")
	require.NoError(t, err)
	_, err = ofKeys(t, dir, "{grade: lpddr5_6400, wck: always_on}")
	require.NoError(t, err)
}

// Commands and levels of a user's standard are those of trace check alone: the controller sends what it sends without
// them, but where a row gives a command another delay, here a clock more from a read to its last beat.
func TestCommandsOfAUser(t *testing.T) {
	text, err := os.ReadFile("buslog/testdata/own.yaml")
	require.NoError(t, err)
	own := string(text)
	a, b := strings.Index(own, "levels:"), strings.Index(own, "constraints:")
	plain := strings.ReplaceAll(own[:a]+own[b:], "[stack", "[rank")
	plain = plain[:strings.Index(plain, "  - [rank, ZQC")] + plain[strings.Index(plain, "grades:"):]
	plain = strings.Replace(plain, "[bank, ACT ACTD,", "[bank, ACT,", 1)
	var ends [2]int64
	var logs [2][]buslog.Record
	for i, text := range []string{plain, own} {
		gs, err := standard.Read("own.yaml", []byte(text))
		require.NoError(t, err)
		require.Empty(t, gs[0].Missing())
		h := newHarness(pattern("rand_2r1w")[:2000])
		cfg := dram.DefaultConfig(gs[0])
		c, err := dram.New(cfg, h)
		require.NoError(t, err)
		check := buslog.NewChecker(gs[0])
		c.Observe(func(r buslog.Record) {
			require.NoError(t, check.Check(r))
			logs[i] = append(logs[i], r)
		})
		h.run(c, address.New("Ro-Ba-BG-Ra-Co-Ch", gs[0].Organisation.Geometry(1)), "open:2000")
		ends[i] = h.last
	}
	require.Equal(t, logs[0], logs[1])
	require.Equal(t, ends[0]+1, ends[1])
}

// The key refresh is a word or a mapping, whose keys must be those of its mitigation.
func TestRefreshOfKeys(t *testing.T) {
	for keys, want := range map[string]string{
		"{refresh: none}":                                 "",
		"{refresh: {mode: none}}":                         "",
		"{refresh: {mitigation: para, probability: 0.5}}": "",
		"{refresh: weekly}":                               `"weekly" is not known`,
		"{refresh: {mode: weekly}}":                       "weekly",
		"{refresh: {mode: none, probability: 0.5}}":       "refresh.probability: has no effect with mitigation absent",
		"{refresh: {mitigation: para, threshold: 9}}":     "refresh.threshold: has no effect with mitigation para",
		"{refresh: {mitigation: para, per_alert: 2}}":     "refresh.per_alert: has no effect with mitigation para",
		"{refresh: {mitigation: graphene, entries: 99}}":  "",
		"{refresh: {mitigation: none, entries: 99}}":      "refresh.entries: has no effect with mitigation none",
	} {
		_, err := ofKeys(t, "", keys)
		if want == "" {
			require.NoError(t, err, keys)
			continue
		}
		require.ErrorContains(t, err, want, keys)
	}
}

// The key power_down has keys that need each other, and a grade that can follow it.
func TestPowerDownOfKeys(t *testing.T) {
	for keys, want := range map[string]string{
		"{power_down: {after: 100ns}}":                                           "",
		"{power_down: {after: 40cycle, close: false, self_refresh: 20us}}":       "",
		"{power_down: {self_refresh: 20us}}":                                     "",
		"{grade: ddr3_1600, power_down: {after: 100ns, exit: slow}}":             "",
		"{power_down: {after: 100ns, exit: slow}}":                               "power_down: ddr4_3200 has no slow exit from power-down (want fast)",
		"{power_down: {after: 100ns, exit: late}}":                               "late",
		"{power_down: {close: false}}":                                           "power_down.close: has no effect without after",
		"{power_down: {self_refresh: 20us, exit: fast}}":                         "power_down.exit: has no effect without after",
		"{refresh: none, power_down: {self_refresh: 20us}}":                      "power_down: self_refresh goes with refreshes",
		"{power_down: {after: 100ns, until: 3}}":                                 "until",
		"{grade: hbm4, refresh: per_bank, power_down: {self_refresh: 20us}}":     "",
		"{grade: lpddr6, refresh: {mitigation: para}, power_down: {after: 1us}}": "",
	} {
		_, err := ofKeys(t, "", keys)
		if want == "" {
			require.NoError(t, err, keys)
			continue
		}
		require.ErrorContains(t, err, want, keys)
	}
}
