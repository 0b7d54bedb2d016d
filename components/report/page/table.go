package page

import (
	"fmt"
	"math"
	"strconv"

	"github.com/causeway-sim/causeway/components/report"
	"github.com/causeway-sim/causeway/components/stats"
)

// A Table is one that sorts, filters and searches.
type Table struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Note    string   `json:"note,omitempty"`
	Columns []Column `json:"columns"`
	Rows    [][]any  `json:"rows"`
	Links   []string `json:"links,omitempty"` // of the first cell of each row
	Whole   bool     `json:"whole,omitempty"` // columns of one value are shown too
}

// A Column is one of a Table.
type Column struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"` // "" for text
	Text string `json:"text,omitempty"`
}

// maxCells bounds a table of a page; the files have all rows.
const maxCells = 10500

// tableOf is a table of a result, with the name of its file.
func tableOf(name, title, file string, t *stats.Table) (out Table, ok bool) {
	if t == nil || t.Len() == 0 {
		return out, false
	}
	out = Table{Name: name, Title: title}
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, Column{c.Name, string(c.Unit), c.Text})
	}
	most := max(1, maxCells/len(t.Columns))
	if t.Len() > most {
		out.Note = fmt.Sprintf("The first %d of %d rows; %s has all.", most, t.Len(), file)
	}
	for i, row := range t.All() {
		if i == most {
			break
		}
		cells := make([]any, len(row))
		for i, v := range row {
			cells[i] = cell(v)
		}
		out.Rows = append(out.Rows, cells)
	}
	return out, true
}

// cell is a value in JSON: numbers as numbers, of seven digits where they have a fraction.
func cell(v any) any {
	f, ok := v.(float64)
	switch {
	case !ok:
		return v
	case math.IsNaN(f) || math.IsInf(f, 0):
		return nil
	case f == math.Trunc(f) && math.Abs(f) < 1e15:
		return int64(f)
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 7, 64), 64)
	return short
}

// metricTable is all metrics of a run but those of layers and steps, of which there are
// many.
func metricTable(ms []stats.Metric) Table {
	out := Table{Name: "metrics", Title: "Metrics", Columns: []Column{{Name: "where"}, {Name: "metric"}, {Name: "value", Unit: "1"}, {Name: "unit"}, {Name: "meaning"}}}
	said := false
	for _, m := range ms {
		if name, ok := report.Phased(m); ok {
			where := m.Where
			if where == "" {
				where = "the whole"
			}
			out.Rows = append(out.Rows, []any{where, name, cell(m.Value), string(m.Unit), m.Text})
			said = said || m.Text != ""
		}
	}
	if !said { // of a folder: files have no texts
		out.Columns = out.Columns[:4]
		for i := range out.Rows {
			out.Rows[i] = out.Rows[i][:4]
		}
	}
	return out
}
