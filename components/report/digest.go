package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
)

// maxMetrics is how many metrics a terminal shows all of.
const maxMetrics = 60

// fewest is how many metrics of a node are shown that has no headline.
const fewest = 3

// headlines are the metrics that a reader asks for first, by the node without indices and the
// name with its phase, as metricTable has them.
func headlines(r *result.Result) map[[2]string]bool {
	out := map[[2]string]bool{}
	for _, a := range r.Headlines() {
		base, _ := arrayOf(a.Where)
		name, _ := Phased(a.Of)
		out[[2]string{base, name}] = true
	}
	return out
}

// metrics prints a table of metrics; of many those of the whole and the headlines of each
// node.
func metrics(w io.Writer, t *stats.Table, asked map[[2]string]bool) {
	if len(t.Rows) <= maxMetrics {
		Table(w, t)
		return
	}
	isAsked := func(r []any) bool {
		base, _, _ := strings.Cut(r[0].(string), " (")
		return asked[[2]string{base, r[1].(string)}]
	}
	shown := &stats.Table{Columns: t.Columns}
	has := map[any]bool{}
	for _, r := range t.Rows {
		has[r[0]] = has[r[0]] || isAsked(r)
	}
	count := map[any]int{}
	for _, r := range t.Rows {
		count[r[0]]++
		if r[0] == "" || isAsked(r) || !has[r[0]] && count[r[0]] <= fewest {
			shown.Append(r...)
		}
	}
	Table(w, shown)
	fmt.Fprintf(w, "%d more metrics in metrics.csv and report.html\n", len(t.Rows)-len(shown.Rows))
}
