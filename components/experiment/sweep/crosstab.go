package sweep

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
)

// A Crosstab shows one metric of a sweep by two axes, one table for each combination of the other
// axes.
type Crosstab struct {
	Name    string
	Metric  string // a column of sweep.csv
	Rows    int    // axes of the grid
	Columns int
	Unless  string // a metric; if a run has it above 0 the cell is its name
}

// crosstabSpec is an entry of tables:.
type crosstabSpec struct {
	Metric  string        `yaml:"metric"`
	Rows    configs.Value `yaml:"rows"`
	Columns configs.Value `yaml:"columns"`
	Unless  string        `yaml:"unless"`
}

// decodeTables reads tables: of a sweep file.
func decodeTables(v configs.Value, s *Sweep) error {
	if !v.Exists() {
		return nil
	}
	var errs configs.Errors
	if v.Kind() != configs.Map || len(v.Keys()) == 0 {
		return v.Errorf(nil, "expected a mapping: NAME: {metric: ..., rows: ..., columns: ...}")
	}
	_, paths := s.settings()
	for _, name := range v.Keys() {
		at := v.Get(name)
		var spec crosstabSpec
		if err := at.Decode(&spec); err != nil {
			errs.Add(err)
			continue
		}
		axis := func(key string, v configs.Value) int {
			p, err := "", error(nil)
			if !v.Exists() {
				errs.Add(at.Errorf(paths, "a table needs %s:, the path of an axis", key))
				return -1
			}
			if p, err = v.String(); err != nil {
				errs.Add(err)
				return -1
			}
			if !slices.Contains(paths, p) {
				errs.Add(v.Errorf(paths, "no axis sets %q", p))
				return -1
			}
			return s.Grid.AxisOf(p)
		}
		t := Crosstab{Name: name, Metric: spec.Metric, Unless: spec.Unless, Rows: axis("rows", spec.Rows), Columns: axis("columns", spec.Columns)}
		if t.Rows == t.Columns && t.Rows >= 0 {
			errs.Add(spec.Columns.Errorf(nil, "rows and columns are one axis"))
		}
		if spec.Metric == "" {
			errs.Add(at.Errorf(nil, "a table needs metric:, a column of sweep.csv"))
		}
		for _, m := range []string{spec.Metric, spec.Unless} {
			if m != "" && len(s.Metrics) > 0 && !slices.Contains(s.Metrics, m) {
				errs.Add(at.Errorf(s.Metrics, "%q is not among the metrics of the sweep", m))
			}
		}
		s.Tables = append(s.Tables, t)
	}
	return errs.Err()
}

// decodeLabels reads labels: of a sweep file: short names for the values of an
// axis, in their order.
func decodeLabels(v configs.Value, g grid.Grid) error {
	if !v.Exists() {
		return nil
	}
	if v.Kind() != configs.Map {
		return v.Errorf(nil, "expected a mapping from the path of an axis to the names of its values")
	}
	var errs configs.Errors
	for _, path := range v.Keys() {
		at := v.Get(path)
		k := g.AxisOf(path)
		if k < 0 {
			errs.Add(at.Errorf(g.Paths(), "no axis sets %q", path))
			continue
		}
		var labels []string
		for _, it := range at.Items() {
			labels = append(labels, it.Text())
		}
		if len(labels) != len(g[k].Values) {
			errs.Add(at.Errorf(nil, "%d names for %d values", len(labels), len(g[k].Values)))
			continue
		}
		g[k].Labels = labels
	}
	return errs.Err()
}

// A cell is the mean of the runs that fall into it.
type cell struct {
	Mean
	complete bool // every run is
	unless   bool
}

// crosstabs prints the tables of the sweep in Markdown.
func (s *Sweep) crosstabs(t *stats.Table) []byte {
	if len(s.Tables) == 0 {
		return nil
	}
	var b bytes.Buffer
	for i, x := range s.Tables {
		if i > 0 {
			b.WriteString("\n")
		}
		s.crosstab(&b, t, x)
	}
	return b.Bytes()
}

