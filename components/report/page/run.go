package page

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/report/panel"
	"github.com/causeway-sim/causeway/components/stats"
)

// runContent is what the report of a run says.
func runContent(d *panel.Data) content {
	r := d.Run
	c := content{Title: d.Title, Cards: report.Cards(r.Result), Lead: r.Sentence}
	c.Subtitle = "Causeway " + r.Version + ", identity " + r.Identity
	if r.Process.Started != "" {
		c.Subtitle += ", " + r.Process.Started
	}
	if r.Status != result.Complete {
		c.Problem = fmt.Sprintf("%s: %s. The figures hold up to that point.", r.Status, r.Reason)
	}
	if tab, ok := tableOf("waits", "Where time goes, from the cores down", "metrics.csv", report.Waits(r.Metrics)); ok {
		c.Tables = append(c.Tables, tab)
	}
	c.Tables = append(c.Tables, metricTable(r.Metrics))
	for _, t := range []struct {
		name, title, file string
		data              *stats.Table
	}{
		{"layers", "Layers", "layers.csv", r.Layers}, {"levels", "Storage levels", "levels.csv", r.Levels}, {"channels", "Channels", "channels.csv", r.Channels},
	} {
		if t.name == "layers" && r.Layers != nil && r.Layers.Index("rank") == 0 {
			t.title = "Ranks"
		}
		if tab, ok := tableOf(t.name, t.title, t.file, t.data); ok {
			c.Tables = append(c.Tables, tab)
		}
	}
	c.methods = runMethods(r)
	if d.Base != nil {
		c.against(d)
	}
	c.Footer = "Written by Causeway " + r.Version + ". result.json, metrics.csv and the tables beside this file have every number in full."
	return c
}

// runMethods is what a paper says of a run.
func runMethods(r *panel.Run) (m methods) {
	use := usedBy(r.Config)
	m.Methods = []string{methodology(r, use)}
	m.Facts = environment(r)
	add := func(title string, items []string) {
		if len(items) > 0 {
			m.Lists = append(m.Lists, list{title, items})
		}
	}
	assumed, fitted := splitFitted(r.Assumptions)
	add("Assumed", assumed)
	if len(fitted) == 0 {
		fitted = []string{"No model of this run says of itself that it is fitted to measurements."}
	}
	add("Fitted to measurements", fitted)
	add("Sampled", sampled(r))
	add("Doubts about the input", r.Warnings)
	if r.Observed != nil {
		add("Above what the configuration allows, which cannot be", r.Observed.Above)
	}
	if note := report.WithoutEnergy(r.Result); note != "" {
		add("Left out", []string{note})
	}
	var inputs []string
	for _, in := range r.Inputs {
		inputs = append(inputs, in.Name+", SHA-256 "+in.SHA256)
	}
	add("Inputs", inputs)
	m.Command = report.ShellJoin(r.Process.Command)
	m.BibTeX = bibTeX(use)
	m.Config = string(r.Config)
	return m
}

// methodology is the paragraph that says what was simulated and how.
func methodology(r *panel.Run, use []used) string {
	var kinds []string
	for _, u := range use {
		if u.what == "kind" {
			kinds = append(kinds, fmt.Sprintf("%s (%s: %s)", u.nodes, u.name, strings.TrimSuffix(u.doc, ".")))
		}
	}
	s := fmt.Sprintf("The system was simulated with Causeway %s, which runs all nodes in one queue of events with exact clocks. It consists of %s.",
		r.Version, strings.Join(kinds, "; "))
	if len(kinds) == 0 {
		s = fmt.Sprintf("The system was simulated with Causeway %s.", r.Version)
	}
	if load := workload(r.Config); load != "" {
		s += " The workload is " + load + "."
	}
	return s + " The result depends on the resolved configuration, the inputs, the seed and the version of the models, and on nothing else: neither engine nor number of workers changes it."
}

// environment is what ran where, and whether the sums hold.
func environment(r *panel.Run) (out []fact) {
	add := func(name, text string, code bool) {
		if text != "" {
			out = append(out, fact{name, text, code})
		}
	}
	conserved := "not checked: the run is " + string(r.Status)
	if r.Status == result.Complete {
		conserved = "held: stall causes sum to cycles, parts of latencies to latencies, what was sent was delivered; a run in which a sum does not hold fails"
	}
	add("conservation", conserved, false)
	add("identity", r.Identity, true)
	add("seed", seed(r.Config), true)
	p := r.Process
	add("commit", p.Build.Revision, true)
	if p.Build.ID != "" {
		add("build", p.Build.ID, true)
	}
	add("engine", p.Engine, false)
	add("host", p.Host, false)
	if p.WallSeconds > 0 {
		s := fmt.Sprintf("%.3g s (%.3g s of CPU)", p.WallSeconds, p.CPUSeconds)
		if p.Events > 0 {
			s += fmt.Sprintf(", %s events, %s per CPU second", report.Human(float64(p.Events), stats.One), report.Human(float64(p.Events)/max(p.CPUSeconds, 1e-6), stats.One))
		}
		add("simulated in", s, false)
	}
	return out
}
