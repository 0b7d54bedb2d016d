package bottleneck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// ofCores names in one sentence what the cores spend most cycles on, and the
// layer that takes most of them; or the memory that was busy all the time while they
// computed. It is "" where no core counts cycles by cause.
func ofCores(ms []stats.Metric, layers *stats.Table) string {
	causes := nameable
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
		s = result.InCompute(ms, layers, 100*compute/total, 100*memory/total)
	default:
		s = fmt.Sprintf("Cores spend most cycles (%.1f %%) %s", 100*sum[best]/total, causes[best].Words)
	}
	s += idle(causes, sum, total, best)
	s += heaviest(layers, ms)
	return s + "."
}

// told is the share of cycles from which on the sentence mentions that cores idle.
const told = 0.1

// idle is a clause about the share of idle cycles, if it is large and not the main cause.
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
	first := map[[2]string]float64{} // by node and name, of the memories
	for _, m := range ms {
		switch m.Name {
		case "bandwidth", "read_bytes", "write_bytes":
			if k := [2]string{m.Where, m.Name}; m.Phase == "all" {
				if _, ok := first[k]; !ok {
					first[k] = m.Value
				}
			}
		}
	}
	for _, m := range ms {
		if m.Name != "bandwidth_utilization" || m.Phase != "all" || m.Where == "" {
			continue
		}
		rate := first[[2]string{m.Where, "bandwidth"}] // bytes per nanosecond
		if rate == 0 {
			continue
		}
		moved := first[[2]string{m.Where, "read_bytes"}] + first[[2]string{m.Where, "write_bytes"}]
		if share := m.Value / 100 * min(moved/rate/end, 1); share > busy {
			where, busy = m.Where, share
		}
	}
	return where, busy
}

// heaviest names the layers that take most cycles: all that differ by the number of their
// repetition alone. Cycles in which a layer waits for another core are not its own.
// Rows of interfaces, whose transfers take time besides the cores, do not count.
func heaviest(t *stats.Table, ms []stats.Metric) string {
	cores := map[any]bool{}
	for _, m := range ms {
		if m.Name == stats.ComputeCycles {
			cores[m.Where] = true
		}
	}
	only := func(row []any) bool {
		where := t.Index("where")
		return where < 0 || cores[row[where]]
	}
	if t == nil {
		return ""
	}
	own := ownCycles(t)
	groups, total := layerGroups(t, own, only)
	if total == 0 {
		return ""
	}
	g := groups[0]
	if len(groups) == 1 { // all layers are alike, and the heaviest of them says more
		g = heaviestOf(t, own, only)
	}
	if g.Layers == 1 {
		return fmt.Sprintf("; layer %s takes %.1f %% of all layer cycles", g.Name, 100*g.Weight/total)
	}
	return fmt.Sprintf("; the %d layers %s take %.1f %% of all layer cycles", g.Layers, g.Like, 100*g.Weight/total)
}

// heaviestOf is the layer that takes most cycles.
func heaviestOf(t *stats.Table, own func(row []any) float64, only func(row []any) bool) cause.Group {
	sum := map[string]float64{}
	best := ""
	for _, row := range t.Each() {
		if !only(row) {
			continue
		}
		name := fmt.Sprint(row[t.Index("layer")])
		if sum[name] += own(row); best == "" || sum[name] > sum[best] {
			best = name
		}
	}
	return cause.Group{Name: best, Layers: 1, Weight: sum[best]}
}

// Sentence names the main cause of a run's time: of cores and their layers, or from a Summarizer or
// Causal node, or of the nodes that serve others. The result has its Causes.
func (run *Run) Sentence(r *result.Result) string {
	parts, layers := []string{}, r.Layers
	for _, j := range run.Jobs {
		if j.Server != nil {
			parts = append(parts, r.Causes.About(j.Node.Name()))
			if run.Sampled {
				layers = nil // has those that were simulated, which stand for others
			}
		}
	}
	if s := ofCores(r.Metrics, layers); s != "" {
		wait := ""
		if len(parts) == 0 { // a server says what its requests wait for
			wait = run.waits(r)
		}
		said := words(append(parts, s, wait, beneath(r.Causes)))
		return words([]string{said, r.Causes.Saturated(full, said)})
	}
	parts = parts[:0]
	for _, n := range run.Nodes {
		if v, ok := n.(system.Summarizer); ok {
			if s := v.Summarize(); s != "" {
				parts = append(parts, s)
				break
			}
		}
	}
	if s := r.Causes.Sentence(); s != "" {
		parts = append(parts, s)
	}
	if len(parts) == 0 {
		return plainly(r)
	}
	return strings.Join(parts, " ")
}

// waits names the cause of the waits of a pipeline or of scheduled requests.
func (run *Run) waits(r *result.Result) string {
	if s := bubbleSentence(r.Causes); s != "" || r.Requests == nil {
		return s
	}
	var parts []string
	for _, j := range run.Jobs {
		if j.Server == nil {
			parts = append(parts, r.Causes.About(j.Node.Name()))
		}
	}
	return words(parts)
}

// full is the share of the time from which on the busiest channel of a network is named.
const full = 0.75

// words joins sentences that are there.
func words(parts []string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

// much is the share of time from which on the wait of a node gets a separate sentence.
const much = 0.25

// beneath is a sentence about the memory for which nodes wait much of their time; "" if they do
// not, or if the memory has no causes.
func beneath(run *cause.Tree) string {
	if run == nil {
		return ""
	}
	for _, n := range run.Parts {
		for _, p := range n.Parts {
			switch {
			case p.Share < much:
			case p.WaitsFor != "":
				return run.Beneath(n.Name, p.Name)
			case p.Name == families[0].name: // it has several homes
				return run.SlowestMemory()
			}
		}
	}
	return ""
}

// plainly is the sentence of a run without causes.
func plainly(r *result.Result) string {
	for _, m := range r.Metrics {
		if m.Phase == "all" && m.Where != "" && m.Name == "latency_mean" {
			return fmt.Sprintf("Requests to %s take %.4g ns on average; no node says what that time went to.", m.Where, m.Value)
		}
	}
	if total, ok := r.Metric("", "total_time"); ok {
		return fmt.Sprintf("The run takes %.4g ns; no node says what that time went to.", total.Value)
	}
	return "No node says what the time of the run went to."
}
