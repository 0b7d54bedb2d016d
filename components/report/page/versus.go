package page

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/report/panel"
	"github.com/causeway-sim/causeway/components/stats"
)

// against adds how a run differs from its baseline.
func (c *content) against(d *panel.Data) {
	diff := report.Compare(d.Base.Result, d.Run.Result)
	c.Lead = diff.Sentence
	c.Subtitle += fmt.Sprintf("; held against %s, identity %s", d.Base.Name, d.Base.Identity)
	for _, l := range diff.Config {
		class := "add"
		if l[0] == '-' {
			class = "del"
		}
		c.Difference = append(c.Difference, difference{class, l})
	}
	c.Facts = append(c.Facts, fact{Name: "baseline", Text: fmt.Sprintf("%s, identity %s: %d metrics are equal, %d differ", d.Base.Name, d.Base.Identity, diff.Same, len(diff.Metrics.Rows))})
	for _, s := range diff.Sentences {
		c.Facts = append(c.Facts, fact{Name: "most time", Text: s})
	}
	var tables []Table
	for _, t := range []struct {
		name, title string
		data        *stats.Table
	}{{"versus", "Metrics that differ: A is the baseline", diff.Metrics}, {"versus-layers", "Layers whose cycles differ: A is the baseline", diff.Layers}} {
		if tab, ok := tableOf(t.name, t.title, "compare", t.data); ok {
			tables = append(tables, tab)
		}
	}
	c.Tables = append(tables, c.Tables...)
}
