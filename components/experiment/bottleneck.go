package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/stats"
)

// causes are what a sentence can name: computing first, and no part of another.
var causes = slices.DeleteFunc(slices.Clone(stats.Causes), func(c stats.Cause) bool { return c.Words == "" })

// bottleneck names in one sentence what the cores spend most cycles on, and the
// layer that takes most of them; or the memory that was busy all the time while they
// computed. It is "" where no core counts cycles by cause.
func bottleneck(ms []stats.Metric, layers *stats.Table) string {
	sum := make([]float64, len(causes))
	total := 0.0
	for _, m := range ms {
		for i, c := range causes {
			if m.Name == c.Metric && m.Phase == "all" && m.Where != "" {
				sum[i] += m.Value
				total += m.Value
			}
		}
	}
	if total == 0 {
		return ""
	}
	best, memory := 0, 0.0
	for i := range sum {
		if sum[i] > sum[best] {
			best = i
		}
		if strings.Contains(causes[i].Words, "memory") {
			memory += sum[i]
		}
	}
	compute := sum[0]
	where, busy := busiest(ms)
	s := ""
	switch {
	case memory > compute && memory >= total-memory-compute:
		s = fmt.Sprintf("Memory is the bottleneck: cores wait for it %.1f %% of their cycles and compute %.1f %%", 100*memory/total, 100*compute/total)
		if strings.HasPrefix(causes[best].Words, "waiting for ") && causes[best].Metric != "stall_memory_cycles" {
			s = fmt.Sprintf("Memory is the bottleneck: cores wait for it %.1f %% of their cycles, mostly %s, and compute %.1f %%", 100*memory/total, causes[best].Words, 100*compute/total)
		}
	case busy >= saturated && busy > compute/total: // what overlaps with computing is no wait
		s = fmt.Sprintf("Memory is the bottleneck: %s uses %.1f %% of its bandwidth, while cores compute %.1f %% of their cycles and wait for memory %.1f %%", where, 100*busy, 100*compute/total, 100*memory/total)
	case best == 0:
		s = inCompute(ms, layers, 100*compute/total, 100*memory/total)
	default:
		s = fmt.Sprintf("Cores spend most cycles (%.1f %%) %s", 100*sum[best]/total, causes[best].Words)
	}
	s += idle(causes, sum, total, best)
	if name, share := heaviestLayer(layers); name != "" {
		s += fmt.Sprintf("; layer %s takes %.1f %% of all layer cycles", name, 100*share)
	}
	return s + "."
}

// told is the part of their cycles from which on the sentence says that cores idle.
const told = 0.1

// idle says which part of their cycles cores idle, where that is much and is not what they
// spend most on.
func idle(causes []stats.Cause, sum []float64, total float64, best int) string {
	i := slices.IndexFunc(causes, func(c stats.Cause) bool { return c.Metric == stats.IdleCycles })
	if i < 0 || i == best || sum[i] < told*total {
		return ""
	}
	return fmt.Sprintf("; cores idle %.1f %% of their cycles, with no request or operator to carry out", 100*sum[i]/total)
}

// saturated is the part of its bandwidth from which on a memory counts as busy all the time.
const saturated = 0.95

// busiest is the memory that used the largest part of its bandwidth over the whole run. The
// metric of a memory is of the time from its first request to its last answer.
func busiest(ms []stats.Metric) (where string, busy float64) {
	end := 0.0
	for _, m := range ms {
		if m.Where == "" && m.Name == "total_time" && m.Unit == stats.NS {
			end = m.Value
		}
	}
	if end == 0 {
		return "", 0
	}
	of := func(where, name string) float64 {
		i := slices.IndexFunc(ms, func(m stats.Metric) bool { return m.Where == where && m.Name == name && m.Phase == "all" })
		if i < 0 {
			return 0
		}
		return ms[i].Value
	}
	for _, m := range ms {
		rate := of(m.Where, "bandwidth") // bytes per nanosecond
		if m.Name != "bandwidth_utilization" || m.Phase != "all" || m.Where == "" || rate == 0 {
			continue
		}
		moved := of(m.Where, "read_bytes") + of(m.Where, "write_bytes")
		if share := m.Value / 100 * min(moved/rate/end, 1); share > busy {
			where, busy = m.Where, share
		}
	}
	return where, busy
}

func heaviestLayer(t *stats.Table) (name string, share float64) {
	if t == nil {
		return "", 0
	}
	ci := t.Index("cycles")
	if ci < 0 {
		return "", 0
	}
	best, total := 0.0, 0.0
	for _, row := range t.Rows {
		var c float64
		switch v := row[ci].(type) {
		case uint64:
			c = float64(v)
		case int64:
			c = float64(v)
		case float64:
			c = v
		}
		total += c
		if c > best {
			best, name = c, fmt.Sprint(row[0])
		}
	}
	if total == 0 {
		return "", 0
	}
	return name, best / total
}
