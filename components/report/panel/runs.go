package panel

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/stats"
)

func init() {
	add("runs", "Main metrics of the runs of a folder.", Panel{Section: Beside, Place: 1, Draw: runs, Names: []string{"runs-1", "runs-2", "runs-3", "runs-4", "runs-5", "runs-6"}})
}

// Main lists the keys of the metrics that most of the runs have, those first that a reader
// asks for first.
func Main(list []Run, most int) (out []string) {
	for _, name := range order {
		counts := map[string]int{}
		var keys []string
		for _, r := range list {
			for _, m := range r.Metrics {
				if m.Name == name {
					key := experiment.MetricKey(m)
					if counts[key]++; counts[key] == 1 {
						keys = append(keys, key)
					}
				}
			}
		}
		for _, k := range keys {
			if 2*counts[k] >= len(list) && len(out) < most {
				out = append(out, k)
			}
		}
	}
	return out
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
			k := slices.IndexFunc(r.Metrics, func(m stats.Metric) bool { return experiment.MetricKey(m) == key })
			if k < 0 {
				continue
			}
			f.Y.Unit = string(r.Metrics[k].Unit)
			f.X.Labels, s.Y = append(f.X.Labels, r.Name), append(s.Y, r.Metrics[k].Value)
		}
		f.Series = []chart.Series{s}
		out = append(out, drawn(f)...)
	}
	return out
}
