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
// layer that takes most of them. It is "" where no core counts cycles by cause.
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
	s := ""
	switch {
	case memory > compute && memory >= total-memory-compute:
		s = fmt.Sprintf("Memory is the bottleneck: cores wait for it %.1f %% of their cycles and compute %.1f %%", 100*memory/total, 100*compute/total)
		if strings.HasPrefix(causes[best].Words, "waiting for ") && causes[best].Metric != "stall_memory_cycles" {
			s = fmt.Sprintf("Memory is the bottleneck: cores wait for it %.1f %% of their cycles, mostly %s, and compute %.1f %%", 100*memory/total, causes[best].Words, 100*compute/total)
		}
	case best == 0:
		s = inCompute(ms, layers, 100*compute/total, 100*memory/total)
	default:
		s = fmt.Sprintf("Cores spend most cycles (%.1f %%) %s", 100*sum[best]/total, causes[best].Words)
	}
	if name, share := heaviestLayer(layers); name != "" {
		s += fmt.Sprintf("; layer %s takes %.1f %% of all layer cycles", name, 100*share)
	}
	return s + "."
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
