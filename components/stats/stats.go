// Package stats counts what components do and turns the counts into metrics.
//
// A component has its counters as plain uint64 fields and declares each once in a Group, with
// name, unit and text. Counting is an addition, without a map or a string. Package experiment
// reads all groups at the end of a run. A Table holds rows, a Histogram percentiles, a TimeSeries a
// value over time.
//
//	g := stats.NewGroup("L2")
//	g.Count("hits", stats.Request, "requests that hit", &c.hits)
//	g.Check("requests = hits + misses", func() error { ... })
//
// A duplicate name panics; a broken conservation law is an error of Verify. A metric that is
// undefined or not finite is left out, never 0.
package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Unit is one of the units that a metric may have.
type Unit string

// The units of metrics. GBps is 10^9 bytes per second.
const (
	Cycle   Unit = "cycle"
	NS      Unit = "ns"
	Byte    Unit = "B"
	GBps    Unit = "GB/s"
	Load    Unit = "flit/node/cycle"
	Flit    Unit = "flit"
	Request Unit = "request"
	Token   Unit = "token"
	Rate    Unit = "1/s" // of anything: tokens, requests, lookups per second
	PJ      Unit = "pJ"
	PJToken Unit = "pJ/token"
	Watt    Unit = "W"
	Celsius Unit = "C" // degrees
	MM2     Unit = "mm2"
	USD     Unit = "USD"
	Gram    Unit = "g" // of CO2 and what warms as much
	One     Unit = "1" // a count or a ratio
	Percent Unit = "%"
)

// Base is the unit without a prefix, and how many of the unit it has: 1e9 ns are a second.
func (u Unit) Base() (base Unit, per float64) {
	switch u {
	case NS:
		return "s", 1e9
	case PJ:
		return "J", 1e12
	case GBps:
		return "B/s", 1e-9
	}
	return u, 1
}

// A Metric is one measured value. Undefined values are absent, never 0.
type Metric struct {
	Phase string  `json:"phase"` // all, warmup, measure, drain, layer:NAME, step:N
	Where string  `json:"where"` // node name, for example "L2[0]", or "" for the system
	Name  string  `json:"name"`  // snake_case
	Value float64 `json:"value"`
	Unit  Unit    `json:"unit"`
	Text  string  `json:"-"` // one line: what is counted
}

// A Group holds the metrics of one component. The zero value is not ready; use NewGroup.
type Group struct {
	where   string
	metrics []metric
	checks  []check
	sums    []any
	before  []func(now float64)
	adding  []leaf
	again   bool
	holds   []func() Holding
	offered []Watched
}

type metric struct {
	phase      string
	name, text string
	unit       Unit
	read       func() (float64, bool)
	count      *uint64 // nil for a Value
	stays      bool    // see Stays
}

type check struct {
	what string
	f    func() error
}

// NewGroup returns an empty group for the component called where.
func NewGroup(where string) *Group { return &Group{where: where} }

// Where is the name of the component.
func (g *Group) Where() string { return g.where }

// Count declares the counter c as a metric. It panics on a name used twice.
func (g *Group) Count(name string, unit Unit, text string, c *uint64) {
	g.Value(name, unit, text, func() (float64, bool) { return float64(*c), true })
	g.metrics[len(g.metrics)-1].count = c
}

// Value declares a metric whose value is the result of read at the end of the run. If ok is false
// the metric is undefined and left out. A value that is not finite is left out, and Verify returns
// an error. Value panics on a name used twice.
func (g *Group) Value(name string, unit Unit, text string, read func() (v float64, ok bool)) {
	g.ValueIn("all", name, unit, text, read)
}

// ValueIn is Value for a metric of another phase than "all".
func (g *Group) ValueIn(phase, name string, unit Unit, text string, read func() (v float64, ok bool)) {
	if slices.ContainsFunc(g.metrics, func(m metric) bool { return m.name == name && m.phase == phase }) {
		panic(fmt.Sprintf("stats: %s: metric %q declared twice", g.where, name))
	}
	g.metrics = append(g.metrics, metric{phase: phase, name: name, text: text, unit: unit, read: read})
}

// A Counter is a counter declared by Count, for samplers.
type Counter struct {
	Column
	Where string
	N     *uint64
}

// Counters lists the counters declared by Count, in the order of declaration.
func (g *Group) Counters() []Counter {
	var out []Counter
	for _, m := range g.metrics {
		if m.count != nil {
			out = append(out, Counter{Column{m.name, m.unit, m.text}, g.where, m.count})
		}
	}
	return out
}

// Check adds a conservation law that must hold when the run ends, for example
// "stall cycles add up to total cycles".
func (g *Group) Check(what string, f func() error) { g.checks = append(g.checks, check{what, f}) }

// Metrics reads all metrics, sorted by name and phase.
func (g *Group) Metrics() []Metric {
	g.Settle(math.Inf(1))
	out := make([]Metric, 0, len(g.metrics))
	for _, m := range g.metrics {
		if v, ok := m.read(); ok && finite(v) {
			out = append(out, Metric{Phase: m.phase, Where: g.where, Name: m.name, Value: v, Unit: m.unit, Text: m.text})
		}
	}
	slices.SortFunc(out, func(a, b Metric) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Phase, b.Phase))
	})
	return out
}

// Declared lists all metrics with the value 1, also before a run.
func (g *Group) Declared() []Metric {
	out := make([]Metric, len(g.metrics))
	for i, m := range g.metrics {
		out[i] = Metric{Phase: m.phase, Where: g.where, Name: m.name, Value: 1, Unit: m.unit, Text: m.text}
	}
	return out
}

// Verify runs every check and returns the errors, with one for each metric that is not finite.
func (g *Group) Verify() []error {
	g.Settle(math.Inf(1))
	var out []error
	for _, m := range g.metrics {
		if v, ok := m.read(); ok && !finite(v) {
			out = append(out, NotFinite(g.where, m.name, v))
		}
	}
	for _, c := range g.checks {
		if err := c.f(); err != nil {
			out = append(out, fmt.Errorf("%s: %s: %w", g.where, c.what, err))
		}
	}
	return out
}
