package report

import (
	"strings"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/stats"
)

// waits are the metrics that say what a request meets on its way, by level: causes of cores
// first, then a cache, a memory, the parts of a load over CXL, and channels.
var waits = []struct{ name, text string }{
	{"mshr_waits", "accesses that waited for an MSHR, of all"},
	{"write_buffer_waits", "accesses that waited for the write buffer, of all"},
	{"hit_rate", "accesses that hit"},
	{"latency_mean", "time of a request"},
	{"load_mean", "load"},
	{"bandwidth_utilization", "bandwidth in use"},
	{"load_latency_mean", "time of a load over CXL"},
	{"load_link_queue_mean", "of it, waiting for a link"},
	{"load_serialization_mean", "of it, on links"},
	{"load_switch_mean", "of it, in switches"},
	{"load_device_queue_mean", "of it, waiting for a place at the device's memory"},
	{"load_dram_queue_mean", "of it, waiting for the device's DRAM"},
	{"load_dram_service_mean", "of it, in the device's DRAM"},
	{"message_latency_mean", "time of a message"},
	{"channel_busy_mean", "cycles that a channel is busy, the mean of all"},
	{"channel_busy_max", "the same of the busiest"},
}

// Waits is where time goes: the cycles of cores by cause, and what requests and messages meet
// below them, level by level. It is nil where a system has no level below its cores and
// memories.
func Waits(ms []stats.Metric) *stats.Table {
	sum, count := map[[2]string]float64{}, map[[2]string]float64{}
	var order []string // nodes without indices
	seen := map[string]bool{}
	for _, m := range ms {
		if m.Phase != "all" || m.Where == "" {
			continue
		}
		base, _ := arrayOf(m.Where)
		if !seen[base] {
			seen[base] = true
			order = append(order, base)
		}
		sum[[2]string{base, m.Name}] += m.Value
		count[[2]string{base, m.Name}]++
	}
	t := &stats.Table{Columns: []stats.Column{{Name: "where"}, {Name: "what"}, {Name: "value", Unit: stats.One}, {Name: "unit"}}}
	levels := 0
	for _, base := range order {
		t.Rows = append(t.Rows, causes(base, sum)...)
	}
	cores := len(t.Rows)
	for _, base := range order {
		accesses := sum[[2]string{base, "accesses"}]
		rows := 0
		for _, x := range waits {
			key := [2]string{base, x.name}
			if count[key] == 0 {
				continue
			}
			v, unit := sum[key]/count[key], unitOf(ms, base, x.name)
			if strings.HasSuffix(x.text, ", of all") {
				if accesses == 0 {
					continue
				}
				v, unit = 100*sum[key]/accesses, "%"
			}
			if x.name == "hit_rate" {
				v, unit = 100*v, "%"
			}
			t.Append(base, x.text, v, unit)
			rows++
		}
		if rows > 0 {
			levels++
		}
	}
	if cores == 0 || levels < 3 {
		return nil
	}
	return t
}

// causes are the cycles of cores by what they do or wait for, in percent of all, but for those
// of less than one.
func causes(base string, sum map[[2]string]float64) (rows [][]any) {
	total := 0.0
	for _, c := range stats.Causes {
		if c.Words != "" {
			total += sum[[2]string{base, c.Metric}]
		}
	}
	for _, c := range stats.Causes {
		if v := sum[[2]string{base, c.Metric}]; c.Words != "" && v >= total/100 && v > 0 {
			rows = append(rows, []any{base, c.Words, 100 * v / total, "% of cycles"})
		}
	}
	return rows
}

// unitOf is the unit of a metric of a node.
func unitOf(ms []stats.Metric, base, name string) string {
	for _, m := range ms {
		if m.Name == name && cause.Base(m.Where) == base {
			return string(m.Unit)
		}
	}
	return ""
}
