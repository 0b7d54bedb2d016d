package page

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report/panel"
	"github.com/causeway-sim/causeway/components/stats"
)

// runsContent is what the report of a folder of runs says.
func runsContent(d *panel.Data) content {
	c := content{Title: d.Title, Subtitle: fmt.Sprintf("%d runs", len(d.Runs))}
	t := Table{Name: "runs", Title: "Runs", Columns: []Column{{Name: "run"}, {Name: "status"}}}
	keys := panel.Main(d.Runs, 10)
	for _, k := range keys {
		t.Columns = append(t.Columns, Column{Name: k, Unit: "1"})
	}
	t.Columns = append(t.Columns, Column{Name: "started"}, Column{Name: "identity"}, Column{Name: "sentence"})
	for _, r := range d.Runs {
		row := []any{r.Name, string(r.Status)}
		for i, k := range keys {
			at := slices.IndexFunc(r.Metrics, func(m stats.Metric) bool { return result.Key(m) == k })
			if at < 0 {
				row = append(row, nil)
				continue
			}
			t.Columns[2+i].Unit = string(r.Metrics[at].Unit)
			row = append(row, cell(r.Metrics[at].Value))
		}
		t.Rows = append(t.Rows, append(row, r.Process.Started, r.Identity, r.Sentence))
		t.Links = append(t.Links, r.Name+"/report.html")
	}
	c.Tables = []Table{t}
	c.Methods = []string{"Each run is a pure function of its resolved configuration, its inputs and the seed. Its own report has its method; `causeway compare` holds two of them against each other."}
	c.Footer = "Written by Causeway " + result.Version + "."
	return c
}
