package panel

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/report/chart"
)

func init() {
	Add("explain", "How many times better the run is with one setting doubled or halved (causeway explain).", Panel{Section: Time, Place: 3, Draw: explained})
}

// explained draws what would help, where the folder of the run says it.
func explained(d *Data) []chart.Figure {
	if d.Run == nil || d.Run.Explained == nil || len(d.Run.Explained.Levers) == 0 {
		return nil
	}
	e := d.Run.Explained
	f := chart.Figure{Name: "explain", Title: "What would help", Note: e.Sentence}
	f.Kind, f.Across = chart.Bars, true
	f.Y.Name = fmt.Sprintf("times better by %s", e.Base.Label)
	s := chart.Series{Name: "ratio"}
	for _, l := range e.All() {
		f.X.Labels = append(f.X.Labels, l.Name)
		s.Y = append(s.Y, l.Ratio)
	}
	f.Series = []chart.Series{s}
	if n := len(e.Refused) + len(e.Untried); n > 0 {
		f.Note += fmt.Sprintf(" %d settings were refused or not tried; explain.json names them.", n)
	}
	return []chart.Figure{f}
}
