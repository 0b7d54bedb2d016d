package panel

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/stats"
)

func init() {
	Add("runs", "Main metrics of the runs of a folder.", Panel{Section: Beside, Place: 1, Draw: runs, Names: []string{"runs-1", "runs-2", "runs-3", "runs-4", "runs-5", "runs-6"}})
}

// Main lists the keys of the headlines that at least half of the runs have, those first that
// a reader asks for first.
func Main(list []Run, most int) (out []string) {
	counts, place := map[string]int{}, map[string]int{}
	for _, r := range list {
		for i, a := range r.Headlines() {
			if counts[a.Key]++; counts[a.Key] == 1 {
				out, place[a.Key] = append(out, a.Key), i
			}
			place[a.Key] = min(place[a.Key], i)
		}
	}
	out = slices.DeleteFunc(out, func(k string) bool { return 2*counts[k] < len(list) })
	slices.SortStableFunc(out, func(a, b string) int { return place[a] - place[b] })
	return out[:min(len(out), most)]
}

// runs is a chart for each main metric, with a bar for each run.
func runs(d *Data) (out []chart.Figure) {
	if len(d.Runs) < 2 {
		return nil
	}
	list := d.Runs[:min(len(d.Runs), maxLabels)]
	for i, key := range Main(list, 6) {
		f := chart.Figure{Name: fmt.Sprintf("runs-%d", i+1), Title: key}
		f.Kind, f.Across, f.Y = chart.Bars, true, chart.Axis{Name: key}
		s := chart.Series{Name: key}
		for _, r := range list {
			k := slices.IndexFunc(r.Metrics, func(m stats.Metric) bool { return result.Key(m) == key })
			if k < 0 {
				continue
			}
			f.Y.Unit = string(r.Metrics[k].Unit)
			f.X.Labels, s.Y = append(f.X.Labels, r.Name), append(s.Y, r.Metrics[k].Value)
		}
		f.Series = []chart.Series{s}
		out = append(out, OneFigure(f)...)
	}
	return out
}
