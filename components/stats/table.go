package stats

import (
	"fmt"
	"iter"
)

// A Column is one column of a Table.
type Column struct {
	Name string // snake_case; the header in CSV
	Unit Unit   // "" for text
	Text string // one line: what the column holds
}

// A Table has rows of equal columns: one row per layer, per request or per sample. A cell is a
// string, an int64, a uint64 or a float64; nil is undefined and prints as the empty string.
//
// Len, Row and All read any table. Rows holds the rows that Append added; it is empty for a table
// made by View, whose rows are computed when they are read.
type Table struct {
	Columns []Column
	Rows    [][]any
	view    func(i int, row []any) // fills row i; nil: Rows are the rows
	n       int                    // rows of the view
	settled bool                   // of a view: cells that are not finite are left out
}

// View makes a table of n rows that are computed when they are read. fill sets the cells of row i,
// which are nil before; every call for a row must set the same cells.
func View(columns []Column, n int, fill func(i int, row []any)) *Table {
	return &Table{Columns: columns, view: fill, n: n}
}

// Len is the number of rows.
func (t *Table) Len() int {
	if t.view != nil {
		return t.n
	}
	return len(t.Rows)
}

// Row returns row i. The cells of a table filled by Append may be set through it.
func (t *Table) Row(i int) []any {
	if t.view == nil {
		return t.Rows[i]
	}
	row := make([]any, len(t.Columns))
	t.Fill(i, row)
	return row
}

// Fill copies row i into row, whose cells are nil.
func (t *Table) Fill(i int, row []any) {
	if t.view == nil {
		copy(row, t.Rows[i])
		return
	}
	t.view(i, row)
	if !t.settled {
		return
	}
	for j, cell := range row {
		if v, ok := cell.(float64); ok && !finite(v) {
			row[j] = nil
		}
	}
}

// All iterates over the rows in order. The caller may keep a row.
func (t *Table) All() iter.Seq2[int, []any] {
	return func(yield func(int, []any) bool) {
		for i := range t.Len() {
			if !yield(i, t.Row(i)) {
				return
			}
		}
	}
}

// Each is like All, but a row is valid until the next one only: of a view all rows are one.
func (t *Table) Each() iter.Seq2[int, []any] {
	if t.view == nil {
		return t.All()
	}
	return func(yield func(int, []any) bool) {
		row := make([]any, len(t.Columns))
		for i := range t.n {
			clear(row)
			t.Fill(i, row)
			if !yield(i, row) {
				return
			}
		}
	}
}

// Held returns the table with all rows computed, so that cells can be set.
func (t *Table) Held() *Table {
	if t.view == nil {
		return t
	}
	out := &Table{Columns: t.Columns}
	for _, row := range t.All() {
		out.Rows = append(out.Rows, row)
	}
	return out
}

// Any reports whether has is true of a row.
func (t *Table) Any(has func(row []any) bool) bool {
	for _, row := range t.Each() {
		if has(row) {
			return true
		}
	}
	return false
}

// Append adds a row; it panics if the row is not as wide as the table.
func (t *Table) Append(row ...any) {
	if len(row) != len(t.Columns) || t.view != nil {
		panic("stats: row width differs from the table's")
	}
	t.Rows = append(t.Rows, row)
}

// Settle sets cells that are not finite to nil and returns an error for each; name is the name of
// the table in errors.
func (t *Table) Settle(name string) []error {
	var out []error
	if t == nil {
		return nil
	}
	for i, row := range t.Each() {
		for j, cell := range row {
			if v, ok := cell.(float64); ok && !finite(v) {
				out = append(out, NotFinite(fmt.Sprintf("%s, row %d", name, i+1), t.Columns[j].Name, v))
				row[j] = nil
			}
		}
	}
	t.settled = true
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

// Number is a cell of a table as a float64; 0 for text and nil.
func Number(cell any) float64 {
	switch v := cell.(type) {
	case float64:
		return v
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	case int:
		return float64(v)
	}
	return 0
}
