package experiment

import (
	"reflect"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory/bound"
	"github.com/causeway-sim/causeway/workloads/synthetic"
)

// rules maps a replacement policy to its rule of the analytical model. Other policies lie in
// between.
var rules = map[string]bound.Rule{"lru": bound.LRU, "dco": bound.Best, "opt_bypass": bound.Best}

// model returns metrics of the analytical model of memory/bound, to compare with the run. It
// needs cores that play a generated layer on one timed cache; other systems get none.
func (a *assembly) model(ns float64) []stats.Metric {
	var layer synthetic.Layer
	var m bound.Machine
	policy, cores, rate := "", 0, 0.0
	for _, n := range a.Sys.Nodes() {
		if d, ok := n.(bound.Demander); ok {
			l, r, ok := d.Demand()
			if !ok || layer != nil && !reflect.DeepEqual(l, layer) {
				return nil
			}
			layer, rate = l, rate+r
			cores++
		}
		if c, ok := n.(bound.Cached); ok {
			if policy != "" {
				return nil
			}
			m, policy = c.Machine()
		}
	}
	if layer == nil || cores != layer.On() || policy == "" {
		return nil
	}
	loops, err := bound.Loops(layer)
	if err != nil {
		return nil
	}
	m.Compute = rate
	var out []stats.Metric
	add := func(name string, unit stats.Unit, v float64, text string) {
		out = append(out, stats.Metric{Phase: "all", Name: name, Unit: unit, Value: v, Text: text})
	}
	lru, best := m.Times(bound.Move(loops, m.Capacity, bound.LRU)), m.Times(bound.Move(loops, m.Capacity, bound.Best))
	add("model_time_lru", stats.NS, lru.Phased*1e9, "Time by the analytical model, for a cache that keeps what was used last.")
	add("model_time_best", stats.NS, best.Phased*1e9, "Time by the analytical model, for a cache that keeps what pays.")
	rule, ok := rules[policy]
	if !ok {
		return out
	}
	x := best
	if rule == bound.LRU {
		x = lru
	}
	add("model_compute_time", stats.NS, x.Compute*1e9, "Time that the cores alone would take.")
	add("model_cache_time", stats.NS, x.Cache*1e9, "Time that the cache's bytes alone would take.")
	add("model_memory_time", stats.NS, x.Memory*1e9, "Time that the memory's bytes alone would take.")
	add("model_overlap", stats.NS, x.Overlap*1e9, "Time by the analytical model if everything overlapped.")
	add("model_serial", stats.NS, x.Serial*1e9, "Time by the analytical model if nothing overlapped.")
	if ns > 0 {
		add("model_error", stats.Percent, 100*(x.Phased*1e9-ns)/ns, "What the analytical model says more than the run took.")
	}
	return out
}
