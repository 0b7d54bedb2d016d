package panel

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/stats"
)

func init() {
	Add("ranks", "When each rank ended, how long it computed and waited, how much it sent.", Panel{Section: Time, Place: 2, Names: []string{"ranks", "rank-bytes"}, Draw: ranks})
}

// ranks draws the layer table of communicating ranks, which has a row for each rank.
func ranks(d *Data) []chart.Figure {
	if d.Run == nil || d.Run.Layers == nil || d.Run.Layers.Index("rank") != 0 {
		return nil
	}
	t := d.Run.Layers
	column := func(name, title, color string) (s chart.Series) {
		s.Name, s.Color = title, color
		c := t.Index(name)
		for _, row := range t.Rows {
			if c >= 0 {
				s.Y = append(s.Y, stats.Number(row[c]))
			}
		}
		return s
	}
	var labels []string
	for _, row := range t.Rows {
		labels = append(labels, fmt.Sprint(row[0]))
	}
	times := chart.Figure{Name: "ranks", Title: "Time of each rank", Wide: len(labels) > 40}
	times.Kind, times.Stack, times.X, times.Y = chart.Bars, true, chart.Axis{Name: "rank", Labels: labels}, chart.Axis{Name: "time", Unit: "ns"}
	times.Series = []chart.Series{column("compute_time", "computing", "#0072b2"), column("wait_time", "sending, receiving and waiting", "#e69f00")}
	times.Note = "A rank that does not compute has bytes on its links, handles messages or waits for those of others; the time of the node by cause says how much of each."
	bytes := chart.Figure{Name: "rank-bytes", Title: "Bytes sent by each rank", Wide: len(labels) > 40}
	bytes.Kind, bytes.X, bytes.Y = chart.Bars, chart.Axis{Name: "rank", Labels: labels}, chart.Axis{Name: "bytes", Unit: "B"}
	bytes.Series = []chart.Series{column("bytes", "sent", "#009e73")}
	var out []chart.Figure
	for _, f := range []chart.Figure{times, bytes} {
		if len(f.Series[0].Y) > 0 {
			out = append(out, f)
		}
	}
	return out
}
