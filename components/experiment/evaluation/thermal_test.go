package evaluation_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
)

const warm = nodes + "thermal: {blocks: [{name: Left, nodes: [\"Core[0]\"], width: 2mm, height: 4mm}, {name: Right, nodes: [\"Core[1]\"], x: 2mm, width: 2mm, height: 4mm}], air: {ambient: 40, resistance: 10}}\n"

// Two cores that do the same side by side are equally warm, by their power through the package.
func TestTemperaturesOfARun(t *testing.T) {
	r := run(t, warm)
	require.Equal(t, result.Complete, r.Status, r.Reason)
	left, right := value(t, r, "Left", "temperature_mean"), value(t, r, "Right", "temperature_mean")
	ns := value(t, r, "", "total_time")
	watts := (value(t, r, "Core[0]", "energy") + value(t, r, "Core[1]", "energy")) / ns / 1e3
	require.Greater(t, left, 40+10*watts)
	require.Less(t, left, 40+15*watts)
	share := value(t, r, "Core[0]", "energy") / value(t, r, "Core[1]", "energy")
	require.InEpsilon(t, (left-40)/(right-40), share, 0.1)
	require.InDelta(t, (left+right)/2, value(t, r, "", "temperature_mean"), 1e-9)
	for _, m := range run0(t).Metrics { // the section changes nothing else
		require.Equal(t, m.Value, valueIn(t, r, m.Phase, m.Where, m.Name), m.Name)
	}
	cold := run(t, warm, "thermal.start=ambient")
	require.Less(t, value(t, cold, "", "temperature_peak"), value(t, r, "", "temperature_peak"))
	require.GreaterOrEqual(t, value(t, cold, "", "temperature_peak"), 40.0)
}

// Leakage warms the die until both agree, and a limit lets less power through.
func TestLeakageAndLimitOfARun(t *testing.T) {
	plain := run(t, warm, "thermal.air.resistance=100")
	top := value(t, plain, "", "temperature_peak")
	r := run(t, warm, "thermal.air.resistance=100", "thermal.leakage={share: 0.2, at: 40, doubles: 100}", "thermal.limit=41")
	require.Equal(t, result.Complete, r.Status, r.Reason)
	require.Greater(t, value(t, r, "", "temperature_peak"), top)
	require.InEpsilon(t, value(t, r, "Left", "power_leakage")+value(t, r, "Right", "power_leakage"), value(t, r, "", "power_leakage"), 1e-9)
	require.Less(t, value(t, r, "", "thermal_share"), 100.0)
	r = run(t, warm, "thermal.air.resistance=100", "thermal.leakage={share: 0.9, at: -100, doubles: 1}")
	require.Equal(t, result.Failed, r.Status)
	require.Contains(t, r.Reason, "leakage runs away")
	require.Contains(t, r.Reason, "; the hottest block is Left")
	r = run(t, warm, "thermal.air.resistance=1000", "thermal.interface.conductivity=0.001", "thermal.limit=41")
	require.Regexp(t, `thermal: temperatures pass \d+ degrees .*; the hottest block is Left; the package carries .* % of the power beside leakage`, r.Reason)
}

// A block that is smaller than a cell has the temperature of its cells, and the run says so.
func TestBlocksSmallerThanACell(t *testing.T) {
	require.NotContains(t, strings.Join(run(t, warm).Warnings, " "), "smaller")
	require.Contains(t, strings.Join(run(t, warm, "thermal.blocks.Left.width=0.1mm").Warnings, " "), "these blocks are smaller: Left;")
}

func TestThermalRefuses(t *testing.T) {
	for set, want := range map[string]string{
		"thermal.blocks.Left.nodes=[Cor]":                              `no node "Cor" (want one of: Core, Mem; did you mean "Core"?)`,
		`thermal.blocks.Left.nodes=[Core]`:                             "node Core[1] belongs to Left already",
		"thermal.blocks.Left.name=Mem":                                 "Mem is the name of a node",
		"thermal.blocks.Right.x=1mm":                                   "Right overlaps Left",
		"thermal.blocks.Right.width=0mm":                               "Right is 0m by 4mm (want more than 0)",
		"thermal.spreader.side=3mm":                                    "side is 3mm (want the die's 4mm or more)",
		"thermal.sink.side=20mm":                                       "side is 2cm (want the spreader's 3cm or more)",
		"thermal.die.side=20mm":                                        "has no effect: its size is that of the floor plan",
		"thermal.limit=40":                                             "limit is 40 (want more than air.ambient, 40)",
		"thermal.leakage={share: 0.2, at: 60}":                         "doubles",
		"thermal.start=warm":                                           `want one of: steady, ambient`,
		"thermal.leakage={share: 0.2, power: 1W, at: 60, doubles: 25}": "share is 0.2 and power is 1W (want one of the two above 0)",
		"thermal.leakage={at: 60, doubles: 25}":                        "share is 0 and power is 0W (want one of the two above 0)",
		"thermal.throttle=[Core]":                                      "has no effect without limit",
	} {
		_, err := parse(t, warm, set)
		require.ErrorContains(t, err, want, set)
		require.True(t, experiment.IsBadInput(err), set)
	}
	for set, want := range map[string]string{
		"thermal.throttle=[Mem]":                            "node Mem is on no block",
		"thermal.throttle=[Cor]":                            `no node "Cor" (want one of: Core, Mem; did you mean "Core"?)`,
		"thermal.leakage={share: 0.2, at: 60, doubles: 25}": "falls with the power of a throttled chip",
	} {
		_, err := parse(t, warm, "thermal.limit=80", "thermal.throttle=[Core]", set)
		require.ErrorContains(t, err, want, set)
	}
	r := run(t, warm, "thermal.leakage={power: 1000W, at: 60, doubles: 25}")
	require.Contains(t, r.Reason, "thermal.leakage.power: of block Left 500 W leak, and it takes")
}
