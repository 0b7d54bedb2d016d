package report

import (
	"fmt"
	"io"
	"regexp"

	"github.com/causeway-sim/causeway/components/stats"
)

// maxMetrics is how many metrics a terminal shows all of.
const maxMetrics = 60

// telling are the metrics that say most about a node.
var telling = regexp.MustCompile(`^(\w+: )?(total_cycles|total_time|utilization|bandwidth|.*latency(_from_\w+)?_mean(_ns)?|(\w*_)?hit_rate|hits|misses|accepted_load|saturated|energy|energy_per_token|ttft_mean|tpot_mean|goodput|area|macs|requests|tokens\w*|row_hit_rate)$`)

// fewest is how many metrics of a node are shown that has none of the telling ones.
const fewest = 3

// metrics prints a table of metrics; of many those of the whole and the telling ones of
// each node.
func metrics(w io.Writer, t *stats.Table) {
	if len(t.Rows) <= maxMetrics {
		Table(w, t)
		return
	}
	shown := &stats.Table{Columns: t.Columns}
	told := map[any]bool{}
	for _, r := range t.Rows {
		told[r[0]] = told[r[0]] || telling.MatchString(r[1].(string))
	}
	count := map[any]int{}
	for _, r := range t.Rows {
		count[r[0]]++
		if r[0] == "" || telling.MatchString(r[1].(string)) || !told[r[0]] && count[r[0]] <= fewest {
			shown.Append(r...)
		}
	}
	Table(w, shown)
	fmt.Fprintf(w, "%d more metrics in metrics.csv and report.html\n", len(t.Rows)-len(shown.Rows))
}
