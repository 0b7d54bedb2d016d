package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
)

// A Comparison is how two results differ.
type Comparison struct {
	Sentence string       // what changed, and what it did
	Status   []string     // of a result that is not complete: "A is incomplete: interrupted"
	Config   []string     // settings of the resolved configurations that differ, "- Core.rows: 32" of A, "+" of B
	Metrics  *stats.Table // metric, A, B, B/A, unit
	Same     int          // metrics with equal values
	// Sentences are what A and B spend most time on: "A: Memory is the bottleneck ...".
	Sentences []string
	Layers    *stats.Table // layer, cycles of A and B, B/A; layers that one of them lacks have no value
}

// Compare lists what differs between two results.
func Compare(a, b *result.Result) Comparison {
	c := Comparison{Sentence: sentence(a, b), Config: configLines(changed(a.Config, b.Config))}
	for _, r := range []struct {
		name string
		*result.Result
	}{{"A", a}, {"B", b}} {
		if r.Result.Status != result.Complete {
			c.Status = append(c.Status, fmt.Sprintf("%s is %s: %s", r.name, r.Result.Status, r.Reason))
		}
		if r.Sentence != "" {
			c.Sentences = append(c.Sentences, r.name+": "+r.Sentence)
		}
	}
	c.Metrics = &stats.Table{Columns: []stats.Column{
		{Name: "metric"}, {Name: "A", Unit: stats.One}, {Name: "B", Unit: stats.One}, {Name: "B/A", Unit: stats.One}, {Name: "unit"},
	}}
	inB := map[string]stats.Metric{}
	for _, m := range b.Metrics {
		inB[result.Key(m)] = m
	}
	for _, m := range a.Metrics {
		key := result.Key(m)
		other, ok := inB[key]
		delete(inB, key)
		switch {
		case !ok:
			c.Metrics.Append(key, m.Value, nil, nil, string(m.Unit))
		case other.Value == m.Value:
			c.Same++
		case m.Value == 0:
			c.Metrics.Append(key, m.Value, other.Value, nil, string(m.Unit))
		default:
			c.Metrics.Append(key, m.Value, other.Value, other.Value/m.Value, string(m.Unit))
		}
	}
	for _, m := range b.Metrics {
		if key := result.Key(m); inB[key].Name != "" {
			c.Metrics.Append(key, nil, m.Value, nil, string(m.Unit))
		}
	}
	headlinesFirst(c.Metrics, append(a.Headlines(), b.Headlines()...))
	c.Layers = compareLayers(a.Layers, b.Layers)
	return c
}

// configLines prints settings as lines, those of A before those of B.
func configLines(changed []change) (out []string) {
	for _, c := range changed {
		for _, x := range []struct {
			sign  string
			value *string
		}{{"- ", c.before}, {"+ ", c.after}} {
			if x.value != nil {
				out = append(out, x.sign+c.path+": "+*x.value)
			}
		}
	}
	return out
}

// headlinesFirst sorts the rows: headline metrics that both results have come first, in the order
// of asked, and metrics that one result lacks come last.
func headlinesFirst(t *stats.Table, asked []result.Asked) {
	place := map[string]int{}
	for i, a := range asked {
		if _, ok := place[a.Key]; !ok {
			place[a.Key] = i - len(asked)
		}
	}
	order := func(row []any) int {
		if row[1] == nil || row[2] == nil {
			return 1
		}
		return place[row[0].(string)]
	}
	slices.SortStableFunc(t.Rows, func(x, y []any) int { return order(x) - order(y) })
}

// JSON is the comparison for scripts: the sentence, lines of configuration, metrics.
func (c *Comparison) JSON() ([]byte, error) {
	type metric struct {
		Metric string   `json:"metric"`
		A      *float64 `json:"a"`
		B      *float64 `json:"b"`
		Ratio  *float64 `json:"ratio"`
		Unit   string   `json:"unit"`
	}
	out := struct {
		Sentence string   `json:"sentence"`
		Status   []string `json:"status,omitempty"`
		Config   []string `json:"config"`
		Metrics  []metric `json:"metrics"`
		Equal    int      `json:"equal"`
	}{c.Sentence, c.Status, c.Config, []metric{}, c.Same}
	if out.Config == nil {
		out.Config = []string{}
	}
	for _, row := range c.Metrics.Rows {
		m := metric{Metric: row[0].(string), Unit: row[4].(string)}
		for k, at := range []**float64{&m.A, &m.B, &m.Ratio} {
			if v, ok := row[1+k].(float64); ok {
				*at = &v
			}
		}
		out.Metrics = append(out.Metrics, m)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(out)
	return b.Bytes(), err
}

// compareLayers holds the cycles of each layer against each other. Layers of one
// name, as on several cores, go by their position among them.
func compareLayers(a, b *stats.Table) *stats.Table {
	out := &stats.Table{Columns: []stats.Column{
		{Name: "layer"}, {Name: "cycles A", Unit: stats.Cycle}, {Name: "cycles B", Unit: stats.Cycle}, {Name: "B/A", Unit: stats.One},
	}}
	type key struct {
		name string
		nth  int
	}
	read := func(t *stats.Table) (order []key, cycles map[key]any) {
		cycles = map[key]any{}
		if t == nil || t.Index("cycles") < 0 {
			return nil, cycles
		}
		seen := map[string]int{}
		for _, row := range t.All() {
			name := fmt.Sprint(row[0])
			k := key{name, seen[name]}
			seen[name]++
			order, cycles[k] = append(order, k), row[t.Index("cycles")]
		}
		return order, cycles
	}
	ka, ca := read(a)
	kb, cb := read(b)
	for _, k := range ka {
		x, y := stats.Number(ca[k]), stats.Number(cb[k])
		switch {
		case cb[k] == nil:
			out.Append(k.name, ca[k], nil, nil)
		case x == y:
		case x == 0:
			out.Append(k.name, ca[k], cb[k], nil)
		default:
			out.Append(k.name, ca[k], cb[k], y/x)
		}
	}
	for _, k := range kb {
		if _, both := ca[k]; !both {
			out.Append(k.name, nil, cb[k], nil)
		}
	}
	return out
}
