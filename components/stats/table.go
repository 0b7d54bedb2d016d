package stats

import "fmt"

// A Column is one column of a Table.
type Column struct {
	Name string // snake_case; the header in CSV
	Unit Unit   // "" for text
	Text string // one line: what the column holds
}

// A Table is rows of equal shape: one row per layer, per request class, per
// sample. A cell is a string, an int64, a uint64 or a float64; nil is an
// undefined value and prints as nothing.
type Table struct {
	Columns []Column
	Rows    [][]any
}

// Append adds a row; it panics if the row is not as wide as the table.
func (t *Table) Append(row ...any) {
	if len(row) != len(t.Columns) {
		panic("stats: row width differs from the table's")
	}
	t.Rows = append(t.Rows, row)
}

// Settle takes out the cells that are not finite, which no file can hold, and says
// which they were. name is the table's.
func (t *Table) Settle(name string) []error {
	var out []error
	if t == nil {
		return nil
	}
	for i, row := range t.Rows {
		for j, cell := range row {
			if v, ok := cell.(float64); ok && !finite(v) {
				out = append(out, NotFinite(fmt.Sprintf("%s, row %d", name, i+1), t.Columns[j].Name, v))
				row[j] = nil
			}
		}
	}
	return out
}

// Index is the position of the column called name, or -1.
func (t *Table) Index(name string) int {
	for i, c := range t.Columns {
		if c.Name == name {
			return i
		}
	}
	return -1
}
