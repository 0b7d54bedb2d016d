package page

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/causeway-sim/causeway/components/report/panel"
)

// parsed is a resolved configuration as plain values; nil where it is none.
func parsed(config []byte) (out map[string]any) {
	_ = yaml.Unmarshal(config, &out) // what is no configuration says nothing
	return out
}

// seed is the seed of a configuration.
func seed(config []byte) string {
	if s, ok := parsed(config)["simulation"].(map[string]any); ok && s["seed"] != nil {
		return fmt.Sprint(s["seed"])
	}
	return "0 (the default)"
}

// workload names what a configuration runs: "resnet50 (batch 1, dtype int8)".
func workload(config []byte) string {
	w, ok := parsed(config)["workload"].(map[string]any)
	if !ok {
		return ""
	}
	name := ""
	for _, key := range []string{"model", "file", "checkpoint"} {
		if v, ok := w[key]; ok {
			name = fmt.Sprint(v)
			break
		}
	}
	var more []string
	for _, key := range []string{"phase", "batch", "sequence", "context", "dtype"} {
		if v, ok := w[key]; ok {
			more = append(more, key+" "+plain(v))
		}
	}
	if name == "" {
		return ""
	}
	if len(more) > 0 {
		name += " (" + strings.Join(more, ", ") + ")"
	}
	return name
}

// plain is a value in one line.
func plain(v any) string {
	m, ok := v.(map[string]any)
	if !ok {
		return fmt.Sprint(v)
	}
	var parts []string
	for _, key := range sortedKeys(m) {
		parts = append(parts, key+" "+plain(m[key]))
	}
	return strings.Join(parts, ", ")
}

// splitFitted tells assumptions from what models say they took from measurements.
func splitFitted(all []string) (assumed, fitted []string) {
	for _, s := range all {
		low := strings.ToLower(s)
		if strings.Contains(low, "fitted") || strings.Contains(low, "measured") || strings.Contains(low, "calibrated") {
			fitted = append(fitted, s)
			continue
		}
		assumed = append(assumed, s)
	}
	return assumed, fitted
}

// sampled says what of a run is no full count.
func sampled(r *panel.Run) (out []string) {
	for _, n := range r.Metrics {
		if n.Phase == "measure" && n.Name == "measured_cycles" {
			out = append(out, fmt.Sprintf("%s: latencies and loads are of the %.0f measured cycles, after the warm-up.", n.Where, n.Value))
		}
	}
	for _, a := range r.Assumptions {
		if strings.Contains(a, " simulated and ") && strings.Contains(a, " taken as equal ") { // simulation.repeat
			out = append(out, a)
		}
	}
	if s := r.Process.SampledError; s != "" {
		out = append(out, s)
	}
	if o := r.Observed; o != nil && o.Tasks != nil && len(o.Tasks.Cut) > 0 {
		out = append(out, "The timeline has of each node the first "+strings.Join(o.Tasks.Cut, ", ")+" tasks, not all.")
	}
	if o := r.Observed; o != nil && o.Series != nil && len(o.Series.Rows) > 1 {
		out = append(out, fmt.Sprintf("Figures over time have %d intervals of %.4g ns; work and bytes that have a begin and an end are spread evenly over their time.", len(o.Series.Rows), o.Series.Number(0, 0)))
	}
	if r.Series != nil {
		out = append(out, fmt.Sprintf("Counters over time: %d samples at the interval of simulation.sample.", len(r.Series.Rows)))
	}
	if len(out) == 0 {
		out = []string{"Nothing: every event of the run is counted."}
	}
	return out
}
