package folder

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"github.com/causeway-sim/causeway/components/stats"
)

// Table reads a table that result.TableCSV has printed; a missing file is
// a nil table. Columns in which every cell is a number or empty become numbers.
func Table(path string) (*stats.Table, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s is empty", path)
	}
	t := &stats.Table{}
	for _, name := range rows[0] {
		t.Columns = append(t.Columns, stats.Column{Name: name})
	}
	for _, r := range rows[1:] {
		row := make([]any, len(r))
		for i, s := range r {
			if s != "" {
				row[i] = s
			}
		}
		t.Append(row...)
	}
	for c := range t.Columns {
		numeric(t, c)
	}
	return t, nil
}

func numeric(t *stats.Table, c int) {
	vals := make([]any, len(t.Rows))
	for i, row := range t.Rows {
		s, ok := row[c].(string)
		if !ok {
			continue
		}
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return
		}
		vals[i] = v
	}
	if c == 0 {
		return // the first column is a name, whatever it looks like
	}
	t.Columns[c].Unit = stats.One
	for i := range t.Rows {
		t.Rows[i][c] = vals[i]
	}
}
