package memory

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/report/panel"
)

func init() {
	panel.Add("balance", "How evenly bursts are shared among the channels of a DRAM, and among its banks.", panel.Panel{Section: panel.Memory, Place: 11, Draw: balance, Names: []string{"dram-channels"}})
}

// mostChannels bounds the channels that have a bar.
const mostChannels = 256

// balance draws the bursts of each channel of memories with several, by what they met, and says
// how much the busiest channel and the busiest bank have over the mean.
func balance(d *panel.Data) []chart.Figure {
	if d.Run == nil {
		return nil
	}
	f := chart.Figure{Name: "dram-channels", Title: "Bursts of each channel"}
	f.Kind, f.Stack, f.X, f.Y = chart.Bars, true, chart.Axis{Name: "channel"}, chart.Axis{Name: "bursts", Unit: "1"}
	f.Series = []chart.Series{{Name: "row hit", Color: "#009e73"}, {Name: "bank was closed", Color: "#56b4e9"}, {Name: "another row was open", Color: "#d55e00"}}
	var notes []string
	tables := d.Run.Observed.Find("banks")
	for _, t := range tables {
		channel, of := t.Index("channel"), map[int]int{}
		var sums, banks []float64
		for i := range t.Rows {
			c := int(t.Number(i, channel))
			at, ok := of[c]
			if !ok {
				at = len(f.X.Labels)
				of[c] = at
				name := fmt.Sprintf("%d", c)
				if len(tables) > 1 {
					name = fmt.Sprintf("%s %d", t.Where, c)
				}
				f.X.Labels = append(f.X.Labels, name)
				for k := range f.Series {
					f.Series[k].Y = append(f.Series[k].Y, 0)
				}
				sums = append(sums, 0)
			}
			bank := 0.0
			for k, what := range []string{"hits", "misses", "conflicts"} {
				v := t.Number(i, t.Index(what))
				f.Series[k].Y[at] += v
				bank += v
			}
			sums[len(sums)-1] += bank
			banks = append(banks, bank)
		}
		notes = append(notes, fmt.Sprintf("%s: the busiest channel has %.2f times the mean, the busiest bank %.2f times.", t.Where, overMean(sums), overMean(banks)))
	}
	if n := len(f.X.Labels); n <= len(tables) || n > mostChannels { // one channel each
		return nil
	}
	f.Note = strings.Join(notes, " ")
	return panel.OneFigure(f)
}

// overMean is the greatest value over the mean; 1 where all are 0.
func overMean(vs []float64) float64 {
	most, sum := 0.0, 0.0
	for _, v := range vs {
		most = max(most, v)
		sum += v
	}
	if sum == 0 {
		return 1
	}
	return most * float64(len(vs)) / sum
}
