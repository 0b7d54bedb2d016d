package panel

import (
	"strings"

	"github.com/causeway-sim/causeway/components/report/chart"
)

func init() {
	add("dram-rows", "What bursts of a DRAM met: an open row, a closed bank, another row.", Panel{Section: Memory, Place: 11, Draw: dramRows})
	add("dram-commands", "Commands that a DRAM was given, by kind.", Panel{Section: Memory, Place: 13, Draw: dramCommands})
}

func dramRows(d *Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	f := byNode(d.Run, d.Run.having("row_hits"), []part{
		{"row_hits", "row hit", "#009e73"}, {"row_misses", "bank was closed", "#56b4e9"}, {"row_conflicts", "another row was open", "#d55e00"}, {"forwarded", "answered by the write queue", "#cc79a7"},
	})
	f.Name, f.Title, f.Y = "dram-rows", "What bursts met in the banks", chart.Axis{Name: "bursts", Unit: "1"}
	return drawn(f)
}

func dramCommands(d *Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	var parts []part
	for _, m := range d.Run.Metrics {
		if name, ok := strings.CutPrefix(m.Name, "commands_"); ok && m.Value > 0 && !hasPart(parts, m.Name) {
			parts = append(parts, part{m.Name, strings.ToUpper(name), ""})
		}
	}
	f := byNode(d.Run, d.Run.having("commands_act"), parts)
	f.Name, f.Title, f.Y = "dram-commands", "Commands of the memory", chart.Axis{Name: "commands", Unit: "1"}
	f.Stack = false
	return drawn(f)
}
