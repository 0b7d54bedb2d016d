package report

import (
	"bytes"
	_ "embed"
	"html/template"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/stats"
)

//go:embed report.html.tmpl
var pageSource string

var page = template.Must(template.New("report").Funcs(template.FuncMap{
	"pretty": Pretty,
	"label":  func(s string) string { return strings.ReplaceAll(s, "_", " ") },
}).Parse(pageSource))

const (
	// maxPageRows bounds the full layer table of a page; layers.csv has them all.
	maxPageRows = 300
	// maxNodeBars bounds the nodes whose cycles are drawn one by one.
	maxNodeBars = 16
)

// pageData is what the template shows, in its order.
type pageData struct {
	Title      string
	Result     *experiment.Result
	Cards      []card
	Nodes      *barChart     // one bar per node
	Layers     *barChart     // one bar per layer or group of layers
	Roof       template.HTML // a drawing
	Digest     *stats.Table  // of the layers with most cycles
	DigestNote string        // what the digest leaves out
	Full       *stats.Table  // of all columns
	Hidden     int           // rows that Full lacks
	System     *stats.Table  // metrics of the whole
	Node       []nodeMetrics
	Without    string // nodes without an energy model, in a sentence
	Config     string
	Command    string
	Process    experiment.Process
}

// nodeMetrics are the metrics of one node.
type nodeMetrics struct {
	Name  string
	Table *stats.Table
}

// HTML is a page that needs no other file and no network: what the run found,
// the sentence that names the bottleneck, figures, tables, the assumptions used
// and the command that repeats it.
func HTML(r *experiment.Result, title string, p experiment.Process) ([]byte, error) {
	d := pageData{Title: title, Result: r, Process: p, Command: shellJoin(p.Command), Config: string(r.Config), Cards: cards(r), Without: withoutEnergy(r)}
	if s := nodeStack(r.Metrics); len(s.Bars) > 0 && len(s.Bars) <= maxNodeBars {
		d.Nodes = chartOf(s)
	}
	if s, err := stackOf(r.Layers); err == nil {
		d.Layers = chartOf(s.readable())
	}
	if roof, _, err := rooflineOf(r.Layers, r.Metrics); err == nil {
		// The drawing is our own; the names in it are escaped by its writer.
		d.Roof = template.HTML(roof.svg())
	}
	if t := r.Layers; t != nil && len(t.Rows) > 0 {
		d.Digest, d.DigestNote = fewLayers(t)
		d.Full = t
		if d.Hidden = len(t.Rows) - maxPageRows; d.Hidden > 0 {
			d.Full = &stats.Table{Columns: t.Columns, Rows: t.Rows[:maxPageRows]}
		}
	}
	d.System, d.Node = byNode(r.Metrics)
	var b bytes.Buffer
	err := page.Execute(&b, d)
	return b.Bytes(), err
}

// byNode splits the metrics of the run and its phases, which come in the order of
// nodes, into those of the whole and those of each node.
func byNode(ms []stats.Metric) (system *stats.Table, nodes []nodeMetrics) {
	table := func() *stats.Table {
		return &stats.Table{Columns: []stats.Column{{Name: "metric"}, {Name: "value", Unit: stats.One}, {Name: "unit"}, {Name: "meaning"}}}
	}
	index := map[string]int{}
	for _, m := range ms {
		name, ok := phased(m)
		if !ok {
			continue
		}
		if m.Where == "" {
			if system == nil {
				system = table()
			}
			system.Append(name, m.Value, string(m.Unit), m.Text)
			continue
		}
		i, ok := index[m.Where]
		if !ok {
			i = len(nodes)
			index[m.Where] = i
			nodes = append(nodes, nodeMetrics{m.Where, table()})
		}
		nodes[i].Table.Append(name, m.Value, string(m.Unit), m.Text)
	}
	return system, nodes
}

// shellJoin quotes words so that a shell splits them the same way.
func shellJoin(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\n'\"$`\\*?[]{}()<>|&;#~!") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		out[i] = w
	}
	return strings.Join(out, " ")
}
