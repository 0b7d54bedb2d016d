package experiment

import (
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/evaluation"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/serving"
)

// owned adds up what the nodes own. Each joule and each square millimetre has one
// owner, so the whole is the sum over nodes, in canonical order.
type owned struct {
	energy, area float64
	anyEnergy    bool
	anyArea      bool
	without      []string // nodes without an energy model, in canonical order
	tokens       float64  // of answers, where a node serves requests
	each         []stats.Metric
}

// ownedBy sums the metrics energy and area, which are sorted by node, and lists the nodes without
// a metric energy, which no sum includes. A part of a node with its own metrics (Far.Memory)
// counts as a node. Programs need no energy model.
func ownedBy(nodes []system.Made, ms []stats.Metric) (o owned) {
	o.without = []string{}
	var names []string
	has, configured, listed := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, n := range nodes {
		configured[n.Name()], listed[n.Name()] = true, true
		if !n.Kind.Program {
			names = append(names, n.Name())
		}
	}
	for _, m := range ms {
		if m.Phase != "all" || m.Where == "" {
			continue
		}
		if part := strings.LastIndexByte(m.Where, '.'); part > 0 && configured[m.Where[:part]] && !listed[m.Where] {
			listed[m.Where] = true
			names = append(names, m.Where)
		}
		switch m.Name {
		case serving.TokensAnswered:
			o.tokens += m.Value
		case "energy":
			o.energy, o.anyEnergy = o.energy+m.Value, true
			has[m.Where] = true
			o.each = append(o.each, m)
		case "area":
			o.area, o.anyArea = o.area+m.Value, true
		}
	}
	slices.SortFunc(names, configs.CompareNames)
	for _, n := range names {
		if !has[n] {
			o.without = append(o.without, n)
		}
	}
	return o
}

// perToken is a metric of the whole and of each owner of energy.
const perToken = "energy_per_token"

// metrics are those of the whole, and the part of each node in what a token costs.
func (o owned) metrics() (out []stats.Metric) {
	add := func(name string, unit stats.Unit, v float64, text string) {
		out = append(out, stats.Metric{Phase: "all", Name: name, Unit: unit, Value: v, Text: text})
	}
	if o.anyArea {
		add("area", stats.MM2, o.area, "Area of the nodes that know theirs.")
	}
	if o.anyEnergy {
		add("energy", stats.PJ, o.energy, "Energy of the nodes that have an energy model.")
	}
	if o.anyEnergy && o.tokens > 0 {
		const text = "Energy over the tokens of answers."
		add(perToken, stats.PJToken, o.energy/o.tokens, text)
		for _, m := range o.each {
			out = append(out, stats.Metric{Phase: "all", Where: m.Where, Name: perToken, Unit: stats.PJToken, Value: m.Value / o.tokens, Text: text})
		}
	}
	add("energy_without_model", stats.One, float64(len(o.without)), "Nodes without an energy model; result.json lists them.")
	return out
}

// evaluate adds what sections of the configuration find in a finished run.
func (a *assembly) evaluate(r *result.Result, t *evaluation.Throttled) error {
	run := evaluation.Run{Metrics: r.Metrics, Throttled: t}
	run.Time, _ = run.Value("", system.TotalTime)
	f, err := a.asked.Evaluate(&run)
	r.Metrics, r.Assumptions, r.Warnings = append(r.Metrics, f.Metrics...), append(r.Assumptions, f.Assumptions...), append(r.Warnings, f.Warnings...)
	return err
}

// rest gives nodes that take power at rest the end of the run: that of its work, or of the last activity of
// such a node. Their metrics are read again.
func (a *assembly) rest(ms []stats.Metric) []stats.Metric {
	end, again := 0.0, map[string]bool{}
	for _, m := range a.times(ms) {
		if m.Name == system.TotalTime {
			end = m.Value
		}
	}
	for _, n := range a.nodes() {
		if r, ok := n.(system.Rester); ok {
			end = max(end, r.LastActivity())
		}
	}
	var out []stats.Metric
	for _, n := range a.nodes() {
		if r, ok := n.(system.Rester); ok {
			r.RestUntil(end)
			g := n.Stats()
			again[g.Where()], out = true, append(out, g.Metrics()...)
		}
	}
	return append(out, slices.DeleteFunc(ms, func(m stats.Metric) bool { return again[m.Where] })...)
}

// unmeasured lists the executors without an area, because none is published for their parts.
func (a *assembly) unmeasured(ms []stats.Metric) []string {
	has := map[string]bool{}
	for _, m := range ms {
		has[m.Where] = has[m.Where] || m.Name == "area"
	}
	var names []string
	for _, w := range a.Workers {
		if _, counted := has[w.Name()]; counted && !has[w.Name()] {
			names = append(names, w.Name())
		}
	}
	if names == nil {
		return nil
	}
	slices.SortFunc(names, configs.CompareNames)
	return []string{"Area and static power of " + strings.Join(names, ", ") + " are not known: nothing is published of the parts of such a chip."}
}

// charge counts at memories the traffic that analytic cores assumed and did not send.
func (a *assembly) charge() {
	var rs []memory.UnsentReporter
	for _, n := range a.nodes() {
		if r, ok := n.(memory.UnsentReporter); ok {
			rs = append(rs, r)
		}
	}
	memory.ChargeUnsent(rs)
}

// unasked warns of memories that count nothing of what cores moved, neither bytes nor energy:
// no memory had a request, since analytic cores send none. It is silent about memories that
// charge counts that traffic at.
func (a *assembly) unasked(ms []stats.Metric) []string {
	if !slices.ContainsFunc(a.nodes(), func(n system.Node) bool { _, ok := n.(memory.UnsentReporter); return ok }) {
		return nil
	}
	var memories []string
	moved := 0.0
	for _, m := range ms {
		if m.Phase != "all" {
			continue
		}
		switch m.Name {
		case "reads", "writes":
			if m.Value > 0 {
				return nil
			}
			if !slices.Contains(memories, m.Where) {
				memories = append(memories, m.Where)
			}
		case "read_bytes", "write_bytes", "memory_bytes":
			moved += m.Value
		}
	}
	if len(memories) == 0 || moved == 0 {
		return nil
	}
	return []string{"requests, bytes and energy of " + strings.Join(memories, ", ") + " are 0, though cores moved bytes: those of fidelity analytic reckon with a memory's latency and bandwidth and send no requests (those of fidelity tile do)"}
}
