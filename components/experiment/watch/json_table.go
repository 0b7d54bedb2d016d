package watch

import "github.com/causeway-sim/causeway/components/stats"

// A JSONTable is a table in JSON.
type JSONTable struct {
	Columns []string     `json:"columns"`
	Units   []stats.Unit `json:"units"`
	Rows    [][]any      `json:"rows"` // numbers, strings, nil
}

func jsonTableOf(t *stats.Table) (s JSONTable) {
	for _, c := range t.Columns {
		s.Columns, s.Units = append(s.Columns, c.Name), append(s.Units, c.Unit)
	}
	s.Rows = t.Held().Rows
	return s
}

// Index is the position of a column, -1 where there is none.
func (s *JSONTable) Index(column string) int {
	for i, c := range s.Columns {
		if c == column {
			return i
		}
	}
	return -1
}

// Number returns a cell as a number; 0 for text and nil.
func (s *JSONTable) Number(row, column int) float64 {
	if column < 0 {
		return 0
	}
	return at(s.Rows[row], column)
}

// at is a cell of a row as a number, 0 for text, nil and no column.
func at(row []any, column int) float64 {
	if column < 0 {
		return 0
	}
	return stats.Number(row[column])
}