// pages are the combinations of the axes that are neither averaged over nor in
// the table: their numbers, and what they are called.
func (s *Sweep) pages(x Crosstab) (axes []int, titles []string) {
	all, _ := s.settings()
	titles = []string{""}
	for _, k := range all {
		if k == x.Rows || k == x.Columns {
			continue
		}
		axes = append(axes, k)
		var next []string
		for _, title := range titles {
			for i := range s.Grid[k].Values {
				next = append(next, strings.TrimPrefix(title+", "+s.Grid[k].Joined()+" "+s.Grid[k].Label(i), ", "))
			}
		}
		titles = next
	}
	return axes, titles
}

func (s *Sweep) crosstab(b *bytes.Buffer, t *stats.Table, x Crosstab) {
	metric, unless := t.Index(x.Metric), -1
	if x.Unless != "" {
		unless = t.Index(x.Unless)
	}
	axes, titles := s.pages(x)
	rows, columns := s.Grid[x.Rows], s.Grid[x.Columns]
	fmt.Fprintf(b, "# %s\n\n%s", x.Name, x.Metric)
	if metric >= 0 && t.Columns[metric].Unit != "" && t.Columns[metric].Unit != stats.One {
		fmt.Fprintf(b, ", %s", t.Columns[metric].Unit)
	}
	if len(s.Average) > 0 {
		fmt.Fprintf(b, "; mean +- half its 95%% interval over %s", strings.Join(s.Average, ", "))
	}
	b.WriteString("\n")
	// One number for the page, row and column of a point.
	where := append(slices.Clone(axes), x.Rows, x.Columns)
	members := make([][]int, len(titles)*len(rows.Values)*len(columns.Values))
	for i := range t.Rows {
		k := s.Grid.Group(s.points[i], where)
		members[k] = append(members[k], i)
	}
	for p, title := range titles {
		b.WriteString("\n")
		if title != "" {
			fmt.Fprintf(b, "## %s\n\n", title)
		}
		page := members[p*len(rows.Values)*len(columns.Values):][:len(rows.Values)*len(columns.Values)]
		cells := make([]cell, len(page))
		most := 0.0
		for i, m := range page {
			cells[i] = cellOf(t, m, metric, unless)
			if cells[i].complete && !cells[i].unless {
				most = max(most, math.Abs(cells[i].Mean.Mean))
			}
		}
		digits := 0
		if most > 0 {
			digits = min(max(0, 2-int(math.Floor(math.Log10(most)))), 12)
		}
		fmt.Fprintf(b, "| %s |", rows.Joined())
		for j := range columns.Values {
			fmt.Fprintf(b, " %s |", columns.Label(j))
		}
		fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---|", len(columns.Values)))
		for i := range rows.Values {
			fmt.Fprintf(b, "| %s |", rows.Label(i))
			for j := range columns.Values {
				fmt.Fprintf(b, " %s |", cells[i*len(columns.Values)+j].text(digits, x.Unless))
			}
			b.WriteString("\n")
		}
	}
}

func cellOf(t *stats.Table, rows []int, metric, unless int) cell {
	c := cell{complete: metric >= 0 && len(rows) > 0}
	var values []float64
	for _, i := range rows {
		if unless >= 0 {
			x, ok := t.Rows[i][unless].(float64)
			c.unless = c.unless || ok && x > 0
		}
		if metric < 0 {
			continue
		}
		x, ok := t.Rows[i][metric].(float64)
		if c.complete = c.complete && ok; c.complete {
			values = append(values, x)
		}
	}
	c.Mean = MeanOf(values)
	return c
}

func (c cell) text(digits int, unless string) string {
	switch {
	case c.unless:
		name, _, _ := strings.Cut(unless, "@")
		return name[strings.LastIndex(name, ".")+1:]
	case !c.complete:
		return ""
	case c.N < 2:
		return fmt.Sprintf("%.*f", digits, c.Mean.Mean)
	}
	return fmt.Sprintf("%.*f +-%.*f", digits, c.Mean.Mean, digits, c.Half)
}
