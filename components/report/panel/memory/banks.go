package memory

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/report/panel"
)

func init() {
	panel.Add("banks", "What bursts met in each bank of a DRAM.", panel.Panel{Section: panel.Memory, Place: 12, Draw: banks, Names: []string{"banks", "banks-map"}})
}

// banks draws the outcomes of each bank, and, of several channels, how many bursts each bank
// of each had.
func banks(d *panel.Data) (out []chart.Figure) {
	if d.Run == nil {
		return nil
	}
	tables := d.Run.Observed.Find("banks")
	if len(tables) == 0 {
		return nil
	}
	bars := chart.Figure{Name: "banks", Title: "Outcomes in each bank", Wide: true}
	bars.Kind, bars.Stack, bars.Y = chart.Bars, true, chart.Axis{Name: "bursts", Unit: "1"}
	bars.Series = []chart.Series{{Name: "row hit", Color: "#009e73"}, {Name: "bank was closed", Color: "#56b4e9"}, {Name: "another row was open", Color: "#d55e00"}}
	heat := chart.Figure{Name: "banks-map", Title: "Bursts of each bank"}
	heat.Kind, heat.Value = chart.Heat, chart.Axis{Name: "bursts", Unit: "1"}
	heat.X, heat.Y = chart.Axis{Name: "bank"}, chart.Axis{Name: "channel"}
	row, column := panel.Indexer(&heat.Y.Labels), panel.Indexer(&heat.X.Labels)
	for _, t := range tables {
		channel, bank := t.Index("channel"), t.Index("bank")
		for i := range t.Rows {
			c, b := int(t.Number(i, channel)), int(t.Number(i, bank))
			name := fmt.Sprintf("%d", c)
			if len(tables) > 1 {
				name = fmt.Sprintf("%s %d", t.Where, c)
			}
			sum := 0.0
			for k, what := range []string{"hits", "misses", "conflicts"} {
				v := t.Number(i, t.Index(what))
				bars.Series[k].Y = append(bars.Series[k].Y, v)
				sum += v
			}
			bars.X.Labels = append(bars.X.Labels, fmt.Sprintf("%s.%d", name, b))
			heat.Cells = append(heat.Cells, chart.Cell{X: column(fmt.Sprintf("%d", b)), Y: row(name), Value: sum})
		}
	}
	bars.Note = "Channel and bank; a bank is numbered by rank, bank group and bank."
	if len(bars.X.Labels) <= 512 {
		out = append(out, panel.OneFigure(bars)...)
	}
	if len(heat.Y.Labels) > 1 {
		out = append(out, heat)
	}
	return out
}
