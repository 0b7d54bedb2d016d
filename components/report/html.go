package report

import (
	"bytes"
	_ "embed"
	"fmt"
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

// HTML is a page that needs no other file and no network: what the run found,
// the sentence that names the bottleneck, tables, figures, the assumptions used
// and the command that repeats it.
func HTML(r *experiment.Result, title string, p experiment.Process) ([]byte, error) {
	type figure struct {
		Title string
		SVG   template.HTML
	}
	data := struct {
		Title   string
		Result  *experiment.Result
		Process experiment.Process
		Command string
		Metrics *stats.Table
		Figures []figure
		Config  string
	}{Title: title, Result: r, Process: p, Command: shellJoin(p.Command), Metrics: metricTable(r.Metrics), Config: string(r.Config)}
	for _, f := range Figures(r) {
		svg, err := f.Render("svg")
		if err != nil {
			return nil, fmt.Errorf("figure %s: %w", f.Name, err)
		}
		if i := bytes.Index(svg, []byte("<svg")); i >= 0 {
			svg = svg[i:]
		}
		// The drawing is our own; the names in it were escaped by its writer.
		data.Figures = append(data.Figures, figure{f.Title, template.HTML(svg)})
	}
	var b bytes.Buffer
	err := page.Execute(&b, data)
	return b.Bytes(), err
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
