package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/stats"
)

// A Card is one figure in large print at the top of the page.
type Card struct{ Label, Value, Exact string }

// maxCards bounds the cards of a page.
const maxCards = 8

// Cards picks what a reader asks first: how long, how well used, how much moved,
// how much energy.
func Cards(r *experiment.Result) (out []Card) {
	add := func(label string, m stats.Metric) {
		if len(out) < maxCards {
			out = append(out, Card{label, Human(m.Value, m.Unit), Pretty(m.Value) + " " + string(m.Unit)})
		}
	}
	for _, w := range []struct{ name, label string }{
		{"total_time", "time"}, {"total_cycles", "cycles"}, {"macs", "multiply-accumulates"}, {"energy", "energy"},
	} {
		if m, ok := r.Metric("", w.name); ok {
			add(w.label, m)
		}
	}
	for _, w := range []struct{ name, label string }{{"packet_latency_mean", "packet latency"}, {"accepted_load", "accepted load"}, {"saturation_load", "saturation load"}} {
		for _, m := range r.Metrics {
			if m.Phase == "measure" && m.Name == w.name {
				add(w.label, m)
			}
		}
	}
	for _, w := range []struct{ name, label string }{{"requests", "requests answered"}, {"tokens_per_second", "tokens per second"},
		{"ttft_p50", "to the first token, median"}, {"ttft_p99", "to the first token, 99th percentile"}, {"tpot_p50", "for each token after, median"}} {
		for _, m := range r.Metrics {
			if served := m.Phase == "all" && m.Name == w.name; served && serves(r, m.Where) {
				add(w.label, m)
			}
		}
	}
	// How well nodes are used; an array has one card with the mean.
	for _, w := range []struct{ name, label string }{{"utilization", "used"}, {"bandwidth_utilization", "bandwidth used"}} {
		var bases []string
		sum, n := map[string]float64{}, map[string]int{}
		for _, m := range r.Metrics {
			if m.Phase == "all" && m.Where != "" && m.Name == w.name {
				base, _, _ := strings.Cut(m.Where, "[")
				if n[base] == 0 {
					bases = append(bases, base)
				}
				sum[base], n[base] = sum[base]+m.Value, n[base]+1
			}
		}
		for _, base := range bases {
			label := base + " " + w.label
			if n[base] > 1 {
				label = fmt.Sprintf("%s (%d) %s, mean", base, n[base], w.label)
			}
			add(label, stats.Metric{Value: sum[base] / float64(n[base]), Unit: stats.Percent})
		}
	}
	return out
}

// serves reports whether a node is a server of language models: others have requests too.
func serves(r *experiment.Result, where string) bool {
	_, ok := r.Metric(where, "tokens_per_second")
	return ok && where != ""
}

// Human prints a value for reading at a glance: four significant digits and a
// unit of the right size. Bytes are decimal, as rates are.
func Human(v float64, unit stats.Unit) string {
	scaled := func(names []string, last float64) string {
		x, i := v, 0
		for i < len(names)-1 && math.Abs(x) >= 1000 {
			x, i = x/1000, i+1
		}
		s := strconv.FormatFloat(x, 'g', 4, 64)
		if math.Abs(x) >= last {
			s = Pretty(math.Round(x))
		}
		if names[i] == "" {
			return s
		}
		return s + " " + names[i]
	}
	switch unit {
	case stats.NS:
		return scaled([]string{"ns", "us", "ms", "s"}, 1000)
	case stats.PJ:
		return scaled([]string{"pJ", "nJ", "uJ", "mJ", "J"}, 1000)
	case stats.Byte:
		return scaled([]string{"B", "KB", "MB", "GB", "TB"}, 1000)
	case stats.One:
		return scaled([]string{"", "thousand", "million", "billion", "trillion"}, 1000)
	case stats.Percent:
		return strconv.FormatFloat(v, 'g', 3, 64) + " %"
	case stats.Cycle:
		return Pretty(v)
	}
	return Pretty(v) + " " + string(unit)
}
