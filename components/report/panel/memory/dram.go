package memory

import (
	"strings"

	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/report/panel"
)

func init() {
	panel.Add("dram-rows", "What bursts of a DRAM met: an open row, a closed bank, another row.", panel.Panel{Section: panel.Memory, Place: 11, Draw: dramRows})
	panel.Add("dram-commands", "Commands that a DRAM was given, by kind.", panel.Panel{Section: panel.Memory, Place: 13, Draw: dramCommands})
}

func dramRows(d *panel.Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	f := panel.NodeBars(d.Run, d.Run.Having("row_hits"), []panel.Part{
		{Metric: "row_hits", Name: "row hit", Color: "#009e73"}, {Metric: "row_misses", Name: "bank was closed", Color: "#56b4e9"}, {Metric: "row_conflicts", Name: "another row was open", Color: "#d55e00"}, {Metric: "forwarded", Name: "answered by the write queue", Color: "#cc79a7"},
	})
	f.Name, f.Title, f.Y = "dram-rows", "What bursts met in the banks", chart.Axis{Name: "bursts", Unit: "1"}
	return panel.OneFigure(f)
}

func dramCommands(d *panel.Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	var parts []panel.Part
	for _, m := range d.Run.Metrics {
		if name, ok := strings.CutPrefix(m.Name, "commands_"); ok && m.Value > 0 && !panel.HasPart(parts, m.Name) {
			parts = append(parts, panel.Part{Metric: m.Name, Name: strings.ToUpper(name)})
		}
	}
	f := panel.NodeBars(d.Run, d.Run.Having("commands_act"), parts)
	f.Name, f.Title, f.Y = "dram-commands", "Commands of the memory", chart.Axis{Name: "commands", Unit: "1"}
	f.Stack = false
	return panel.OneFigure(f)
}
