package page

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html/template"
	"regexp"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/report/panel"
)

//go:embed page.html.tmpl
var source string

//go:embed page.css
var style string

//go:embed page.js
var scriptSource string

// script is page.js without comments of whole lines and indentation: each page carries it.
var script = indentOrComment.ReplaceAllString(scriptSource, "")

var indentOrComment = regexp.MustCompile(`(?m)^[ \t]*(//.*\n)?`)

//go:embed library/echarts.min.js
var library string

var layout = template.Must(template.New("report").Parse(source))

// A content is what the template shows, in its order.
type content struct {
	Title, Subtitle string
	Problem, Lead   string
	Cards           []report.Card
	Sections        []section
	Tables          []Table
	methods
	Version string
	Footer  string

	Body  template.HTML // in front of the sections
	Extra template.JS   // after the script

	Style           template.CSS
	Data            template.JS
	Library, Script template.JS
}

type section struct {
	ID      string
	Title   panel.Section
	Figures []chart.Figure
}

// methods are what a paper says of how its numbers came about.
type methods struct {
	Methods    []string // paragraphs
	Facts      []fact
	Lists      []list
	Command    string
	Difference []difference
	BibTeX     string
	Config     string
}

type fact struct {
	Name, Text string
	Code       bool
}

type list struct {
	Title string
	Items []string
}

type difference struct{ Class, Text string }

// A Live page is one of a server: what stands in front of the figures, and the script that
// goes with it. Its tables are those of the caller.
type Live struct {
	Title, Subtitle string
	Body            template.HTML
	Script          string
	Tables          []Table
	Data            *panel.Data // what is drawn; nil: nothing
}

// WriteLive is a page of a server.
func WriteLive(l Live) ([]byte, error) {
	c := content{Title: l.Title, Subtitle: l.Subtitle, Body: l.Body, Extra: template.JS(l.Script), Tables: l.Tables, Footer: "Causeway " + result.Version + "."}
	d := l.Data
	if d == nil {
		d = &panel.Data{}
	}
	return c.write(d)
}

// Block is the JSON block of the figures of d.
func Block(d *panel.Data) ([]byte, error) {
	b := block{map[string]chart.Chart{}, map[string]Table{}}
	for _, s := range panel.Draw(d) {
		for _, f := range s.Figures {
			b.Figures[f.Name] = f.Chart
		}
	}
	return json.Marshal(b)
}

// block is the JSON block of a page.
type block struct {
	Figures map[string]chart.Chart `json:"figures"`
	Tables  map[string]Table       `json:"tables"`
}

// Write is the report of d as one HTML file.
func Write(d *panel.Data) ([]byte, error) {
	return contentOf(d).write(d)
}

// WriteWith is the report of d with a body of a server in front of its figures.
func WriteWith(d *panel.Data, body template.HTML) ([]byte, error) {
	c := contentOf(d)
	c.Body = body
	return c.write(d)
}

// write lays a page out.
func (c content) write(d *panel.Data) ([]byte, error) {
	c.Version, c.Style, c.Library, c.Script = result.Version, template.CSS(style), template.JS(library), template.JS(script)
	b := block{map[string]chart.Chart{}, map[string]Table{}}
	for _, s := range panel.Draw(d) {
		c.Sections = append(c.Sections, section{panel.Slug(string(s.Section)), s.Section, s.Figures})
		for _, f := range s.Figures {
			b.Figures[f.Name] = f.Chart
		}
	}
	for _, t := range c.Tables {
		b.Tables[t.Name] = t
	}
	data, err := json.Marshal(b) // escapes <, > and &: it can stand in a script element
	if err != nil {
		return nil, err
	}
	c.Data = template.JS(data)
	var out bytes.Buffer
	out.Grow(len(library) + len(data) + 1<<17)
	err = layout.Execute(&out, c)
	return out.Bytes(), err
}

// contentOf is what a report says besides its figures.
func contentOf(d *panel.Data) content {
	switch {
	case d.Sweep != nil:
		return sweepContent(d)
	case d.Study != nil:
		return studyContent(d)
	case d.Run != nil:
		return runContent(d)
	}
	return runsContent(d)
}
