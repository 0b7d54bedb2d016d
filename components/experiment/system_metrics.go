package experiment

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// systemMetrics are the metrics of the system as a whole, where "".
func (a *assembly) systemMetrics(ms []stats.Metric) []stats.Metric {
	return slices.Concat(a.times(ms), sums(ms), a.sizes())
}

// ofSystem is a metric of the system as a whole.
func ofSystem(name string, unit stats.Unit, v float64, text string) stats.Metric {
	return stats.Metric{Phase: "all", Name: name, Unit: unit, Value: v, Text: text}
}

// servedTime is the time of a server whose batches have prices: its executors get no
// operators, and count none.
func (a *assembly) servedTime(ms []stats.Metric) (ns float64, ok bool) {
	for _, m := range ms {
		for _, j := range a.Jobs {
			if j.Priced && m.Where == j.Node.Name() && m.Name == "total_time" && m.Phase == "all" {
				ns, ok = max(ns, m.Value), true
			}
		}
	}
	return ns, ok
}

// times are those of the core, or else of the player, that ended last; cycles where all have
// one clock.
func (a *assembly) times(ms []stats.Metric) []stats.Metric {
	cycles, ns, same, any := 0.0, 0.0, true, false
	var first clock.Clock
	of := map[string]float64{} // by node
	for _, m := range ms {
		if _, ok := of[m.Where]; !ok && m.Name == "total_cycles" && m.Phase == "all" {
			of[m.Where] = m.Value
		}
	}
	for _, w := range a.starters {
		timed, ok := w.(system.Clocked)
		if _, core := w.(work.Executor); !ok || !core && len(a.Loads) > 0 {
			continue // players count where there is no work for cores
		}
		c := timed.Clock()
		v, ok := of[w.Name()]
		if !ok {
			continue
		}
		if !any {
			any, first = true, c
		}
		same = same && c == first
		cycles = max(cycles, v)
		ns = max(ns, c.Nanoseconds(uint64(v)))
	}
	served, priced := a.servedTime(ms)
	if !any && priced {
		return []stats.Metric{ofSystem("total_time", stats.NS, served, "Time until the last request had its last token.")}
	}
	if !any {
		return nil
	}
	if served > ns { // after the last core
		ns, same = served, false
	}
	end := "until the last core had ended its last layer."
	if len(a.Loads) == 0 {
		end = "until the last player had its last answer."
	}
	out := append(a.model(ns), ofSystem("total_time", stats.NS, ns, "Time "+end))
	if len(a.Given) == 1 && a.Given[0].Trains() {
		out = append(out, ofSystem(system.StepTime, stats.NS, ns, "Time of the step of training."))
	}
	out = append(out, a.throughput(ns)...)
	if same {
		out = append(out, ofSystem("total_cycles", stats.Cycle, cycles, "Cycles "+end))
	}
	return out
}

// sums are counts of all nodes together.
func sums(ms []stats.Metric) (out []stats.Metric) {
	for _, s := range []struct {
		name, text string
		unit       stats.Unit
	}{
		{"macs", "Multiply-accumulates done by all cores.", stats.One},
		{"score_bytes", "Bytes of scores of attention between cores and memory.", stats.Byte},
	} {
		sum, found := 0.0, false
		for _, m := range ms {
			if m.Name == s.name && m.Phase == "all" {
				sum, found = sum+m.Value, true
			}
		}
		if found {
			out = append(out, ofSystem(s.name, s.unit, sum, s.text))
		}
	}
	return out
}

// sizes are how large the workloads are.
func (a *assembly) sizes() (out []stats.Metric) {
	if len(a.Loads) == 0 {
		return nil
	}
	var macs, params int64
	for _, w := range a.Given { // replicas and shares of one model are one
		params += w.Graph.Params()
	}
	for _, w := range a.Loads {
		if w.Served() || w.Batch > 1 { // the graph of a served model is of no batch that ran
			continue
		}
		macs += w.Graph.MACs() * w.Repeats()
	}
	if slices.ContainsFunc(a.Loads, func(w *plan.Workload) bool { return !w.Served() }) {
		out = append(out, ofSystem("workload_macs", stats.One, float64(macs), "Multiply-accumulates of the workloads."))
	}
	return append(out, ofSystem("workload_parameters", stats.One, float64(params), "Weights of the workloads, once each however many chips hold them."))
}
