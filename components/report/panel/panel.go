package panel

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/report/chart"
)

// A Panel draws figures of what was measured.
type Panel struct {
	Section Section
	Place   int // within the section, lowest first
	// Names are those of its figures; none: the panel's own name is the only one.
	Names []string
	// Draw returns no figure where the data have nothing to draw it of.
	Draw func(d *Data) []chart.Figure
}

// A Section is a heading of a report.
type Section string

// The sections in the order of a page.
const (
	Time     Section = "Where the time goes"
	Over     Section = "Over time"
	Memory   Section = "Memory"
	Network  Section = "Network"
	Energy   Section = "Energy and area"
	System   Section = "System"
	Space    Section = "Design space"
	Settings Section = "What each setting does"
	Versus   Section = "Difference"
	Beside   Section = "Runs"
	Held     Section = "Published against simulated"
)

// Sections lists all sections in the order of a page.
var Sections = []Section{Held, Beside, Versus, Space, Settings, Time, Over, Memory, Network, Energy, System}

// All are the panels by name.
var All = registry.New[Panel]("panel")

// Figures lists the names of all figures that reports may have.
func Figures() (out []string) {
	for _, e := range All.Entries() {
		out = append(out, e.New.Names...)
	}
	return out
}

// Add registers a panel; doc is one sentence that says what it shows.
func Add(name, doc string, p Panel) {
	if p.Names == nil {
		p.Names = []string{name}
	}
	All.Add(registry.Entry[Panel]{Name: name, Doc: doc, New: p})
}

// A Drawn section is a heading with its figures.
type Drawn struct {
	Section Section
	Figures []chart.Figure
}

// order is that of the sections of a page. What a network or a memory was asked for comes
// before the tasks over time where it is what the page is about: a system with a network, and
// one without layers.
func (d *Data) order(all []Drawn) []Drawn {
	has := func(s Section) bool {
		return slices.ContainsFunc(all, func(x Drawn) bool { return x.Section == s })
	}
	front := map[Section]bool{Network: true, Memory: d.Run != nil && (d.Run.Layers == nil || !has(Time))}
	place := func(s Section) int {
		i := 2 * slices.Index(Sections, s)
		if front[s] {
			i = 2*slices.Index(Sections, Over) - 1
		}
		return i
	}
	slices.SortStableFunc(all, func(a, b Drawn) int { return cmp.Compare(place(a.Section), place(b.Section)) })
	return all
}

// Draw draws all panels that the data allow, by section and place.
func Draw(d *Data) (out []Drawn) {
	entries := All.Entries()
	slices.SortStableFunc(entries, func(a, b registry.Entry[Panel]) int { return cmp.Compare(a.New.Place, b.New.Place) })
	for _, s := range Sections {
		one := Drawn{Section: s}
		for _, e := range entries {
			if e.New.Section == s {
				one.Figures = append(one.Figures, e.New.Draw(d)...)
			}
		}
		if len(one.Figures) > 0 {
			out = append(out, one)
		}
	}
	return d.order(out)
}
